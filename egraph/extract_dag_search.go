package egraph

import (
	"math"
	"slices"
	"time"
)

// A dagSearch looks for the cheapest choice of a node for each class that the root needs, without cycles.
type dagSearch struct {
	dagGraph
	best      []int32 // by class, the place of its node among the class's, -1 for none
	bestCost  float64
	deadline  time.Time
	outOfTime bool
	every     int // steps between two looks at the clock and the interruption
	steps     int

	chosen []int32
	needed []int32 // how often a class is a child of a chosen node, the root once more
	open   []int32 // classes that are needed and not chosen yet
	cost   float64 // of the nodes chosen
	levels []level
	stand  []int32 // of walks
	seen   []uint32
	walk   uint32 // the number of this walk in seen
}

// A level of the search is a class for which nodes are chosen in turn.
type level struct {
	class  int32
	at     int     // the place of the class in open
	node   int32   // that is tried, -1 before the first
	before float64 // the cost without it
}

// late reports whether the search is to end; work is about how many words were looked at since it was last asked.
func (d *dagSearch) late(work int) bool {
	if d.steps -= work + 1; d.steps < 0 { // at the first call too
		d.steps = d.every
		d.outOfTime = d.outOfTime || d.interrupted.Load() || time.Now().After(d.deadline)
	}
	return d.outOfTime
}

// order gives the classes that a choice needs, children first; nil where it closes a cycle or lacks a class.
func (d *dagSearch) order(choice []int32) []int32 {
	state := make([]int32, len(d.ids)) // the next child + 1, -1 for done
	order, path := []int32{}, append(d.stand[:0], 0)
	defer func() { d.stand = path[:0] }()
	if choice[0] < 0 {
		return nil
	}
	for state[0] = 1; len(path) > 0; {
		c := path[len(path)-1]
		kids := d.of(c)[choice[c]].kids
		if int(state[c]) > len(kids) {
			state[c] = -1
			order, path = append(order, c), path[:len(path)-1]
			continue
		}
		k := kids[state[c]-1]
		state[c]++
		switch {
		case state[k] > 0 || choice[k] < 0:
			return nil
		case state[k] == 0:
			state[k] = 1
			path = append(path, k)
		}
	}
	return order
}

// costOf adds up the nodes that the root needs, in the order of their classes, so that a choice has one cost
// however it was found; +Inf where they form a cycle.
func (d *dagSearch) costOf(choice []int32) float64 {
	order := d.order(choice)
	if order == nil {
		return math.Inf(1)
	}
	slices.Sort(order)
	sum := 0.0
	for _, c := range order {
		sum += d.of(c)[choice[c]].cost
	}
	return sum
}

// most classes for which each node is tried in place of the chosen one, which looks at the whole choice each time.
const improvable = 20_000

// improve tries, for each class that the best choice needs, every other node, and keeps what makes the choice
// cheaper, until nothing does (as the greedy-dag extractor of extraction-gym).
func (d *dagSearch) improve() {
	for better := len(d.ids) <= improvable; better && !d.outOfTime; {
		better = false
		for _, c := range d.order(d.best) {
			better = d.improveClass(c) || better
		}
	}
}

func (d *dagSearch) improveClass(c int32) bool {
	better := false
	for i := range d.of(c) {
		old := d.best[c]
		if int32(i) == old || d.late(len(d.ids)) {
			continue
		}
		d.best[c] = int32(i)
		if cost := d.costOf(d.best); cost < d.bestCost {
			d.bestCost, better = cost, true
		} else {
			d.best[c] = old
		}
	}
	return better
}

// lower is a bound for the root that needs no search: its cheapest path, or what all choices share.
func (d *dagSearch) lower() float64 {
	var forced []int32
	seen := newBitset(len(d.ids))
	seen.set(0)
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		forced = append(forced, queue[0])
		for _, k := range d.sharedKids(queue[0]) {
			if !seen.has(uint32(k)) {
				seen.set(uint32(k))
				queue = append(queue, k)
			}
		}
	}
	slices.Sort(forced) // so that they add up as costOf adds them
	sum := 0.0
	for _, c := range forced {
		sum += d.of(c)[0].cost
	}
	return max(d.path[0], sum)
}

// sharedKids are the classes that every node of a class has as children.
func (d *dagSearch) sharedKids(c int32) []int32 {
	nodes := d.of(c)
	shared := nodes[0].kids
	for _, n := range nodes[1:] {
		var both []int32
		for i, j := 0, 0; i < len(shared) && j < len(n.kids); {
			switch a, b := shared[i], n.kids[j]; {
			case a == b:
				both, i, j = append(both, a), i+1, j+1
			case a < b:
				i++
			default:
				j++
			}
		}
		shared = both
	}
	return shared
}

// search is branch and bound over the classes that are needed: it chooses for the open class with the
// fewest nodes, cheapest node first, and leaves a branch whose cost and bound reach the best's. It is complete
// unless outOfTime is set.
func (d *dagSearch) search() {
	n := len(d.ids)
	d.chosen, d.needed, d.seen = make([]int32, n), make([]int32, n), make([]uint32, n)
	for c := range d.chosen {
		d.chosen[c] = -1
	}
	d.needed[0], d.open = 1, []int32{0}
	for d.enter(); len(d.levels) > 0 && !d.late(len(d.open)); {
		l := &d.levels[len(d.levels)-1]
		if d.takeBack(l); d.try(l) {
			d.enter()
			continue
		}
		last := len(d.open)
		d.open = append(d.open, l.class)
		d.open[l.at], d.open[last] = d.open[last], d.open[l.at]
		d.levels = d.levels[:len(d.levels)-1]
	}
}

// enter begins a level for one of the open classes, unless none is left or no choice for them can be the best.
func (d *dagSearch) enter() {
	if len(d.open) == 0 {
		if cost := d.costOf(d.chosen); cost < d.bestCost {
			d.best, d.bestCost = slices.Clone(d.chosen), cost
		}
		return
	}
	bound, deepest, pick := d.cost, 0.0, 0
	for i, c := range d.open {
		nodes := d.of(c)
		bound += nodes[0].cost
		deepest = max(deepest, d.path[c])
		if len(nodes) < len(d.of(d.open[pick])) {
			pick = i
		}
	}
	// The path below a class may run through classes that are chosen already: it does not add to their cost.
	if max(bound, deepest) >= d.bestCost {
		return
	}
	c, last := d.open[pick], len(d.open)-1
	d.open[pick] = d.open[last]
	d.open = d.open[:last]
	d.levels = append(d.levels, level{class: c, at: pick, node: -1, before: d.cost})
}

// takeBack undoes the node that a level tried last: the classes that it opened are the last open ones.
func (d *dagSearch) takeBack(l *level) {
	if l.node < 0 || d.chosen[l.class] < 0 {
		return
	}
	for _, k := range d.of(l.class)[l.node].kids {
		if d.needed[k]--; d.needed[k] == 0 {
			d.open = d.open[:len(d.open)-1]
		}
	}
	d.cost, d.chosen[l.class] = l.before, -1
}

// try chooses the next node of a level that closes no cycle; false where none is left.
func (d *dagSearch) try(l *level) bool {
	nodes := d.of(l.class)
	for l.node++; int(l.node) < len(nodes); l.node++ {
		n := &nodes[l.node]
		if d.closesCycle(n) {
			continue
		}
		d.chosen[l.class] = l.node
		d.cost = l.before + n.cost
		for _, k := range n.kids {
			if d.needed[k]++; d.needed[k] == 1 {
				d.open = append(d.open, k)
			}
		}
		return true
	}
	return false
}

// closesCycle reports whether the chosen nodes lead from a node back to its class.
func (d *dagSearch) closesCycle(n *dagNode) bool {
	if d.walk++; d.walk == 0 {
		clear(d.seen)
		d.walk = 1
	}
	stand := append(d.stand[:0], n.kids...)
	defer func() { d.stand = stand[:0] }()
	for len(stand) > 0 {
		c := stand[len(stand)-1]
		stand = stand[:len(stand)-1]
		if c == n.class {
			return true
		}
		if d.chosen[c] < 0 || d.seen[c] == d.walk {
			continue
		}
		d.seen[c] = d.walk
		stand = append(stand, d.of(c)[d.chosen[c]].kids...)
		d.late(1)
	}
	return false
}
