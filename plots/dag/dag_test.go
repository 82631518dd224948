package dag

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

var regen = flag.Bool("regen", false, "rewrite the golden files")

func pipeline() Graph {
	return Graph{Title: "join pipeline", Nodes: []Node{
		{"upload probe", "4.0 KiB", "memcpy"}, {"clear counts", "1 KiB", "memset"}, {"count", "2.1 µs", "kernel"},
		{"scan", "1.4 µs", "kernel"}, {"scatter", "3.0 µs", "kernel"}, {"download", "64 B", "memcpy"},
		{"a very long name of a host function that does not fit", "", "host"},
	}, Edges: [][2]int{{0, 2}, {1, 2}, {2, 3}, {3, 4}, {0, 4}, {4, 5}, {3, 6}}}
}

func random(seed uint64, nodes int) Graph {
	r := rand.New(rand.NewPCG(seed, 9))
	g := Graph{Nodes: make([]Node, nodes)}
	for i := range g.Nodes {
		g.Nodes[i] = Node{Label: fmt.Sprint("n", i), Kind: []string{"", "a", "b"}[r.IntN(3)]}
		for range min(i, r.IntN(3)) {
			g.Edges = append(g.Edges, [2]int{r.IntN(i), i})
		}
	}
	return g
}

func TestGolden(t *testing.T) {
	for name, g := range map[string]Graph{
		"pipeline": pipeline(), "empty": {}, "one": {Nodes: []Node{{Label: "a < b"}}}, "apart": {Nodes: make([]Node, 3)},
		"diamond": {Nodes: []Node{{Label: "a"}, {Label: "b"}, {Label: "c"}, {Label: "d"}},
			Edges: [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}, {0, 3}}},
		"random": random(1, 30),
	} {
		path, got := filepath.Join("testdata", name+".svg"), g.SVG()+"\n"
		if *regen {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s differs (go test -regen rewrites it): %v", path, err)
		}
		wellFormed(t, got)
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
}

func TestRefusals(t *testing.T) {
	var edge *EdgeError
	if err := (Graph{Nodes: make([]Node, 2), Edges: [][2]int{{0, 2}}}).Check(); !errors.As(err, &edge) || edge.Nodes != 2 {
		t.Errorf("%v", err)
	}
	if err := (Graph{Nodes: make([]Node, 2), Edges: [][2]int{{-1, 0}}}).Check(); !errors.As(err, &edge) {
		t.Errorf("%v", err)
	}
	var cycle *CycleError
	g := Graph{Nodes: make([]Node, 6), Edges: [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}}}
	if err := g.Check(); !errors.As(err, &cycle) || len(cycle.Nodes) != 3 {
		t.Fatalf("%v", err)
	}
	for i, n := range cycle.Nodes {
		if !slices.Contains(g.Edges, [2]int{n, cycle.Nodes[(i+1)%3]}) {
			t.Errorf("%v is not a cycle", cycle.Nodes)
		}
	}
	if err := (Graph{Nodes: make([]Node, 1), Edges: [][2]int{{0, 0}}}).Check(); !errors.As(err, &cycle) {
		t.Errorf("%v", err)
	}
	var size *SizeError
	if err := (Graph{Nodes: make([]Node, MaxNodes+1)}).Check(); !errors.As(err, &size) {
		t.Errorf("%v", err)
	}
	if err := dense(400).Check(); !errors.As(err, &size) {
		t.Errorf("%v", err)
	}
	for _, bad := range []Graph{g, dense(400)} {
		wellFormed(t, bad.SVG())
		if b := bad.MIMEBundle(); b.Data[display.TypeSVG] != nil || b.Data[display.TypeText] == "" {
			t.Errorf("%v", b)
		}
	}
}

// dense is a chain in which each node also leads to all later ones.
func dense(n int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for i := range n {
		for j := range i {
			g.Edges = append(g.Edges, [2]int{j, i})
		}
	}
	return g
}

// The laws of a layout: edges lead down, boxes of a row do not overlap, nothing lies left of the
// card.
func TestLayoutLaws(t *testing.T) {
	for seed := range uint64(200) {
		g := random(seed, int(seed)%60)
		l, err := g.layout()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range g.Edges {
			if l.steps[e[0]].row >= l.steps[e[1]].row {
				t.Fatalf("seed %d: edge %v leads up", seed, e)
			}
		}
		width, _ := l.size("", edgeSpace)
		for _, row := range l.rows {
			for i, s := range row {
				if i > 0 && l.steps[s].x-l.steps[row[i-1]].x < l.apart(row[i-1], s)-1e-6 {
					t.Fatalf("seed %d: boxes overlap", seed)
				}
				if left, right := l.steps[s].x-l.steps[s].width/2, l.steps[s].x+l.steps[s].width/2; left < edgeSpace-1e-6 ||
					right > width-edgeSpace+1e-6 {
					t.Fatalf("seed %d: a box from %v to %v on a card of %v", seed, left, right, width)
				}
			}
		}
	}
}

func TestCrossings(t *testing.T) {
	for _, c := range []struct {
		list []int
		want int
	}{{nil, 0}, {[]int{0, 1, 2}, 0}, {[]int{2, 1, 0}, 3}, {[]int{1, 1, 0}, 2}, {[]int{3, 0, 2, 1}, 4}} {
		if got := inversions(c.list); got != c.want {
			t.Errorf("%v: %d", c.list, got)
		}
	}
	// Two columns that cross when drawn in the order given, and need not.
	g := Graph{Nodes: make([]Node, 6), Edges: [][2]int{{0, 5}, {1, 4}, {2, 3}}}
	if l, err := g.layout(); err != nil || l.crossings() != 0 {
		t.Errorf("%d crossings, %v", l.crossings(), err)
	}
}

func TestLargeGraphIsQuick(t *testing.T) {
	g := random(3, MaxNodes)
	if err := g.Check(); err != nil {
		var size *SizeError
		if !errors.As(err, &size) {
			t.Fatal(err)
		}
	}
}

func ExampleGraph() {
	fmt.Println(pipeline())
	// Output:
	// join pipeline
	// node  name                                                   kind    detail   leads to
	// ────  ─────────────────────────────────────────────────────  ──────  ───────  ────────
	//    0  upload probe                                           memcpy  4.0 KiB  2 4
	//    1  clear counts                                           memset  1 KiB    2
	//    2  count                                                  kernel  2.1 µs   3
	//    3  scan                                                   kernel  1.4 µs   4 6
	//    4  scatter                                                kernel  3.0 µs   5
	//    5  download                                               memcpy  64 B
	//    6  a very long name of a host function that does not fit  host
}

func BenchmarkLayout(b *testing.B) {
	g := random(1, 200)
	for b.Loop() {
		_ = g.SVG()
	}
}
