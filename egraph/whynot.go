package egraph

import (
	"fmt"
	"strings"
)

// A Difference says what keeps two classes apart: if the classes of each pair were equal, the two
// would be, by congruence. The pairs are shown by their cheapest terms.
type Difference struct {
	A, B  *Term
	Equal bool // they are one class: nothing keeps them apart
	Pairs []Pair
}

// A Pair is two classes that are not known to be equal.
type Pair struct {
	A, B            ID
	TermA, TermB    *Term
	ConstantsDiffer bool // both hold different numbers, so they can never be equal
}

// String is the difference in words.
func (d *Difference) String() string {
	if d.Equal {
		return fmt.Sprintf("%s = %s", d.A, d.B)
	}
	var parts []string
	for _, p := range d.Pairs {
		s := fmt.Sprintf("%s = %s", p.TermA, p.TermB)
		if p.ConstantsDiffer {
			s += " (different numbers)"
		}
		parts = append(parts, s)
	}
	return fmt.Sprintf("%s = %s is not known; it would follow from %s", d.A, d.B, strings.Join(parts, " and "))
}

// whyNotDepth bounds how deep nodes are compared.
const whyNotDepth = 8

// WhyNot tells what two classes lack to be equal: of all ways to match a node of one with a node of the
// other operator by operator, down to a few levels, the one that leaves the smallest terms to be
// equated.
func (g *EGraph) WhyNot(a, b ID) (*Difference, error) {
	if err := g.check("WhyNot", a, b); err != nil {
		return nil, err
	}
	x, err := g.NewExtractor(AstSize)
	if err != nil {
		return nil, err
	}
	d := &Difference{Equal: g.Same(a, b)}
	if d.A, err = x.term(g.Find(a)); err != nil {
		return nil, err
	}
	if d.B, err = x.term(g.Find(b)); err != nil {
		return nil, err
	}
	if d.Equal {
		return d, nil
	}
	w := &whyNot{g: g, x: x, memo: map[[3]uint32]gap{}}
	for _, p := range w.gap(uint32(g.Find(a)), uint32(g.Find(b)), whyNotDepth).pairs {
		d.Pairs = append(d.Pairs, w.pair(p))
	}
	return d, nil
}

// A gap is the pairs that keep two classes apart and the size of their terms.
type gap struct {
	size  float64
	pairs [][2]uint32
}

type whyNot struct {
	g    *EGraph
	x    *Extractor
	memo map[[3]uint32]gap
}

// gap compares two classes node by node; equating the two themselves is always a way.
func (w *whyNot) gap(a, b uint32, depth int) gap {
	if a == b {
		return gap{}
	}
	key := [3]uint32{a, b, uint32(depth)}
	if found, ok := w.memo[key]; ok {
		return found
	}
	best := gap{w.x.Cost(ID(a)) + w.x.Cost(ID(b)), [][2]uint32{{a, b}}}
	w.memo[key] = best
	if depth > 0 {
		index := w.g.index()
		for _, m := range index.of(a) {
			for _, n := range index.of(b) {
				if m.op == n.op && m.op != leafOp {
					if other := w.children(m, n, depth, best.size); other.size < best.size {
						best = other
					}
				}
			}
		}
	}
	w.memo[key] = best
	return best
}

// children adds up the gaps between the children of two nodes, as long as they stay below a limit.
func (w *whyNot) children(m, n entry, depth int, limit float64) gap {
	var sum gap
	left, right := Node{w.g, m.op, m.row}.kids(), Node{w.g, n.op, n.row}.kids()
	for i, k := range left {
		part := w.gap(k, right[i], depth-1)
		sum.size += part.size
		sum.pairs = append(sum.pairs, part.pairs...)
		if sum.size >= limit {
			break
		}
	}
	return sum
}

func (w *whyNot) pair(p [2]uint32) Pair {
	out := Pair{A: ID(p[0]), B: ID(p[1])}
	out.TermA, _ = w.x.term(out.A)
	out.TermB, _ = w.x.term(out.B)
	numA, okA := w.number(out.A)
	numB, okB := w.number(out.B)
	out.ConstantsDiffer = okA && okB && numA != numB
	return out
}

func (w *whyNot) number(id ID) (Atom, bool) {
	for _, n := range w.g.NodesOf(id) {
		if n.IsLeaf() && n.Leaf().IsNumber() {
			return n.Leaf(), true
		}
	}
	return Atom{}, false
}
