package egraph

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

func sampleGraph(t testing.TB) (*EGraph, ID) {
	g := New()
	root := g.MustAdd("(/ (* a 2) 2)")
	g.Run(MustParseRules("assoc: (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))\ncancel: (/ ?x ?x) => 1\none: (* ?x 1) => " +
		"?x\nshift: " +
		"(* ?x 2) => (<< ?x 1)"))
	checked(t, g)
	return g, root
}

func sameShape(t *testing.T, got, want *EGraph) {
	t.Helper()
	checked(t, got)
	if got.Nodes() != want.Nodes() || got.Classes() != want.Classes() {
		t.Errorf("%d nodes in %d classes, want %d in %d", got.Nodes(), got.Classes(), want.Nodes(), want.Classes())
	}
}

func TestJSONRoundTrip(t *testing.T) {
	g, root := sampleGraph(t)
	var b bytes.Buffer
	if err := g.WriteJSON(&b, root); err != nil {
		t.Fatal(err)
	}
	l, err := ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	sameShape(t, l.Graph, g)
	if got := try(l.Graph.Extract(l.Roots[0], l.Cost)).String(); got != "a" || l.Merged != 0 {
		t.Errorf("extracted %s, merged %d", got, l.Merged)
	}
}

// A file as extraction-gym has them: costs, one operator with two arities, a cycle.
const gymFile = `{"nodes":{
 "a":{"op":"x","children":[],"eclass":"1","cost":3.5},
 "b":{"op":"f","children":["a"],"eclass":"2","cost":10},
 "c":{"op":"f","children":["a","b"],"eclass":"2","cost":1},
 "d":{"op":"g","children":["b"],"eclass":"2","cost":0}},
 "root_eclasses":["2"],"class_data":{"1":{"type":"t"}}}`

func TestJSONCosts(t *testing.T) {
	l, err := ReadJSON(strings.NewReader(gymFile))
	if err != nil {
		t.Fatal(err)
	}
	if e := try(l.Graph.Extract(l.Roots[0], l.Cost)); e.Err != nil || e.Cost != 13.5 || e.String() != "(f x)" {
		t.Errorf("extracted %v for %v", e, e.Cost)
	}
	for _, bad := range []string{
		"", "[]", `{"nodes":{"a":{"op":"","children":[],"eclass":"1"}}}`,
		`{"nodes":{"a":{"op":"f","children":["b"],"eclass":"1"}}}`,
		`{"nodes":{"a":{"op":"f","children":[],"eclass":"1","cost":-1}}}`,
		`{"nodes":{"a":{"op":"f","children":[],"eclass":"1"}},"root_eclasses":["2"]}`,
		`{"nodes":{"a":{"op":"f","children":[],"eclass":"1","subsumed":true}},"root_eclasses":["1"]}`,
	} {
		var format *FormatError
		if _, err := ReadJSON(strings.NewReader(bad)); !errors.As(err, &format) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestBinaryRoundTrip(t *testing.T) {
	g, root := sampleGraph(t)
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	got, err := ReadBinary(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	sameShape(t, got, g)
	if got.Dump() != g.Dump() || try(got.Extract(root, ASTSize)).String() != "a" {
		t.Errorf("read back\n%swant\n%s", got.Dump(), g.Dump())
	}
	for i := range file {
		broken := bytes.Clone(file)
		broken[i] ^= 0x41
		var format *FormatError
		if _, err := ReadBinary(bytes.NewReader(broken)); !errors.As(err, &format) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := ReadBinary(bytes.NewReader(file[:i])); !errors.As(err, &format) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

// A snapshot of a million nodes loads in less than a second; a machine that does something else can
// only make it later, so one try of several is enough.
func TestBinaryLoadsAMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million nodes")
	}
	g, rules := mathGraph(t)
	g.Run(rules, Iterations(11))
	file := binaryOf(t, g)
	var took []time.Duration
	for range 5 {
		start := time.Now()
		got, err := ReadBinary(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(start))
		if got.Nodes() != g.Nodes() || got.Nodes() < 1_000_000 || got.Classes() != g.Classes() {
			t.Fatalf("%d nodes in %d classes, want %d in %d", got.Nodes(), got.Classes(), g.Nodes(), g.Classes())
		}
		if took[len(took)-1] < time.Second {
			t.Logf("%d bytes in %v", len(file), took)
			return
		}
	}
	t.Errorf("%d bytes took %v", len(file), took)
}

func TestBinaryAnalyses(t *testing.T) {
	g := New()
	root := g.MustAdd("(* x (+ 1 (* 2 3)))")
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadBinary(&b, WithAnalysis(foldConstants()))
	if err != nil {
		t.Fatal(err)
	}
	checked(t, got)
	if s := try(got.Extract(root, ASTSize)).String(); s != "(* x 7)" {
		t.Errorf("extracted %s", s)
	}
}

func TestPictures(t *testing.T) {
	g, root := sampleGraph(t)
	p, err := g.Picture(root, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, svg := range []string{p.SVG(), g.PictureAll().SVG()} {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if !strings.Contains(p.SVG(), `bold" stroke="none">a<`) || !strings.Contains(p.SVG(), "&lt;&lt;") {
		t.Errorf("the extracted term is not marked, or an operator is not escaped:\n%s", p.SVG())
	}
	if dot := p.DOT(); strings.Count(dot, "subgraph") != len(p.Classes) {
		t.Errorf("DOT:\n%s", dot)
	}
	if b := g.MIMEBundle(); b.Data["image/svg+xml"] == nil || b.Data["text/plain"] == nil {
		t.Error("no picture of a small graph")
	}
}

func TestPushPop(t *testing.T) {
	for _, options := range [][]Option{nil, {WithProofs()}, {WithAnalysis(foldConstants())}} {
		g := New(options...)
		root := g.MustAdd("(+ (+ a b) (+ 1 2))")
		g.Rebuild()
		before := g.Dump()
		rules := MustParseRules("comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)\nnew: (+ ?a " +
			"?b) => " +
			"(plus ?a ?b)")
		first := ""
		for range 2 {
			g.Push()
			g.Run(rules, Iterations(3))
			checked(t, g)
			if first == "" {
				first = g.Dump()
			} else if g.Dump() != first {
				t.Error("a second run from the same state came out differently")
			}
			if !g.Pop() {
				t.Fatal("nothing to pop")
			}
			checked(t, g)
			if g.Dump() != before {
				t.Errorf("after Pop\n%swant\n%s", g.Dump(), before)
			}
		}
		if g.Pop() {
			t.Error("popped what was not pushed")
		}
		if _, err := g.AddNode("plus", root, root); err != nil {
			t.Error(err)
		}
	}
}

func FuzzBinary(f *testing.F) {
	g, _ := sampleGraph(f)
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		if g, err := ReadBinary(bytes.NewReader(file)); err == nil {
			checked(t, g)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(gymFile))
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := ReadJSON(bytes.NewReader(file))
		if err != nil {
			return
		}
		checked(t, l.Graph)
		for _, r := range l.Roots {
			try(l.Graph.Extract(r, l.Cost))
		}
	})
}

func FuzzTerm(f *testing.F) {
	for _, s := range []string{"(+ 1 (f x))", "((", "1/3", "?x", "; c\n(a b)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := term.Parse(text)
		if err != nil {
			return
		}
		again, err := term.Parse(tree.String())
		if err != nil || !sameTerm(tree, again) {
			t.Errorf("%q prints as %q: %v", text, tree, err)
		}
	})
}

func FuzzRules(f *testing.F) {
	f.Add("comm: (+ ?a ?b) => (+ ?b ?a)\nx: ?x = (f ?a), (g ?x) <=> ?a if (= ?a ?x)")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseRules(text)
		if err != nil {
			return
		}
		g := New()
		g.MustAdd("(+ (f 1) (g (f x)))")
		g.Run(rules, Iterations(2), MaxNodes(500))
		checked(t, g)
	})
}
