package egraph

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// hearing are the calls that last and how they are interrupted: a function that they ask calls Interrupt the
// first time, and the call is to end within a few thousand more. The answer is their error. // EG8
var hearing = map[string]func(g *EGraph, root ID, asked func()) error{
	"Run": func(g *EGraph, root ID, asked func()) error {
		r := g.Run(MustParseRules("r: (f ?x ?y) => (k ?x) if (test ?x)", Where("test", func(*EGraph, []ID) bool {
			asked()
			return false
		})))
		if r.Stop == Interrupted {
			return &InterruptedError{"Run"}
		}
		return r.Err
	},
	"NewExtractor": func(g *EGraph, root ID, asked func()) error {
		_, err := g.NewExtractor(func(n Node, kids []float64) float64 { asked(); return ASTSize(n, kids) })
		return err
	},
	"Extract": func(g *EGraph, root ID, asked func()) error {
		return try(g.Extract(root, func(n Node, kids []float64) float64 { asked(); return ASTSize(n, kids) })).Err
	},
	"ExtractK": func(g *EGraph, root ID, asked func()) error {
		_, err := g.ExtractK(root, 3, func(n Node, kids []float64) float64 { asked(); return ASTSize(n, kids) })
		return err
	},
	"ExtractDAG": func(g *EGraph, root ID, asked func()) error {
		return tryDAG(g.ExtractDAG(root, func(n Node) float64 { asked(); return OneEach(n) }, time.Minute)).Err
	},
	"Search": func(g *EGraph, root ID, asked func()) error {
		return g.Search("(g ?x ?y)", g.MustAdd("(g x1 y1)"), func(map[string]ID) bool { asked(); return true })
	},
}

// soonOver are the calls that do not last, or only in proportion to what is written or looked at once.
var soonOver = map[string]string{
	"RunContext":      "as Run",
	"MustExtract":     "as Extract",
	"WhyNot":          "as NewExtractor, and it counts comparisons",
	"Matches":         "as Search",
	"Picture":         "as NewExtractor, and it draws 120 nodes",
	"PictureAll":      "for small graphs",
	"MIMEBundle":      "draws small graphs",
	"Rebuild":         "a graph that is half closed would be wrong",
	"Push":            "it copies the columns",
	"Pop":             "it puts back the copies",
	"Explain":         "a proof has 100,000 steps at most",
	"ExplainTerms":    "a proof has 100,000 steps at most",
	"WriteBinary":     "it writes each column once",
	"WriteJSON":       "it writes each row once",
	"Image":           "it copies each column once",
	"CheckInvariants": "it looks at each row once",
	"Dump":            "it writes each row once",
	"String":          "it writes 40 nodes",
	"UnionAll":        "a union for each pair",
	"AddNodes":        "it adds each row once",
	"Prune":           "it looks at the nodes of a class once",
	"ClassIDs":        "once through the classes",
	"NodesOf":         "once through the rows",
	"Add":             "its text",
	"MustAdd":         "its text",
	"AddTerm":         "its term",
	"AddLeaf":         "one row",
	"AddNode":         "one row",
	"Union":           "one union",
	"UnionBecause":    "one union",
	"UnionTerms":      "its terms",
	"Lookup":          "its term",
	"LookupTerm":      "its term",
	"LookupNode":      "one row",
	"Find":            "one id",
	"Same":            "two ids",
	"Value":           "one id",
	"Bulk":            "it only begins",
	"Nodes":           "one number a table",
	"Classes":         "one number",
	"Bytes":           "one number a table",
}

// Every call on a graph hears an interrupt, or is named as one that is soon over. // EG8
func TestLongCallsHearInterrupts(t *testing.T) {
	for m := range reflect.TypeFor[*EGraph]().Methods() {
		call := hearing[m.Name]
		if (call == nil) == (soonOver[m.Name] == "") {
			t.Errorf("%s is to be in one of the two lists", m.Name)
		}
		if call == nil {
			continue
		}
		g := New()
		var x, gs []ID
		for i := range int64(30_000) {
			leaf, err := g.AddLeaf(term.Int(i))
			if err != nil {
				t.Fatal(err)
			}
			node, err := g.AddNode("f", leaf, leaf)
			if err != nil {
				t.Fatal(err)
			}
			pair, err := g.AddNode("g", leaf, leaf)
			if err != nil {
				t.Fatal(err)
			}
			x, gs = append(x, node), append(gs, pair)
		}
		root := x[0]
		for i, id := range x[1:] {
			root, _ = g.AddNode("and", root, id)
			if _, err := g.Union(gs[i], gs[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := g.Union(gs[0], g.MustAdd("(g x1 y1)")); err != nil {
			t.Fatal(err)
		}
		g.Rebuild()
		calls := 0
		err := call(g, root, func() {
			if calls++; calls == 1 {
				Interrupt()
			}
		})
		var stopped *InterruptedError
		if !errors.As(err, &stopped) || calls > 2*look+blockSize {
			t.Errorf("%s: %v after %d calls of its function", m.Name, err, calls)
		}
		if err := g.CheckInvariants(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
