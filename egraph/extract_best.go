package egraph

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// ExtractK gives up to k cheapest terms of a class, the cheapest first, all different.
//
// Terms are found in the order of their costs over all classes below the root: a term is made of a node
// and, for each child, one of the terms found for its class before (the k-best derivations of Huang and
// Chiang 2005, in the order of Knuth 1977, so cycles need no care). Of the terms of a node only those are priced
// whose neighbour, with the next cheaper term for one child, was found. The cost function must give at least as
// much for a term as for each of its parts, and no less where a part costs more: where it is seen not to, that is a
// *CostError. Terms that cost +Inf or NaN are left out.
func (g *EGraph) ExtractK(id ID, k int, cost CostFunc) ([]*Extraction, error) {
	if err := g.enter("ExtractK", id); err != nil {
		return nil, err
	}
	defer g.leave()
	if k < 0 {
		return nil, &ArgumentError{"ExtractK", "k", fmt.Sprint(k), "0 or more terms"}
	}
	if cost == nil {
		return nil, &ArgumentError{"ExtractK", "the cost function", "nil", "one, such as ASTSize"}
	}
	if err := g.rebuilt(); err != nil {
		return nil, err
	}
	var called interruption
	called.listen()
	defer called.leave()
	version := g.version
	b := &bestSearch{g: g, k: k, cost: cost, found: map[uint32][]bestTerm{}, over: map[uint32][]*choices{},
		waits: map[uint32][]waitingTerm{}, interrupted: &called.called}
	root := g.uf.find(uint32(id))
	err := g.guardCosts(func() { b.run(root) })
	switch {
	case g.version != version:
		return nil, &ChangedError{"the cost function"}
	case err != nil:
		return nil, err
	case b.err != nil:
		return nil, b.err
	case called.called.Load():
		return nil, &InterruptedError{"ExtractK"}
	}
	out := b.extractions(id, root)
	if len(out) == 0 && k > 0 {
		return nil, &NoTermError{id, "every node of it leads back to it or costs too much"}
	}
	return out, nil
}

// A bestTerm is a node with, for each child, which of the terms of its class it takes.
type bestTerm struct {
	of    *choices
	ranks []int
	cost  float64
	age   int // among equals the older comes first
}

type bestQueue []bestTerm

func (q bestQueue) Len() int      { return len(q) }
func (q bestQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q bestQueue) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].age < q[j].age
}
func (q *bestQueue) Push(x any) { *q = append(*q, x.(bestTerm)) }
func (q *bestQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// choices are the terms of a node.
type choices struct {
	n       Node
	class   uint32
	kids    []uint32
	missing int // children of whose classes no term was found yet
}

// A waitingTerm waits for one more term of the class of a child.
type waitingTerm struct {
	of    *choices
	ranks []int
	least float64 // it costs no less
}

type bestSearch struct {
	g           *EGraph
	k           int
	cost        CostFunc
	queue       bestQueue
	found       map[uint32][]bestTerm
	over        map[uint32][]*choices // by class: the nodes that have it as a child, once for each time they do
	waits       map[uint32][]waitingTerm
	age         int
	kids        []float64
	err         error
	interrupted *atomic.Bool
}

func (b *bestSearch) run(root uint32) {
	if b.k == 0 {
		return
	}
	b.collect(root)
	for steps := 0; b.queue.Len() > 0 && len(b.found[root]) < b.k && b.err == nil; steps++ {
		if steps%look == 0 && b.interrupted.Load() {
			return
		}
		t := heap.Pop(&b.queue).(bestTerm)
		class := t.of.class
		if len(b.found[class]) >= b.k {
			continue
		}
		b.found[class] = append(b.found[class], t)
		b.release(class)
		b.neighbours(t)
	}
}

// collect notes the nodes over every class below the root, and queues the leaves.
func (b *bestSearch) collect(root uint32) {
	x := b.g.index()
	seen := map[uint32]bool{root: true}
	for queue := []uint32{root}; len(queue) > 0 && !b.interrupted.Load(); queue = queue[1:] {
		for _, e := range x.of(queue[0]) {
			n := b.g.node(e.op, e.row)
			c := &choices{n: n, class: queue[0], kids: slices.Clone(n.kids())}
			c.missing = len(c.kids)
			for i, k := range c.kids {
				k = b.g.uf.find(k)
				c.kids[i] = k
				if !seen[k] {
					seen[k] = true
					queue = append(queue, k)
				}
				b.over[k] = append(b.over[k], c)
			}
			if c.missing == 0 {
				b.push(c, nil, math.Inf(-1))
			}
		}
	}
}

// release goes on with what waited for the term of a class that was found last.
func (b *bestSearch) release(class uint32) {
	if len(b.found[class]) == 1 {
		for _, c := range b.over[class] {
			if c.missing--; c.missing == 0 {
				b.push(c, make([]int, len(c.kids)), math.Inf(-1))
			}
		}
	}
	waits := b.waits[class]
	delete(b.waits, class)
	for _, w := range waits {
		b.push(w.of, w.ranks, w.least)
	}
}

// neighbours queues the terms of a node that take the next term for one child, at or behind the last child that
// does not take its first: each combination comes from one other.
func (b *bestSearch) neighbours(t bestTerm) {
	last := len(t.ranks) - 1
	for i := last; i >= 0; i-- {
		if t.ranks[i]+1 < b.k {
			next := slices.Clone(t.ranks)
			next[i]++
			if class := t.of.kids[i]; next[i] < len(b.found[class]) {
				b.push(t.of, next, t.cost)
			} else {
				b.waits[class] = append(b.waits[class], waitingTerm{t.of, next, t.cost})
			}
		}
		if t.ranks[i] > 0 {
			return
		}
	}
}

// push prices a term, which is to cost no less than its neighbour and than its parts.
func (b *bestSearch) push(of *choices, ranks []int, least float64) {
	if len(b.found[of.class]) >= b.k || b.err != nil {
		return
	}
	costs := b.kids[:0]
	for i, r := range ranks {
		costs = append(costs, b.found[of.kids[i]][r].cost)
	}
	b.kids = costs
	for _, c := range costs {
		least = max(least, c)
	}
	c := b.cost(of.n, costs)
	if c < least {
		b.err = &CostError{Node: of.n.String(), Class: ID(of.class), Cost: c,
			Reason: fmt.Sprintf("it is less than %v, which a part of it costs, or the node itself with a cheaper part; "+
				"give a term at least as much as each of its parts", least)}
	}
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return
	}
	b.age++
	heap.Push(&b.queue, bestTerm{of, ranks, c, b.age})
}

// extractions builds the terms of the root; parts that they share are one value.
func (b *bestSearch) extractions(id ID, root uint32) (out []*Extraction) {
	type part struct {
		class uint32
		rank  int
	}
	numbers, parts := map[part]uint32{}, []part{}
	number := func(p part) uint32 {
		n, ok := numbers[p]
		if !ok {
			n = uint32(len(parts))
			numbers[p], parts = n, append(parts, p)
		}
		return n
	}
	made := termBuilder{made: map[uint32]*term.Term{}}
	for rank, t := range b.found[root] {
		term := made.build(number(part{root, rank}), func(p uint32) (Node, []uint32) {
			t := b.found[parts[p].class][parts[p].rank]
			kids := make([]uint32, len(t.ranks))
			for i, r := range t.ranks {
				kids[i] = number(part{t.of.kids[i], r})
			}
			return t.of.n, kids
		})
		out = append(out, &Extraction{Class: id, Term: term, Cost: t.cost})
	}
	return out
}
