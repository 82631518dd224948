package egraph

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// What is added in bulk, with repeated rows, rows over rows that wait and unions in between, is the
// graph that AddNode makes.
func TestBulkIsAddNode(t *testing.T) {
	for seed := range closures.Random(20) {
		x := seed + 1
		one, many := New(), New()
		bulk := many.Bulk()
		var ids []ID
		var refs []Ref
		for i := range 10 {
			id, _ := one.AddLeaf(term.Int(int64(i)))
			ref, err := bulk.Leaf(term.Int(int64(i)))
			if err != nil {
				t.Fatal(err)
			}
			ids, refs = append(ids, id), append(refs, ref)
		}
		for i := range 2000 {
			a, b, c := x.Next()%uint64(len(ids)), x.Next()%uint64(len(ids)), x.Next()%uint64(len(ids))
			name, n := "f", 2
			switch x.Next() % 4 {
			case 0:
				name, n = "h", 1
			case 1:
				name, n = "wide", 3
			}
			id, err := one.AddNode(name, []ID{ids[a], ids[b], ids[c]}[:n]...)
			if err != nil {
				t.Fatal(err)
			}
			ref, err := bulk.Node(name, []Ref{refs[a], refs[b], refs[c]}[:n]...)
			if err != nil {
				t.Fatal(err)
			}
			ids, refs = append(ids, id), append(refs, ref)
			if i%500 == 499 {
				p, err := bulk.Class(refs[a])
				q, err2 := bulk.Class(refs[b])
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				if _, err := one.Union(ids[a], ids[b]); err != nil {
					t.Fatal(err)
				}
				if _, err := many.Union(p, q); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := bulk.Flush(); err != nil {
			t.Fatal(err)
		}
		one.Rebuild()
		many.Rebuild()
		checked(t, many)
		if one.Nodes() != many.Nodes() || one.Classes() != many.Classes() {
			t.Fatalf("seed %d: %d nodes in %d classes, want %d in %d", seed, many.Nodes(), many.Classes(), one.Nodes(),
				one.Classes())
		}
		for k := 1; k < len(ids); k++ {
			p, _ := bulk.Class(refs[k-1])
			q, _ := bulk.Class(refs[k])
			if one.Same(ids[k-1], ids[k]) != many.Same(p, q) {
				t.Fatalf("seed %d: rows %d and %d", seed, k-1, k)
			}
		}
	}
}

// Columns of nodes make the graph that AddNode makes node by node, whatever the arity, over rows
// that repeat in a block and over merged classes.
func TestAddNodesIsAddNode(t *testing.T) {
	for seed := range closures.Random(30) {
		x := seed + 1
		one, many := New(), New()
		for i := range 12 {
			one.MustAdd(term.Int(int64(i)).String())
			many.MustAdd(term.Int(int64(i)).String())
		}
		for round := range 6 {
			arity := 1 + int(x.Next()%4)
			columns := make([][]ID, arity)
			n := int(x.Next() % 700)
			for range n {
				for j := range columns {
					columns[j] = append(columns[j], ID(x.Next()%uint64(len(one.uf.parent))))
				}
			}
			got, err := many.AddNodes(string(rune('a'+arity)), columns...)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				kids := make([]ID, arity)
				for j := range kids {
					kids[j] = columns[j][i]
				}
				want, err := one.AddNode(string(rune('a'+arity)), kids...)
				if err != nil || got[i] != want {
					t.Fatalf("seed %d, round %d: row %d of %d is in class %d, want %d: %v", seed, round, i, n, got[i], want, err)
				}
			}
			a, b := ID(x.Next()%12), ID(x.Next()%12)
			for _, g := range []*EGraph{one, many} {
				if _, err := g.Union(a, b); err != nil {
					t.Fatal(err)
				}
				g.Rebuild()
				checked(t, g)
			}
		}
		if one.Dump() != many.Dump() {
			t.Fatalf("seed %d: another graph", seed)
		}
	}
	g := New()
	a := g.MustAdd("a")
	var arity *ArityError
	var class *ClassError
	if _, err := g.AddNodes("f"); !errors.As(err, &arity) {
		t.Error(err)
	}
	if _, err := g.AddNodes("f", []ID{a}, nil); !errors.As(err, &arity) {
		t.Error(err)
	}
	if _, err := g.AddNodes("f", []ID{a, 7}); !errors.As(err, &class) || g.Nodes() != 1 {
		t.Error(err)
	}
	if _, err := g.AddNode("f", a, a, 9); !errors.As(err, &class) {
		t.Error(err)
	}
	if _, err := g.Bulk().Node("f", 3); !errors.As(err, &class) || len(g.ops) != 0 {
		t.Errorf("what was refused left %d operators: %v", len(g.ops), err)
	}
}

func TestBulkRefuses(t *testing.T) {
	g := New(Operators(map[string]int{"f": 1}))
	b := g.Bulk()
	var class *ClassError
	if _, err := b.Node("f", 3); !errors.As(err, &class) {
		t.Error(err)
	}
	if _, err := b.Of(7); !errors.As(err, &class) {
		t.Error(err)
	}
	if _, err := b.Class(7); !errors.As(err, &class) {
		t.Error(err)
	}
	leaf, _ := b.Leaf(term.Int(1))
	var unknown *UnknownOperatorError
	if _, err := b.Node("g", leaf); !errors.As(err, &unknown) {
		t.Error(err)
	}
	var arity *ArityError
	if _, err := b.Node("f", leaf, leaf); !errors.As(err, &arity) {
		t.Error(err)
	}
}
