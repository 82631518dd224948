package egraph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A Difference says what keeps two classes apart: if the classes of each pair were equal, the two
// would be, by congruence. The pairs are shown by their cheapest terms.
type Difference struct {
	A, B  *term.Term
	Equal bool // they are one class: nothing keeps them apart
	Pairs []Pair
	Cut   bool // not all ways were compared: there may be smaller pairs
}

// A Pair is two classes that are not known to be equal.
type Pair struct {
	A, B            ID
	TermA, TermB    *term.Term
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
	s := fmt.Sprintf("%s = %s is not known; it would follow from %s", d.A, d.B, strings.Join(parts, " and "))
	if d.Cut {
		s += " (not all ways were compared)"
	}
	return s
}

// whyNotDepth bounds how deep nodes are compared, whyNotSteps how many of them.
const (
	whyNotDepth = 8
	whyNotSteps = 1 << 20
)

// WhyNot tells what two classes lack to be equal: of all ways to match a node of one with a node of the
// other operator by operator, down to a few levels, the one that leaves the smallest terms to be
// equated. After a million comparisons it tells the smallest that it has found, and that it was cut.
func (g *EGraph) WhyNot(a, b ID) (*Difference, error) {
	if err := g.enter("WhyNot", a, b); err != nil {
		return nil, err
	}
	defer g.leave()
	x, err := g.newExtractor(ASTSize)
	if err != nil {
		return nil, err
	}
	d := &Difference{Equal: g.same(a, b)}
	for at, id := range map[**term.Term]ID{&d.A: a, &d.B: b} {
		best, err := x.bestOf(id)
		if err != nil {
			return nil, err
		}
		*at = best.Term
	}
	if d.Equal {
		return d, nil
	}
	var called interruption
	called.listen()
	defer called.leave()
	w := &whyNot{g: g, x: x, index: g.index(), memo: map[gapKey]gap{}, interrupted: &called.called}
	pairs := w.deepen(uint32(g.findID(a)), uint32(g.findID(b)))
	if called.called.Load() {
		return nil, &InterruptedError{"WhyNot"}
	}
	d.Cut = w.steps >= whyNotSteps
	for _, p := range pairs {
		d.Pairs = append(d.Pairs, w.pair(p))
	}
	return d, nil
}

// A gap is what keeps two classes apart: the size of the terms to be equated, and the nodes whose children
// they are of, unless the two classes are to be equated themselves.
type gap struct {
	size   float64
	m, n   entry
	inside bool
}

type gapKey struct{ a, b, depth uint32 }

type whyNot struct {
	g           *EGraph
	x           *Extractor
	index       *classIndex
	memo        map[gapKey]gap
	steps       int
	interrupted *atomic.Bool
}

// deepen compares two classes deeper and deeper, so that what a cut search has found is of all nodes at the top.
func (w *whyNot) deepen(a, b uint32) [][2]uint32 {
	least, at := math.Inf(1), gapKey{}
	for depth := uint32(0); depth <= whyNotDepth && !w.late(); depth++ {
		if found := w.gap(a, b, depth); found.size < least {
			least, at = found.size, gapKey{a, b, depth}
		}
	}
	return w.pairs(at, map[gapKey]bool{}, nil)
}

// late reports whether the search is to end.
func (w *whyNot) late() bool {
	if w.steps%look == 0 && w.interrupted.Load() {
		w.steps = whyNotSteps
	}
	return w.steps >= whyNotSteps
}

// gap compares two classes node by node; equating the two themselves is always a way.
func (w *whyNot) gap(a, b, depth uint32) gap {
	if a == b {
		return gap{}
	}
	key := gapKey{a, b, depth}
	if found, ok := w.memo[key]; ok {
		return found
	}
	best := gap{size: w.x.Cost(ID(a)) + w.x.Cost(ID(b))}
	if depth > 0 {
		for _, m := range w.index.of(a) {
			for _, n := range sameOperator(w.index.of(b), m.op) {
				if w.steps++; w.late() {
					w.memo[key] = best
					return best
				}
				if size := w.children(m, n, depth, best.size); size < best.size {
					best = gap{size, m, n, true}
				}
			}
		}
	}
	w.memo[key] = best
	return best
}

// sameOperator are the rows of a class that are of an operator: they lie together.
func sameOperator(rows []entry, op uint32) []entry {
	from := slices.IndexFunc(rows, func(e entry) bool { return e.op == op })
	if op == leafOp || from < 0 {
		return nil
	}
	to := from
	for to < len(rows) && rows[to].op == op {
		to++
	}
	return rows[from:to]
}

// children adds up the gaps between the children of two nodes, as long as they stay below a limit.
func (w *whyNot) children(m, n entry, depth uint32, limit float64) float64 {
	left, right := w.kids(m), w.kids(n)
	sum := 0.0
	for i, k := range left {
		if sum += w.gap(w.g.uf.find(k), w.g.uf.find(right[i]), depth-1).size; sum >= limit {
			break
		}
	}
	return sum
}

func (w *whyNot) kids(e entry) []uint32 { return w.g.node(e.op, e.row).kids() }

// pairs lists what a gap leaves to be equated, each pair once.
func (w *whyNot) pairs(key gapKey, seen map[gapKey]bool, list [][2]uint32) [][2]uint32 {
	if key.a == key.b || seen[key] {
		return list
	}
	seen[key] = true
	found := w.memo[key]
	if !found.inside {
		if pair := [2]uint32{key.a, key.b}; !slices.Contains(list, pair) {
			list = append(list, pair)
		}
		return list
	}
	right := w.kids(found.n)
	for i, k := range w.kids(found.m) {
		list = w.pairs(gapKey{w.g.uf.find(k), w.g.uf.find(right[i]), key.depth - 1}, seen, list)
	}
	return list
}

func (w *whyNot) pair(p [2]uint32) Pair {
	out := Pair{A: ID(p[0]), B: ID(p[1])}
	out.TermA, _ = w.x.term(out.A) // what has none is in no smallest gap
	out.TermB, _ = w.x.term(out.B)
	numA, okA := w.number(out.A)
	numB, okB := w.number(out.B)
	out.ConstantsDiffer = okA && okB && numA != numB
	return out
}

func (w *whyNot) number(id ID) (term.Atom, bool) {
	for _, n := range w.g.nodesOf(id) {
		if n.IsLeaf() && n.Leaf().IsNumber() {
			return n.Leaf(), true
		}
	}
	return term.Atom{}, false
}
