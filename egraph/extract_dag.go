package egraph

import (
	"math"
	"slices"
	"time"
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
	Optimal    bool    // Cost is Bound
	Nodes      int     // nodes chosen
}

// ExtractDAG gives the cheapest DAG of a class that it finds within the limit: the best tree's nodes
// and a greedy choice to begin with, then branch and bound. Where time runs out, Bound says how much
// better the best could be. Finding the optimum is NP-hard.
func (g *EGraph) ExtractDAG(id ID, cost NodeCost, limit time.Duration) *DAGExtraction {
	out := &DAGExtraction{Extraction: Extraction{Class: id}}
	if out.Err = g.check("ExtractDAG", id); out.Err != nil {
		return out
	}
	g.Rebuild()
	d := &dagSearch{g: g, root: g.uf.find(uint32(id)), deadline: time.Now().Add(limit)}
	var refused error
	if out.Err = g.guard("cost function", func() { refused = d.load(cost) }); out.Err == nil {
		out.Err = refused
	}
	if out.Err != nil {
		return out
	}
	d.greedy()
	if d.best == nil {
		out.Err = &NoTermError{id, "every node of it leads back to it or costs too much"}
		return out
	}
	d.search()
	out.Cost, out.Bound, out.Optimal = d.bestCost, d.bestCost, !d.outOfTime
	if d.outOfTime {
		out.Bound = min(d.lower(), d.bestCost)
		out.Optimal = out.Bound >= out.Cost
	}
	out.Term = d.term(out)
	return out
}

// A dagSearch works on the classes below a root, numbered from 0, the root first.
type dagSearch struct {
	g         *EGraph
	root      uint32
	number    map[uint32]int
	classes   [][]dagNode
	least     []float64 // by class, of its cheapest node
	path      []float64 // by class, a lower bound of the cost of a DAG of it
	best      []int     // by class, the node chosen, -1 for none
	bestCost  float64
	deadline  time.Time
	outOfTime bool
	steps     int

	chosen []int
	needed []int // how often a class is a child of a chosen node, the root once more
	open   []int // classes that are needed and not chosen yet
	cost   float64
}

type dagNode struct {
	at   entry
	cost float64
	kids []int // distinct
}

// load numbers the classes that the root can reach and prices their nodes.
func (d *dagSearch) load(cost NodeCost) error {
	x := d.g.index()
	d.number = map[uint32]int{d.root: 0}
	queue := []uint32{d.root}
	for len(queue) > 0 {
		class := queue[0]
		queue = queue[1:]
		var nodes []dagNode
		for _, e := range x.of(class) {
			n := Node{d.g, e.op, e.row}
			dn := dagNode{at: e, cost: cost(n)}
			if !(dn.cost >= 0) {
				return &NoTermError{ID(class), "the cost of " + n.String() + " is not at least 0"}
			}
			for _, k := range n.kids() {
				if _, seen := d.number[k]; !seen {
					d.number[k] = len(d.number)
					queue = append(queue, k)
				}
				dn.kids = append(dn.kids, d.number[k])
			}
			slices.Sort(dn.kids)
			dn.kids = slices.Compact(dn.kids)
			nodes = append(nodes, dn)
		}
		d.classes = append(d.classes, nodes)
	}
	d.bounds()
	return nil
}

// bounds finds, by class, the cheapest node and the cheapest path down to leaves, which any DAG has.
func (d *dagSearch) bounds() {
	d.least, d.path = make([]float64, len(d.classes)), make([]float64, len(d.classes))
	for c, nodes := range d.classes {
		d.least[c], d.path[c] = math.Inf(1), math.Inf(1)
		slices.SortStableFunc(nodes, func(a, b dagNode) int { return compareFloat(a.cost, b.cost) })
		if len(nodes) > 0 {
			d.least[c] = nodes[0].cost
		}
	}
	for changed := true; changed; {
		changed = false
		for c, nodes := range d.classes {
			for _, n := range nodes {
				longest := 0.0
				for _, k := range n.kids {
					longest = max(longest, d.path[k])
				}
				if v := n.cost + longest; v < d.path[c] {
					d.path[c], changed = v, true
				}
			}
		}
	}
}

// greedy starts from the best trees, then lets each class choose again by what its node adds to a DAG
// whose sets of classes are known (as the greedy-dag extractor of extraction-gym).
func (d *dagSearch) greedy() {
	n := len(d.classes)
	tree := make([]float64, n)
	choice := make([]int, n)
	for c := range tree {
		tree[c], choice[c] = math.Inf(1), -1
	}
	for changed := true; changed; {
		changed = false
		for c, nodes := range d.classes {
			for i, nd := range nodes {
				sum := nd.cost
				for _, k := range nd.kids {
					sum += tree[k]
				}
				// The small addition keeps nodes that cost nothing from choosing a cycle.
				if sum = sum*(1+1e-12) + 1e-9; sum < tree[c] {
					tree[c], choice[c], changed = sum, i, true
				}
			}
		}
	}
	if choice[0] < 0 {
		return
	}
	d.adopt(choice)
	for d.improve(choice) && time.Now().Before(d.deadline) {
		d.adopt(choice)
	}
}

// adopt takes a choice as the best if it is.
func (d *dagSearch) adopt(choice []int) {
	if cost, ok := d.costOf(choice); ok && (d.best == nil || cost < d.bestCost) {
		d.best, d.bestCost = slices.Clone(choice), cost
	}
}

// costOf adds up the nodes that the root needs; false where they form a cycle.
func (d *dagSearch) costOf(choice []int) (float64, bool) {
	state := make([]uint8, len(d.classes))
	sum := 0.0
	var walk func(c int) bool
	walk = func(c int) bool {
		if state[c] != 0 {
			return state[c] == 2
		}
		if choice[c] < 0 {
			return false
		}
		state[c] = 1
		n := &d.classes[c][choice[c]]
		sum += n.cost
		for _, k := range n.kids {
			if !walk(k) {
				return false
			}
		}
		state[c] = 2
		return true
	}
	ok := walk(0)
	return sum, ok
}

// improve tries, for each class the root needs, every other node, and keeps what makes the DAG cheaper.
func (d *dagSearch) improve(choice []int) bool {
	now, ok := d.costOf(choice)
	if !ok {
		return false
	}
	better := false
	for c := range d.classes {
		if len(d.classes[c]) < 2 || len(d.classes) > 20_000 {
			continue
		}
		for i := range d.classes[c] {
			old := choice[c]
			if i == old {
				continue
			}
			choice[c] = i
			if cost, ok := d.costOf(choice); ok && cost < now-1e-12 {
				now, better = cost, true
				continue
			}
			choice[c] = old
			if d.late() {
				return better
			}
		}
	}
	return better
}

func (d *dagSearch) late() bool {
	if d.steps++; d.steps%256 == 0 && time.Now().After(d.deadline) {
		d.outOfTime = true
	}
	return d.outOfTime
}

// lower is a bound for the root that needs no search: its cheapest path, or what all choices share.
func (d *dagSearch) lower() float64 {
	forced := 0.0
	seen := map[int]bool{}
	for c := []int{0}; len(c) > 0; c = c[1:] {
		if seen[c[0]] {
			continue
		}
		seen[c[0]] = true
		forced += d.least[c[0]]
		c = append(c, d.sharedKids(c[0])...)
	}
	return max(d.path[0], forced)
}

// sharedKids are the classes that every node of a class has as children.
func (d *dagSearch) sharedKids(c int) []int {
	nodes := d.classes[c]
	var shared []int
	for _, k := range nodes[0].kids {
		if !slices.ContainsFunc(nodes[1:], func(n dagNode) bool { return !slices.Contains(n.kids, k) }) {
			shared = append(shared, k)
		}
	}
	return shared
}

// search is branch and bound over the classes that are needed: it chooses for the open class with the
// fewest nodes, cheapest node first, and leaves a branch whose cost and bound reach the best's.
func (d *dagSearch) search() {
	d.chosen, d.needed = make([]int, len(d.classes)), make([]int, len(d.classes))
	for c := range d.chosen {
		d.chosen[c] = -1
	}
	d.needed[0] = 1
	d.open = []int{0}
	d.branch(0)
}

// maxBranch bounds the depth of the search, a level a class.
const maxBranch = 20_000

func (d *dagSearch) branch(depth int) {
	if d.late() || depth > maxBranch {
		d.outOfTime = true
		return
	}
	if len(d.open) == 0 {
		d.best, d.bestCost = slices.Clone(d.chosen), d.cost
		return
	}
	ahead, deepest, pick := 0.0, 0.0, 0
	for i, c := range d.open {
		ahead += d.least[c]
		deepest = max(deepest, d.path[c])
		if len(d.classes[c]) < len(d.classes[d.open[pick]]) {
			pick = i
		}
	}
	// A path may run through classes that are chosen already, so it bounds only an empty choice.
	if d.cost == 0 && len(d.open) == 1 {
		ahead = max(ahead, deepest)
	}
	if d.cost+ahead >= d.bestCost-1e-12 {
		return
	}
	c := d.open[pick]
	saved := slices.Clone(d.open)
	for i := range d.classes[c] {
		d.open = append(d.open[:0], saved...)
		d.open = slices.Delete(d.open, pick, pick+1)
		d.try(c, i, depth)
		if d.outOfTime {
			return
		}
	}
	d.open = append(d.open[:0], saved...)
}

// try chooses node i for class c and searches on.
func (d *dagSearch) try(c, i, depth int) {
	n := &d.classes[c][i]
	for _, k := range n.kids {
		if k == c || d.reaches(k, c, map[int]bool{}) {
			return
		}
	}
	d.chosen[c] = i
	before := d.cost
	d.cost += n.cost
	for _, k := range n.kids {
		if d.needed[k]++; d.needed[k] == 1 {
			d.open = append(d.open, k)
		}
	}
	d.branch(depth + 1)
	for _, k := range n.kids {
		d.needed[k]--
	}
	d.cost, d.chosen[c] = before, -1
}

// reaches says whether the chosen nodes lead from one class to another.
func (d *dagSearch) reaches(from, to int, seen map[int]bool) bool {
	if from == to {
		return true
	}
	if d.chosen[from] < 0 || seen[from] {
		return false
	}
	seen[from] = true
	for _, k := range d.classes[from][d.chosen[from]].kids {
		if d.reaches(k, to, seen) {
			return true
		}
	}
	return false
}

// term builds the chosen DAG as a term whose equal parts are one value.
func (d *dagSearch) term(out *DAGExtraction) *Term {
	made := map[int]*Term{}
	var build func(c int) *Term
	build = func(c int) *Term {
		if t := made[c]; t != nil {
			return t
		}
		n := d.classes[c][d.best[c]].at
		node := Node{d.g, n.op, n.row}
		t := &Term{Leaf: node.Leaf()}
		if !node.IsLeaf() {
			t.Op = node.Op()
		}
		for _, k := range node.kids() {
			t.Args = append(t.Args, build(d.number[k]))
		}
		made[c] = t
		return t
	}
	t := build(0)
	out.Nodes = len(made)
	return t
}
