package emulated

import (
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A place is what runs: an operation, or a node of a graph that it launched.
type place struct {
	o        *op
	path     []turn
	round    int  // of the loop around the plan that runs
	followed bool // what it does is compared with what others do
}

func (c *context) place(o *op) place { return place{o: o, followed: c.several()} }

// in gives the place of a node of the plan that runs.
func (at place) in(p *plan, node int) place {
	if at.followed {
		at.path = append(slices.Clip(at.path), turn{p, node, at.round})
	}
	at.round = 0
	return at
}

// launch executes a plan as an operation. Where its nodes alone run beside each other, they are
// compared with each other alone.
func (p *plan) launch(c *context, o *op) error {
	at := c.place(o)
	if c.deeds != nil && !at.followed && p.branches() {
		at.followed = true
		defer c.forget(o, nil)
	}
	return p.run(c, at)
}

func newPlan(nodes int) *plan {
	p := &plan{byID: make(map[driver.GraphNode]*node, nodes)}
	p.reach = sync.OnceValue(p.reachable)
	return p
}

// branches reports whether nodes of the plan may run beside each other.
func (p *plan) branches() bool {
	for i, n := range p.order {
		if i > 0 && !slices.Contains(n.after, p.order[i-1].id) {
			return true
		}
		if n.child != nil || n.condition != nil {
			return true // it is looked at as it runs
		}
	}
	return false
}

// reaches reports whether the j-th node of the order is behind the i-th. In a graph of more than
// mostReach nodes every node is.
func (p *plan) reaches(i, j int) bool {
	return len(p.order) > mostReach || p.reach()[j][i/64]>>(i%64)&1 != 0
}

const mostReach = 1 << 12

// reachable gives for each node the set of those that it is behind.
func (p *plan) reachable() [][]uint64 {
	at := make(map[driver.GraphNode]int, len(p.order))
	sets := make([][]uint64, len(p.order))
	for j, n := range p.order {
		at[n.id] = j
		sets[j] = make([]uint64, (len(p.order)+63)/64)
		for _, a := range n.after {
			i := at[a]
			sets[j][i/64] |= 1 << (i % 64)
			for w, x := range sets[i] {
				sets[j][w] |= x
			}
		}
	}
	return sets
}
