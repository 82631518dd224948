package egraph

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// sameNodes says where a graph read back differs: every class's cheapest term must be in a class of its own there, and
// every node in the class that stands for its own.
func sameNodes(g, back *EGraph) error {
	x, err := g.NewExtractor(ASTSize)
	if err != nil {
		return err
	}
	to, from := map[ID]ID{}, map[ID]ID{}
	for _, id := range g.ClassIDs() {
		e := try(x.Best(id))
		if e.Err != nil {
			return e.Err
		}
		there, ok := back.LookupTerm(e.Term)
		if other, twice := from[there]; !ok || twice {
			return fmt.Errorf("%v of class %d is found %v, as class %d is %v", e, id, ok, other, twice)
		}
		to[id], from[there] = there, id
	}
	for _, id := range g.ClassIDs() {
		for _, n := range g.NodesOf(id) {
			var kids []ID
			for i := range n.Arity() {
				kids = append(kids, to[n.Child(i)])
			}
			there, ok := back.LookupNode(n.Op(), kids...)
			if n.IsLeaf() {
				there, ok = back.LookupTerm(term.Leaf(n.Leaf()))
			}
			if !ok || there != to[id] {
				return fmt.Errorf("%v of class %d is found %v in class %d, not %d", n, id, ok, there, to[id])
			}
		}
	}
	if back.Nodes() != g.Nodes() || back.Classes() != g.Classes() {
		return fmt.Errorf("%d nodes in %d classes, want %d in %d", back.Nodes(), back.Classes(), g.Nodes(), g.Classes())
	}
	return back.CheckInvariants()
}

// What is written is read back as it was, or refused by name: numbers and symbols that look like them, operators of
// any name. // EG6
func TestJSONKeepsApart(t *testing.T) {
	names := []string{"f", "f/2", "1", "1.0", "01", "1/3", "2/6", "two words", `"q"`, "<<", "é", "\u2028", "?x", "a;b",
		"+1", "-0"}
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		g := New()
		var ids []ID
		for range 3 + r.Intn(8) {
			id, err := g.AddLeaf(serialAtom(names[r.Intn(len(names))]))
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		for range r.Intn(12) {
			op := names[r.Intn(len(names))]
			kids := []ID{ids[r.Intn(len(ids))], ids[r.Intn(len(ids))]}[:1+len(op)%2]
			id, err := g.AddNode(op, kids...)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
			if r.Intn(4) == 0 {
				union(t, g, ids[r.Intn(len(ids))], id)
			}
		}
		var file bytes.Buffer
		if err := g.WriteJSON(&file, ids[0]); err != nil {
			t.Fatal(err)
		}
		l, err := ReadJSON(&file)
		if err != nil || l.Merged != 0 {
			t.Fatal(err)
		}
		if err := sameNodes(g, l.Graph); err != nil {
			t.Fatalf("seed %d: %v\n%s%s", seed, err, g.Dump(), l.Graph.Dump())
		}
	}
	for _, name := range []string{"\xff", "1", "-7/3"} {
		g := New()
		if _, err := g.AddLeaf(term.Name(name)); err != nil {
			t.Fatal(err)
		}
		var format *FormatError
		if err := g.WriteJSON(&bytes.Buffer{}); !errors.As(err, &format) ||
			!strings.Contains(err.Error(), term.Name(name).String()) {
			t.Errorf("%q is written: %v", name, err)
		}
	}
}

// Files whose parts would be merged or lost are read with all of them, or refused. // EG6
func TestJSONOfFiles(t *testing.T) {
	l, err := ReadJSON(strings.NewReader(`{"nodes":{"x":{"op":"x","eclass":"x"},
		"a":{"op":"f","children":["x"],"eclass":"a"},
		"c":{"op":"f","children":["x","x"],"eclass":"c"},"e":{"op":"f/2","children":["x","x"],"eclass":"e"},
		"i":{"op":"1","eclass":"i"},"j":{"op":"1.0","eclass":"j"},"k":{"op":"01","eclass":"k"}},
		"root_eclasses":["a","c","e","i","j","k"]}`))
	if err != nil || l.Merged != 0 || l.Graph.Classes() != 7 {
		t.Fatalf("%v, %+v", err, l)
	}
	for i, want := range []string{"(f x)", "(f x x)", "(f/2 x x)", "1", `"1.0"`, `"01"`} {
		e := try(l.Graph.Extract(l.Roots[i], ASTSize))
		id, ok, err := l.Graph.Lookup(want)
		matches, _ := l.Graph.Matches(want, l.Roots[i])
		if e.String() != want || !ok || err != nil || id != l.Roots[i] || !matches {
			t.Errorf("%v, want %s, which is looked up %v, matches %v", e, want, ok, matches)
		}
	}
	if r := l.Graph.Run(MustParseRules("r: (f ?x ?x) => (f ?x)")); r.Err != nil || !l.Graph.Same(l.Roots[0], l.Roots[1]) {
		t.Errorf("a rule over one operator of two arities: %v", r.Err)
	}
	var b bytes.Buffer
	if err := l.Graph.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	if back, err := ReadBinary(&b); err != nil || sameNodes(l.Graph, back) != nil {
		t.Errorf("as a snapshot: %v", err)
	}
	one := func(op string) string { return `{"nodes":{"a":{"op":"` + op + `","eclass":"1"}}}` }
	for _, file := range []string{one("\xff"), one(`\ud800`), one(`\udc00`), one(`\ud800\u0041`), one(`a\u0000`),
		one("x") + "{}", "null",
		`{"nodes":{"a":{"op":"x","eclass":"1"},"a":{"op":"y","eclass":"2"}}}`, `{"nodes":{},"nodes":{}}`, `{"nodes":null}`,
		`{"nodes":{}`} {
		var format *FormatError
		if _, err := ReadJSON(strings.NewReader(file)); !errors.As(err, &format) {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file, want := range map[string]string{one(`\ud83d\ude00`): "😀",
		one(`\\ud800`): `\ud800`, one(`\\\u0041`): `\A`} {
		l, err := ReadJSON(strings.NewReader(file))
		if err != nil || l.Graph.NodesOf(0)[0].Op() != want {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// The file's costs stay those of its nodes, whatever becomes of the graph. // EG5
func TestLoadedCostsStay(t *testing.T) {
	var nodes []string
	for i := range 20 {
		nodes = append(nodes, fmt.Sprintf(`"x%02d":{"op":"x%d","eclass":"x%d","cost":1},
			"f%02d":{"op":"f","children":["x%02d"],"eclass":"f%d","cost":%d}`, i, i, i, i, i, i, 100+i))
	}
	l, err := ReadJSON(strings.NewReader(`{"nodes":{` + strings.Join(nodes, ",") + `},"root_eclasses":["f19"]}`))
	if err != nil {
		t.Fatal(err)
	}
	costs := func(what string, want ...float64) {
		t.Helper()
		for i, w := range want {
			id, ok, err := l.Graph.Lookup(fmt.Sprintf("(f x%d)", []int{19, 3, 7}[i]))
			if e := try(l.Graph.Extract(id, l.Cost)); !ok || err != nil || e.Cost != w {
				t.Errorf("%s: %v costs %v, want %v", what, e, e.Cost, w)
			}
		}
	}
	costs("as read", 120, 104, 108)
	l.Graph.Push()
	for i := range 10 {
		union(t, l.Graph, l.Graph.MustAdd("x0"), l.Graph.MustAdd(fmt.Sprint("x", i)))
	}
	costs("ten are one", 120, 101, 101)
	l.Graph.Run(MustParseRules("r: (f ?x) => (g ?x)\ns: x19 => x18"))
	costs("rules ran", 2, 2, 2)
	l.Graph.Pop()
	costs("as it was", 120, 104, 108)
}
