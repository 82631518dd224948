package egraph

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A NodeCost is the cost of one node without its children, at least 0. A DAG pays it once however often
// the node is used.
type NodeCost func(n Node) float64

// OneEach costs 1 for every node.
func OneEach(Node) float64 { return 1 }

// A DAGExtraction is a choice of one node for each class that a root needs, without cycles.
type DAGExtraction struct {
	Extraction         // Cost is that of the DAG; Term shares what the DAG shares
	Bound      float64 // no choice costs less
	Optimal    bool    // Cost is Bound, but for the rounding of sums of costs
	Nodes      int     // nodes chosen
}

// ExtractDAG gives the cheapest DAG of a class that it finds within the limit: the best tree's nodes
// and a greedy choice to begin with, then branch and bound. Where time runs out, Bound says how much
// better the best could be. Finding the optimum is NP-hard. To look at the part of the graph below the class
// and to choose the best tree's nodes comes before all that, and takes time in proportion to that part whatever
// the limit. A node that costs +Inf is never chosen; a cost below 0 or NaN is a *CostError.
func (g *EGraph) ExtractDAG(id ID, cost NodeCost, limit time.Duration) (*DAGExtraction, error) {
	var called interruption
	called.listen()
	defer called.leave()
	d := &dagSearch{dagGraph: dagGraph{g: g, interrupted: &called.called}, deadline: time.Now().Add(limit), every: look}
	return d.extract(id, cost)
}

func (d *dagSearch) extract(id ID, cost NodeCost) (*DAGExtraction, error) {
	g := d.g
	if err := g.enter("ExtractDAG", id); err != nil {
		return nil, err
	}
	defer g.leave()
	if cost == nil {
		return nil, &ArgumentError{"ExtractDAG", "the cost function", "nil", "one, such as OneEach"}
	}
	if err := g.rebuilt(); err != nil {
		return nil, err
	}
	version := g.version
	var refused error
	err := g.guardCosts(func() { refused = d.load(g.uf.find(uint32(id)), cost) })
	switch {
	case g.version != version:
		return nil, &ChangedError{"the cost function"}
	case err != nil:
		return nil, err
	case refused != nil:
		return nil, refused
	case d.begin():
		return d.answer(id)
	case d.interrupted.Load():
		return nil, &InterruptedError{"ExtractDAG"}
	}
	return nil, &NoTermError{id, "every node of it leads back to it or costs too much"}
}

// answer improves the first choice and returns the best.
func (d *dagSearch) answer(id ID) (*DAGExtraction, error) {
	lower := d.lower()
	if d.bestCost > lower {
		d.improve()
	}
	if d.bestCost > lower {
		d.search()
	}
	if math.IsInf(d.bestCost, 1) {
		return nil, &NoTermError{id, "every choice that was found costs more than float64 holds"}
	}
	out := &DAGExtraction{Extraction: Extraction{Class: id, Cost: d.bestCost}, Bound: d.bestCost}
	if d.outOfTime {
		out.Bound = min(lower, d.bestCost)
	}
	out.Optimal = out.Bound >= out.Cost
	order := d.order(d.best)
	out.Nodes, out.Term = len(order), d.term(order)
	return out, nil
}

// A dagNode is a node that may be chosen.
type dagNode struct {
	at    entry
	class int32
	cost  float64
	kids  []int32 // classes, distinct, ascending
}

// A dagGraph is the classes below a root, numbered from 0, the root first.
type dagGraph struct {
	g           *EGraph
	number      []int32 // by id: its class's number + 1
	ids         []uint32
	nodes       []dagNode
	first       []int32   // nodes of class c are nodes[first[c]:first[c+1]], the cheapest first
	path        []float64 // by class, a lower bound of the cost of a DAG of it: the cheapest path down to leaves
	interrupted interface{ Load() bool }
}

func (d *dagGraph) of(c int32) []dagNode { return d.nodes[d.first[c]:d.first[c+1]] }

// load numbers the classes that the root can reach and prices their nodes.
func (d *dagGraph) load(root uint32, cost NodeCost) error {
	x := d.g.index()
	d.number = make([]int32, len(d.g.uf.parent))
	d.numberOf(root)
	for c := 0; c < len(d.ids); c++ {
		if c%look == 0 && d.interrupted.Load() {
			return &InterruptedError{"ExtractDAG"}
		}
		d.first = append(d.first, int32(len(d.nodes)))
		for _, e := range x.of(d.ids[c]) {
			if err := d.addNode(int32(c), d.g.node(e.op, e.row), cost); err != nil {
				return err
			}
		}
		slices.SortStableFunc(d.nodes[d.first[c]:], func(a, b dagNode) int { return cmp.Compare(a.cost, b.cost) })
	}
	d.first = append(d.first, int32(len(d.nodes)))
	return nil
}

func (d *dagGraph) numberOf(id uint32) int32 {
	class := d.g.uf.find(id)
	if d.number[class] == 0 {
		d.ids = append(d.ids, class)
		d.number[class] = int32(len(d.ids))
	}
	return d.number[class] - 1
}

func (d *dagGraph) addNode(class int32, n Node, cost NodeCost) error {
	dn := dagNode{at: entry{n.op, n.row}, class: class, cost: cost(n)}
	if !(dn.cost >= 0) {
		return &CostError{Node: n.String(), Class: n.Class(), Cost: dn.cost, Reason: "a node of a DAG costs at least 0"}
	}
	kids := n.kids()
	dn.kids = make([]int32, len(kids))
	for i, k := range kids {
		dn.kids[i] = d.numberOf(k)
	}
	slices.Sort(dn.kids)
	if dn.kids = slices.Compact(dn.kids); math.IsInf(dn.cost, 1) || slices.Contains(dn.kids, class) {
		return nil // it is never chosen; its children are looked at in vain
	}
	d.nodes = append(d.nodes, dn)
	return nil
}

// begin finds the bounds and the best tree's nodes, the first choice; false where there is none.
func (d *dagSearch) begin() bool {
	up := d.over()
	var choice []int32
	d.path, choice = d.cheapest(up, func(n *dagNode, value []float64) float64 {
		longest := 0.0
		for _, k := range n.kids {
			longest = max(longest, value[k])
		}
		return n.cost + longest
	})
	if choice[0] < 0 || d.interrupted.Load() {
		return false
	}
	_, d.best = d.cheapest(up, func(n *dagNode, value []float64) float64 {
		sum := n.cost
		for _, k := range n.kids {
			sum += value[k]
		}
		return sum
	})
	if d.interrupted.Load() { // the values may be those of a part
		return false
	}
	d.bestCost = d.costOf(d.best)
	d.keepPossible(choice)
	return true
}

// over lists, by class, the nodes that have it as a child.
func (d *dagGraph) over() (up [][]int32) {
	counts, sum := make([]int32, len(d.ids)), 0
	for _, n := range d.nodes {
		sum += len(n.kids)
		for _, k := range n.kids {
			counts[k]++
		}
	}
	all := make([]int32, 0, sum)
	up = make([][]int32, len(d.ids))
	for c, n := range counts {
		up[c] = all[len(all) : len(all) : len(all)+int(n)]
		all = all[:len(all)+int(n)]
	}
	for i, n := range d.nodes {
		for _, k := range n.kids {
			up[k] = append(up[k], int32(i))
		}
	}
	return up
}

// cheapest gives, by class, the least value and the place among the class's nodes of the first node that has it,
// -1 where every node leads back; value must not be less than that of a child. Classes are settled the
// cheapest first (Knuth 1977), so a node is chosen after its children and no choice closes a cycle.
func (d *dagGraph) cheapest(up [][]int32, value func(n *dagNode, value []float64) float64) ([]float64, []int32) {
	values, choice := make([]float64, len(d.ids)), make([]int32, len(d.ids))
	for c := range values {
		values[c], choice[c] = math.Inf(1), -1
	}
	missing := make([]int32, len(d.nodes))
	settled, q := newBitset(len(d.ids)), costQueue{}
	offer := func(i int32) {
		n := &d.nodes[i]
		// A sum that passes float64 is still one that can be chosen.
		v, place := min(value(n, values), math.MaxFloat64), i-d.first[n.class]
		if !settled.has(uint32(n.class)) && (v < values[n.class] || v == values[n.class] && place < choice[n.class]) {
			values[n.class], choice[n.class] = v, place
			q.push(v, uint32(n.class))
		}
	}
	for i := range d.nodes {
		if missing[i] = int32(len(d.nodes[i].kids)); missing[i] == 0 {
			offer(int32(i))
		}
	}
	for steps := 1; len(q) > 0; steps++ {
		if steps%look == 0 && d.interrupted.Load() {
			break // classes are left without a choice
		}
		_, c := q.pop()
		if settled.has(c) {
			continue
		}
		settled.set(c)
		for _, i := range up[c] {
			if missing[i]--; missing[i] == 0 {
				offer(i)
			}
		}
	}
	return values, choice
}

// keepPossible forgets the nodes that need a class without a choice.
func (d *dagSearch) keepPossible(choice []int32) {
	to := int32(0)
	for c := range d.ids {
		nodes := d.of(int32(c))
		d.first[c] = to
		chosen := d.best[c]
		for i, n := range nodes {
			if int32(i) == chosen {
				d.best[c] = to - d.first[c]
			}
			if !slices.ContainsFunc(n.kids, func(k int32) bool { return choice[k] < 0 }) {
				d.nodes[to] = n
				to++
			}
		}
	}
	d.nodes, d.first[len(d.ids)] = d.nodes[:to], to
}

// term builds the best DAG as a term whose equal parts are one value, of classes that stand children first.
func (d *dagSearch) term(order []int32) *term.Term {
	made := make([]*term.Term, len(d.ids))
	for _, c := range order {
		at := d.of(c)[d.best[c]].at
		n := d.g.node(at.op, at.row)
		if n.IsLeaf() {
			made[c] = term.Leaf(n.Leaf())
			continue
		}
		t := &term.Term{Op: n.Op(), Children: make([]*term.Term, n.Arity())}
		for i, k := range n.kids() {
			t.Children[i] = made[d.numberOf(k)]
		}
		made[c] = t
	}
	return made[0]
}
