package egraph

import (
	"github.com/vyre-kernel/vyre-kernel/egraph/picture"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// maxPicture is the number of nodes above which a graph is drawn by neighbourhood only.
const maxPicture = 120

// Picture takes a picture of the classes that can be reached from one within depth steps, at most
// about 120 nodes, and marks the cheapest term of the class.
func (g *EGraph) Picture(id ID, depth int) (*picture.Picture, error) {
	if err := g.enter("Picture", id); err != nil {
		return nil, err
	}
	defer g.leave()
	x, err := g.newExtractor(ASTSize)
	if err != nil {
		return nil, err
	}
	p := &picture.Picture{}
	nodes := 0
	level := map[ID]int{g.findID(id): 0}
	queue := []ID{g.findID(id)}
	for len(queue) > 0 && nodes < maxPicture {
		c := g.pictureClass(queue[0], level[queue[0]])
		queue = queue[1:]
		nodes += len(c.Nodes)
		p.Classes = append(p.Classes, c)
		for _, n := range c.Nodes {
			for _, child := range n.Children {
				k := ID(child)
				if _, seen := level[k]; !seen && c.Level < depth {
					level[k] = c.Level + 1
					queue = append(queue, k)
				}
			}
		}
	}
	p.LeftOut = g.uf.classes() - len(p.Classes)
	markTerm(p, x, g.findID(id))
	return p, nil
}

// PictureAll takes a picture of all classes, for small graphs.
func (g *EGraph) PictureAll() *picture.Picture {
	g.mustEnter("PictureAll")
	defer g.leave()
	return g.whole()
}

func (g *EGraph) whole() *picture.Picture {
	g.mustRebuild()
	p := &picture.Picture{}
	for _, id := range g.classIDs() {
		p.Classes = append(p.Classes, g.pictureClass(id, 0))
	}
	p.Arrange()
	return p
}

func (g *EGraph) pictureClass(id ID, level int) picture.Class {
	c := picture.Class{ID: uint32(id), Level: level}
	for _, n := range g.nodesOf(id) {
		pn := picture.Node{Op: n.Op()}
		for i := range n.Arity() {
			pn.Children = append(pn.Children, uint32(n.Child(i)))
		}
		c.Nodes = append(c.Nodes, pn)
	}
	return c
}

// markTerm marks the nodes of the cheapest term of a class.
func markTerm(p *picture.Picture, x *Extractor, root ID) {
	at := map[ID]int{}
	for i, c := range p.Classes {
		at[ID(c.ID)] = i
	}
	seen := map[ID]bool{}
	var walk func(ID)
	walk = func(id ID) {
		i, ok := at[id]
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		for j, n := range x.g.nodesOf(id) {
			if (entry{n.op, n.row}) == x.best[id] {
				p.Classes[i].Nodes[j].Marked = true
				for k := range n.Arity() {
					walk(n.Child(k))
				}
			}
		}
	}
	walk(root)
}

// MIMEBundle shows a small graph as a drawing, and any as text.
func (g *EGraph) MIMEBundle() display.Bundle {
	g.made("MIMEBundle")
	b := display.Bundle{Data: map[string]any{display.TypeText: g.String()}}
	if n := g.Nodes(); n > 0 && n <= maxPicture/2 {
		b.Data[display.TypeSVG] = g.PictureAll().SVG()
	}
	return b
}
