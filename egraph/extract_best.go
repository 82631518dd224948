package egraph

import (
	"container/heap"
	"math"
)

// ExtractK gives up to k cheapest terms of a class, the cheapest first, all different.
//
// Terms are found in the order of their costs over all classes below the root: a term is made of a node
// and, for each child, one of the terms found for its class before (the k-best derivations of Huang and
// Chiang 2005, in the order of Knuth 1977, so cycles need no care). The cost function must give more
// for a term than for each of its parts.
func (g *EGraph) ExtractK(id ID, k int, cost CostFunc) ([]*Extraction, error) {
	if err := g.check("ExtractK", id); err != nil {
		return nil, err
	}
	g.Rebuild()
	b := &bestSearch{g: g, k: k, cost: cost, found: map[uint32][]bestTerm{}, parents: map[uint32][]entry{}}
	root := g.uf.find(uint32(id))
	err := g.guard("cost function", func() { b.run(root) })
	if err != nil {
		return nil, err
	}
	var out []*Extraction
	for rank, t := range b.found[root] {
		out = append(out, &Extraction{Class: id, Term: b.term(root, rank), Cost: t.cost})
	}
	if len(out) == 0 && k > 0 {
		return nil, &NoTermError{id, "every node of it leads back to it or costs too much"}
	}
	return out, nil
}

// A bestTerm is a node with, for each child, which of the terms of its class it takes.
type bestTerm struct {
	at    entry
	ranks []int
	class uint32
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

type bestSearch struct {
	g       *EGraph
	k       int
	cost    CostFunc
	queue   bestQueue
	found   map[uint32][]bestTerm
	parents map[uint32][]entry
	age     int
}

func (b *bestSearch) run(root uint32) {
	b.collect(root)
	for b.queue.Len() > 0 && len(b.found[root]) < b.k {
		t := heap.Pop(&b.queue).(bestTerm)
		if len(b.found[t.class]) >= b.k {
			continue
		}
		b.found[t.class] = append(b.found[t.class], t)
		for _, parent := range b.parents[t.class] {
			b.combine(parent, t.class)
		}
	}
}

// collect notes the parents of every class below the root and queues the leaves.
func (b *bestSearch) collect(root uint32) {
	x := b.g.index()
	seen := map[uint32]bool{root: true}
	for queue := []uint32{root}; len(queue) > 0; queue = queue[1:] {
		for _, e := range x.of(queue[0]) {
			n := Node{b.g, e.op, e.row}
			if n.Arity() == 0 {
				b.push(e, nil)
			}
			for i, k := range n.kids() {
				if !seen[k] {
					seen[k] = true
					queue = append(queue, k)
				}
				if !containsBefore(n.kids(), i) {
					b.parents[k] = append(b.parents[k], e)
				}
			}
		}
	}
}

func containsBefore(kids []uint32, i int) bool {
	for _, k := range kids[:i] {
		if k == kids[i] {
			return true
		}
	}
	return false
}

// combine queues the terms of a node in which the newest term of a class takes part: the first place
// that takes it is each place of the class in turn.
func (b *bestSearch) combine(at entry, class uint32) {
	kids := Node{b.g, at.op, at.row}.kids()
	newest := len(b.found[class]) - 1
	for first, k := range kids {
		if k != class {
			continue
		}
		ranks := make([]int, len(kids))
		ranks[first] = newest
		b.fill(at, kids, class, first, newest, 0, ranks)
	}
}

func (b *bestSearch) fill(at entry, kids []uint32, class uint32, first, newest, i int, ranks []int) {
	if i == len(kids) {
		b.push(at, append([]int(nil), ranks...))
		return
	}
	if i == first {
		b.fill(at, kids, class, first, newest, i+1, ranks)
		return
	}
	limit := len(b.found[kids[i]])
	if kids[i] == class && i < first {
		limit = newest
	}
	for r := range limit {
		ranks[i] = r
		b.fill(at, kids, class, first, newest, i+1, ranks)
	}
}

func (b *bestSearch) push(at entry, ranks []int) {
	n := Node{b.g, at.op, at.row}
	costs := make([]float64, len(ranks))
	for i, r := range ranks {
		costs[i] = b.found[n.kids()[i]][r].cost
	}
	c := b.cost(n, costs)
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return
	}
	b.age++
	heap.Push(&b.queue, bestTerm{at, ranks, uint32(n.Class()), c, b.age})
}

func (b *bestSearch) term(class uint32, rank int) *Term {
	t := b.found[class][rank]
	n := Node{b.g, t.at.op, t.at.row}
	if n.IsLeaf() {
		return Leaf(n.Leaf())
	}
	out := &Term{Op: n.Op()}
	for i, k := range n.kids() {
		out.Args = append(out.Args, b.term(k, t.ranks[i]))
	}
	return out
}
