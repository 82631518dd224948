package egraph

import (
	"fmt"
	"math"
)

// A CostFunc is the cost of a node given the costs of its children. It must not be less than any of
// them, and grow when they do.
type CostFunc func(n Node, kids []float64) float64

// AstSize counts operators and leaves.
func AstSize(_ Node, kids []float64) float64 {
	sum := 1.0
	for _, k := range kids {
		sum += k
	}
	return sum
}

// AstDepth is the depth of the term.
func AstDepth(_ Node, kids []float64) float64 {
	deepest := 0.0
	for _, k := range kids {
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
	Term  *Term
	Cost  float64
	Err   error // nil where there is a term
}

// String is the term.
func (e *Extraction) String() string {
	if e.Err != nil {
		return e.Err.Error()
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

// Extract gives the cheapest term of a class by AstSize.
func (g *EGraph) Extract(id ID) *Extraction { return g.ExtractBy(id, AstSize) }

// ExtractBy gives the cheapest term of a class by a cost function over trees. Among equals the first
// row wins, so the answer is the same every time.
func (g *EGraph) ExtractBy(id ID, cost CostFunc) *Extraction {
	if err := g.check("Extract", id); err != nil {
		return &Extraction{Class: id, Err: err}
	}
	x, err := g.NewExtractor(cost)
	if err != nil {
		return &Extraction{Class: id, Err: err}
	}
	return x.Best(id)
}

// An Extractor holds the cheapest node of every class, for many extractions from one graph. It is good
// until the graph changes.
type Extractor struct {
	g     *EGraph
	cost  CostFunc
	costs []float64 // by class; +Inf where there is no term
	best  []entry
}

// NewExtractor finds the cheapest term of every class: relaxation in passes over the columns, until a
// pass changes nothing (Bellman-Ford over the grammar; Knuth 1977 for why that is right for
// monotone costs).
func (g *EGraph) NewExtractor(cost CostFunc) (*Extractor, error) {
	g.Rebuild()
	x := &Extractor{g: g, cost: cost, costs: make([]float64, len(g.uf.parent)), best: make([]entry, len(g.uf.parent))}
	for i := range x.costs {
		x.costs[i] = math.Inf(1)
	}
	err := g.guard("cost function", func() {
		for x.pass() {
		}
	})
	return x, err
}

// pass relaxes every row and says whether a class became cheaper.
func (x *Extractor) pass() bool {
	changed := false
	var buffer []float64
	x.g.eachRow(func(op, row, class uint32) {
		n := Node{x.g, op, row}
		kids := buffer[:0]
		for _, k := range n.kids() {
			kids = append(kids, x.costs[k])
		}
		buffer = kids
		for _, k := range kids {
			if math.IsInf(k, 1) {
				return
			}
		}
		if c := x.cost(n, kids); c < x.costs[class] {
			x.costs[class], x.best[class] = c, entry{op, row}
			changed = true
		}
	})
	return changed
}

// Cost is the cost of the cheapest term of a class, +Inf where there is none.
func (x *Extractor) Cost(id ID) float64 {
	if int(id) >= len(x.costs) {
		return math.Inf(1)
	}
	return x.costs[x.g.uf.find(uint32(id))]
}

// Best gives the cheapest term of a class.
func (x *Extractor) Best(id ID) *Extraction {
	e := &Extraction{Class: id, Cost: x.Cost(id)}
	switch {
	case math.IsNaN(e.Cost) || math.IsInf(e.Cost, 0):
		e.Err = &NoTermError{id, "every node of it leads back to it or costs too much"}
	default:
		e.Term, e.Err = x.term(id)
	}
	return e
}

// term builds the cheapest term of a class. Classes that it needs more than once are one shared value,
// as the tree can be exponentially larger than the graph.
func (x *Extractor) term(id ID) (*Term, error) {
	made := map[uint32]*Term{}
	open := map[uint32]bool{}
	var build func(class uint32) (*Term, error)
	build = func(class uint32) (*Term, error) {
		if t := made[class]; t != nil {
			return t, nil
		}
		if open[class] {
			return nil, &NoTermError{id, "the cost function makes a node cheaper than its child"}
		}
		if len(open) > maxDepth {
			return nil, &NoTermError{id, fmt.Sprintf("its term nests deeper than %d", maxDepth)}
		}
		open[class] = true
		e := x.best[class]
		n := Node{x.g, e.op, e.row}
		t := &Term{Leaf: n.Leaf()}
		if !n.IsLeaf() {
			t.Op = n.Op()
		}
		for _, k := range n.kids() {
			arg, err := build(k)
			if err != nil {
				return nil, err
			}
			t.Args = append(t.Args, arg)
		}
		delete(open, class)
		made[class] = t
		return t, nil
	}
	return build(x.g.uf.find(uint32(id)))
}
