package egraph

import "fmt"

// CheckInvariants looks for broken laws of the data structure, in time linear in its size. It is for
// tests; the laws hold after Rebuild.
//
//   - forest: every parent is at most its child's id and, after Rebuild, a root;
//   - canonical: children and classes of rows are roots;
//   - hashcons: no two rows of an operator have equal children, and each is found in the index;
//   - classes: every class has a row, and the count of classes is the count of roots.
func (g *EGraph) CheckInvariants() error {
	if err := g.enter("CheckInvariants"); err != nil {
		return err
	}
	defer g.leave()
	return g.checkInvariants()
}

func (g *EGraph) checkInvariants() error {
	checks := []func() error{g.checkForest, g.checkTables, g.checkClasses}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (g *EGraph) checkForest() error {
	roots := 0
	for i, p := range g.uf.parent {
		if p > uint32(i) || g.uf.parent[p] != p {
			return &InvariantError{"forest", "", i, fmt.Sprintf("parent %d is no root below it", p)}
		}
		if p == uint32(i) {
			roots++
		}
	}
	if roots != g.uf.classes() {
		return &InvariantError{"classes", "", 0, fmt.Sprintf("%d roots, %d counted", roots, g.uf.classes())}
	}
	return nil
}

func (g *EGraph) checkTables() error {
	for _, t := range g.tables {
		name := g.ops[t.op].name
		dead := 0
		for r := range t.rows() {
			if t.isDead(r) {
				dead++
				continue
			}
			if err := g.checkRow(t, r, name); err != nil {
				return err
			}
		}
		if dead != t.dead {
			return &InvariantError{"rows", name, 0, fmt.Sprintf("%d dead rows, %d counted", dead, t.dead)}
		}
	}
	return nil
}

func (g *EGraph) checkRow(t *table, r int, name string) error {
	for _, k := range append([]uint32{t.class[r]}, t.row(r)...) {
		if int(k) >= len(g.uf.parent) || g.uf.parent[k] != k {
			return &InvariantError{"canonical", name, r, fmt.Sprintf("id %d is no class", k)}
		}
	}
	if found, _ := t.find(t.row(r), hashRow(t.row(r))); found != r {
		return &InvariantError{"hashcons", name, r, fmt.Sprintf("the index finds row %d", found)}
	}
	return nil
}

func (g *EGraph) checkClasses() error {
	seen := make([]bool, len(g.uf.parent))
	g.eachRow(func(_, _, class uint32) { seen[class] = true })
	for i, p := range g.uf.parent {
		if p == uint32(i) && !seen[i] {
			return &InvariantError{"classes", "", i, "a class without rows"}
		}
	}
	return nil
}
