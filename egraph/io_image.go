package egraph

import (
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// Image gives the graph as the columns that a device reads: leaves first, each its own operator, then
// the rows of one operator after the other. Rows and children are copied as they lie.
func (g *EGraph) Image() (*image.Image, error) {
	if err := g.enter("Image"); err != nil {
		return nil, err
	}
	defer g.leave()
	if err := g.rebuilt(); err != nil {
		return nil, err
	}
	children := 0
	for _, t := range g.tables {
		if t.dead > 0 {
			t.compact(g.workersFor(t))
			g.version++
			g.moves++
		}
		children += len(t.kids)
	}
	b := image.NewBuilder(g.nodes(), children)
	for i, a := range g.leaves.atoms {
		b.Block(a.String(), 0, g.leaves.class[i:i+1], nil)
	}
	for i, t := range g.tables {
		if t.rows() > 0 {
			b.Block(g.ops[i].name+"/"+strconv.Itoa(t.arity), t.arity, t.class, t.kids)
		}
	}
	return b.Build()
}

// UnionAll makes the classes of each pair one, as a device found them equal, and restores congruence.
func (g *EGraph) UnionAll(pairs []image.Pair, reason string) error {
	if err := g.enter("UnionAll"); err != nil {
		return err
	}
	defer g.leave()
	for _, p := range pairs {
		if _, err := g.unionBecause(ID(p.Left), ID(p.Right), reason); err != nil {
			return err
		}
	}
	return g.rebuilt()
}
