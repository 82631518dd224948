package egraph

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A CostFunc is the cost of a node given the costs of its children. It must not be less than any of
// them, and grow when they do.
type CostFunc func(n Node, children []float64) float64

// ASTSize counts operators and leaves.
func ASTSize(_ Node, children []float64) float64 {
	sum := 1.0
	for _, k := range children {
		sum += k
	}
	return sum
}

// ASTDepth is the depth of the term.
func ASTDepth(_ Node, children []float64) float64 {
	deepest := 0.0
	for _, k := range children {
		deepest = max(deepest, k)
	}
	return deepest + 1
}

// OpCosts is the cost function that adds up a cost for each operator or leaf by name; 1 for others.
func OpCosts(costs map[string]float64) CostFunc {
	return func(n Node, kids []float64) float64 {
		sum, ok := costs[n.Op()]
		if !ok {
			sum = 1
		}
		for _, k := range kids {
			sum += k
		}
		return sum
	}
}

// An Extraction is a term of a class and what it costs.
type Extraction struct {
	Class ID
	Term  *term.Term
	Cost  float64
}

// String is the term.
func (e *Extraction) String() string {
	if e == nil {
		panic(&ArgumentError{"Extraction.String", "the extraction", "nil", "one"})
	}
	return e.Term.String()
}

// A NoTermError is a class from which no term of finite cost and size can be taken.
type NoTermError struct {
	Class  ID
	Reason string
}

func (e *NoTermError) Error() string {
	return fmt.Sprintf("egraph: no term can be extracted from class %d: %s", e.Class, e.Reason)
}

// Extract returns the cheapest term of a class by a cost function over trees, such as ASTSize. Among
// equals the first row wins, so the answer is the same every time. Where the class has no term of
// finite cost it is a *NoTermError.
func (g *EGraph) Extract(id ID, cost CostFunc) (*Extraction, error) {
	if err := g.enter("Extract", id); err != nil {
		return nil, err
	}
	defer g.leave()
	x, err := g.newExtractor(cost)
	if err != nil {
		return nil, err
	}
	return x.bestOf(id)
}

// MustExtract is Extract where a term is known to be there; it panics where Extract fails.
func (g *EGraph) MustExtract(id ID, cost CostFunc) *Extraction {
	e, err := g.Extract(id, cost)
	if err != nil {
		panic(err)
	}
	return e
}

// An Extractor holds the cheapest node of every class, for many extractions from one graph. It is good
// until the graph changes.
type Extractor struct {
	g       *EGraph
	version uint64
	cost    CostFunc
	costs   []float64 // by class; +Inf where there is no term
	best    []entry
	kids    []float64 // costs of the children of the row that is priced
	uses    *uses     // while the extractor is made and passes did not do

	interrupted *atomic.Bool
}

// NewExtractor finds the cheapest term of every class: relaxation in passes over the columns, until a
// pass changes nothing (Bellman-Ford over the grammar), and the cheapest first where that would take long
// (Knuth 1977 for why that is right for monotone costs). A cost function that falls along a cycle is a
// *CostError, one that panics a *CallbackError, one that changes the graph a *ChangedError.
func (g *EGraph) NewExtractor(cost CostFunc) (*Extractor, error) {
	if err := g.enter("NewExtractor"); err != nil {
		return nil, err
	}
	defer g.leave()
	return g.newExtractor(cost)
}

func (g *EGraph) newExtractor(cost CostFunc) (*Extractor, error) {
	if cost == nil {
		return nil, &ArgumentError{"NewExtractor", "the cost function", "nil", "one, such as ASTSize"}
	}
	if err := g.rebuilt(); err != nil {
		return nil, err
	}
	var called interruption
	called.listen()
	defer called.leave()
	n := len(g.uf.parent)
	x := &Extractor{g: g, version: g.version, cost: cost, costs: make([]float64, n), best: make([]entry, n),
		interrupted: &called.called}
	for i := range x.costs {
		x.costs[i] = math.Inf(1)
	}
	var falls error
	err := g.guardCosts(func() { falls = x.find() })
	switch {
	case g.version != x.version:
		return nil, &ChangedError{"the cost function"}
	case err != nil:
		return nil, err
	case falls != nil:
		return nil, falls
	case called.called.Load():
		return nil, &InterruptedError{"an extraction"}
	}
	return x, nil
}

func (x *Extractor) find() error {
	for range usualPasses {
		if !x.pass() || x.interrupted.Load() {
			return nil
		}
	}
	return x.settle()
}

// pass prices every row and reports whether a class became cheaper.
func (x *Extractor) pass() bool {
	changed, rows, stopped := false, 0, false
	x.g.eachRow(func(op, row, class uint32) {
		if rows++; rows%look == 0 {
			stopped = stopped || x.interrupted.Load()
		}
		if !stopped {
			changed = x.price(x.g.node(op, row), class) || changed
		}
	})
	return changed
}

// price reports whether a row makes its class cheaper than it was.
func (x *Extractor) price(n Node, class uint32) bool {
	kids := x.kids[:0]
	for _, k := range n.kids() {
		if x.g.matching { // only then are children not canonical
			k = x.g.uf.find(k)
		}
		c := x.costs[k]
		if math.IsInf(c, 1) {
			return false
		}
		kids = append(kids, c)
	}
	x.kids = kids
	c := x.cost(n, kids)
	if !(c < x.costs[class]) {
		return false
	}
	x.costs[class], x.best[class] = c, entry{n.op, n.row}
	return true
}

// node is the cheapest node of a class.
func (x *Extractor) node(class uint32) Node {
	e := x.best[class]
	return x.g.node(e.op, e.row)
}

// sound refuses an extractor of no graph, and one whose graph changed.
func (x *Extractor) sound() error {
	if x == nil || x.g == nil {
		return &ArgumentError{"Extractor", "the extractor", "nil or zero", "one that NewExtractor made"}
	}
	if x.version != x.g.version {
		return &StaleError{"an Extractor", "the graph changed since; make another"}
	}
	return nil
}

// Cost is the cost of the cheapest term of a class, +Inf where there is none. It panics with a *StaleError where the
// graph has changed.
func (x *Extractor) Cost(id ID) float64 {
	if err := x.sound(); err != nil {
		panic(err)
	}
	if int(id) >= len(x.costs) {
		return math.Inf(1)
	}
	return x.costs[x.g.uf.root(uint32(id))]
}

// Best gives the cheapest term of a class.
func (x *Extractor) Best(id ID) (*Extraction, error) {
	if err := x.sound(); err != nil {
		return nil, err
	}
	if err := x.g.enter("Extractor.Best", id); err != nil {
		return nil, err
	}
	defer x.g.leave()
	return x.bestOf(id)
}

func (x *Extractor) bestOf(id ID) (*Extraction, error) {
	cost := x.costs[x.g.uf.find(uint32(id))]
	if math.IsNaN(cost) || math.IsInf(cost, 0) {
		return nil, &NoTermError{id, "every node of it leads back to it or costs too much"}
	}
	t, err := x.term(id)
	if err != nil {
		return nil, err
	}
	return &Extraction{Class: id, Term: t, Cost: cost}, nil
}

// term builds the cheapest term of a class. Classes that it needs more than once are one shared value,
// as the tree can be exponentially larger than the graph.
func (x *Extractor) term(id ID) (*term.Term, error) {
	b := termBuilder{made: map[uint32]*term.Term{}}
	t := b.build(x.g.uf.find(uint32(id)), func(class uint32) (Node, []uint32) {
		n := x.node(class)
		kids := make([]uint32, n.Arity())
		for i, k := range n.kids() {
			kids[i] = x.g.uf.find(k)
		}
		return n, kids
	})
	if t == nil {
		return nil, &NoTermError{id, "the cost function makes a node cheaper than its child"}
	}
	return t, nil
}

// A termBuilder makes terms of nodes, children first and without recursion, as a term may be as deep as the graph
// is large.
type termBuilder struct {
	made map[uint32]*term.Term // by part; nil while its children are made
}

// build makes the term of a part, nil where it stands on itself; node gives a part's node and the parts of its
// children.
func (b *termBuilder) build(root uint32, node func(part uint32) (Node, []uint32)) *term.Term {
	type stand struct {
		part uint32
		n    Node
		kids []uint32
		next int
	}
	var path []stand
	enter := func(part uint32) {
		n, kids := node(part)
		b.made[part] = nil
		path = append(path, stand{part: part, n: n, kids: kids})
	}
	if t := b.made[root]; t != nil {
		return t
	}
	for enter(root); len(path) > 0; {
		at := &path[len(path)-1]
		if at.next == len(at.kids) {
			b.made[at.part] = b.term(at.n, at.kids)
			path = path[:len(path)-1]
			continue
		}
		k := at.kids[at.next]
		at.next++
		t, seen := b.made[k]
		switch {
		case !seen:
			enter(k)
		case t == nil:
			return nil
		}
	}
	return b.made[root]
}

func (b *termBuilder) term(n Node, kids []uint32) *term.Term {
	if n.IsLeaf() {
		return term.Leaf(n.Leaf())
	}
	t := &term.Term{Op: n.Op(), Children: make([]*term.Term, len(kids))}
	for i, k := range kids {
		t.Children[i] = b.made[k]
	}
	return t
}
