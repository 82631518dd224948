package egraph

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// maxPicture is the number of nodes above which a graph is drawn by neighbourhood only.
const maxPicture = 120

// A Picture is some classes of a graph as they were when it was taken: boxes with their nodes, and
// edges from the nodes to their children's classes. An extracted term may be marked in it.
type Picture struct {
	Classes []PictureClass
	LeftOut int // classes of the graph that are not in the picture
}

// A PictureClass is one box.
type PictureClass struct {
	ID    ID
	Level int // rows of the drawing, the first is 0
	Nodes []PictureNode
}

// A PictureNode is one line in a box.
type PictureNode struct {
	Op       string
	Children []ID
	Marked   bool // part of the extracted term
}

// Picture takes a picture of the classes that can be reached from one within depth steps, at most
// about 120 nodes, and marks the cheapest term of the class.
func (g *EGraph) Picture(id ID, depth int) (*Picture, error) {
	if err := g.enter("Picture", id); err != nil {
		return nil, err
	}
	defer g.leave()
	x, err := g.newExtractor(ASTSize)
	if err != nil {
		return nil, err
	}
	p := &Picture{}
	nodes := 0
	level := map[ID]int{g.findID(id): 0}
	queue := []ID{g.findID(id)}
	for len(queue) > 0 && nodes < maxPicture {
		c := g.pictureClass(queue[0], level[queue[0]])
		queue = queue[1:]
		nodes += len(c.Nodes)
		p.Classes = append(p.Classes, c)
		for _, n := range c.Nodes {
			for _, k := range n.Children {
				if _, seen := level[k]; !seen && c.Level < depth {
					level[k] = c.Level + 1
					queue = append(queue, k)
				}
			}
		}
	}
	p.LeftOut = g.uf.classes() - len(p.Classes)
	p.mark(x, g.findID(id))
	return p, nil
}

// PictureAll takes a picture of all classes, for small graphs.
func (g *EGraph) PictureAll() *Picture {
	g.mustEnter("PictureAll")
	defer g.leave()
	return g.whole()
}

func (g *EGraph) whole() *Picture {
	g.mustRebuild()
	p := &Picture{}
	for _, id := range g.classIDs() {
		p.Classes = append(p.Classes, g.pictureClass(id, 0))
	}
	p.levels()
	return p
}

func (g *EGraph) pictureClass(id ID, level int) PictureClass {
	c := PictureClass{ID: id, Level: level}
	for _, n := range g.nodesOf(id) {
		pn := PictureNode{Op: n.Op()}
		for i := range n.Arity() {
			pn.Children = append(pn.Children, n.Child(i))
		}
		c.Nodes = append(c.Nodes, pn)
	}
	return c
}

// mark marks the nodes of the cheapest term of a class.
func (p *Picture) mark(x *Extractor, root ID) {
	at := map[ID]int{}
	for i, c := range p.Classes {
		at[c.ID] = i
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

// levels puts each class a row below the lowest class that has it as a child. Edges that close a
// cycle in a depth-first walk do not count.
func (p *Picture) levels() {
	at := map[ID]int{}
	for i, c := range p.Classes {
		at[c.ID] = i
	}
	used := make([]bool, len(p.Classes))
	for i := range p.Classes {
		p.eachKid(i, at, func(k int) { used[k] = used[k] || k != i })
	}
	state := make([]uint8, len(p.Classes)) // 1: on the walk's path, 2: done
	down := make([][]int, len(p.Classes))
	var order []int // children before parents
	var walk func(i int)
	walk = func(i int) {
		state[i] = 1
		p.eachKid(i, at, func(k int) {
			if state[k] == 0 {
				walk(k)
			}
			if state[k] == 2 {
				down[i] = append(down[i], k)
			}
		})
		state[i] = 2
		order = append(order, i)
	}
	for _, wantUsed := range []bool{false, true} {
		for i := range p.Classes {
			if used[i] == wantUsed && state[i] == 0 {
				walk(i)
			}
		}
	}
	for _, i := range slices.Backward(order) {
		for _, k := range down[i] {
			p.Classes[k].Level = max(p.Classes[k].Level, p.Classes[i].Level+1)
		}
	}
}

// eachKid visits the places of the children of a class.
func (p *Picture) eachKid(i int, at map[ID]int, visit func(k int)) {
	for _, n := range p.Classes[i].Nodes {
		for _, k := range n.Children {
			visit(at[k])
		}
	}
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

const (
	charWidth  = 7.3
	lineHeight = 20.0
	boxPad     = 8.0
	gapX       = 24.0
	gapY       = 46.0
)

type box struct {
	x, y, w, h float64
}

// layout places the boxes: a row a level, each row centred, boxes near the mean of what points at
// them.
func (p *Picture) layout() (boxes map[ID]box, width, height float64) {
	rows := map[int][]int{}
	deepest := 0
	for i, c := range p.Classes {
		rows[c.Level] = append(rows[c.Level], i)
		deepest = max(deepest, c.Level)
	}
	boxes = map[ID]box{}
	wants := map[ID][]float64{}
	for level := 0; level <= deepest; level++ {
		row := rows[level]
		slices.SortStableFunc(row, func(a, b int) int {
			return compareFloat(mean(wants[p.Classes[a].ID]), mean(wants[p.Classes[b].ID]))
		})
		x, tallest := gapX, 0.0
		for _, i := range row {
			c := &p.Classes[i]
			b := box{x, height + gapY, boxWidth(c), boxPad*2 + lineHeight*float64(len(c.Nodes))}
			boxes[c.ID] = b
			x += b.w + gapX
			tallest = max(tallest, b.h)
			for _, n := range c.Nodes {
				for j, k := range n.Children {
					wants[k] = append(wants[k], b.x+b.w/2+float64(j))
				}
			}
		}
		width = max(width, x)
		height += tallest + gapY
	}
	return boxes, width, height + gapY/2
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func mean(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func boxWidth(c *PictureClass) float64 {
	longest := 3
	for _, n := range c.Nodes {
		longest = max(longest, len([]rune(n.Op))+2*len(n.Children))
	}
	return charWidth*float64(longest) + 2*boxPad
}

// SVG draws the classes as boxes and the children as arrows; the marked term is bold. It takes the
// colours of the page it is in.
func (p *Picture) SVG() string {
	boxes, w, h := p.layout()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="monospace" font-size="12" fill="none" stroke="#888">`, w, h, w, h)
	b.WriteString(`<defs><marker id="eg-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" ` +
		`orient="auto"><path d="M0 0L8 4L0 8z" fill="#888" stroke="none"/></marker></defs>`)
	for _, c := range p.Classes {
		p.drawClass(&b, &c, boxes)
	}
	if p.LeftOut > 0 {
		fmt.Fprintf(&b, `<text x="%g" y="16" fill="#888" stroke="none">classes not drawn: %d</text>`, gapX, p.LeftOut)
	}
	b.WriteString("</svg>")
	return b.String()
}

func (p *Picture) drawClass(b *strings.Builder, c *PictureClass, boxes map[ID]box) {
	at := boxes[c.ID]
	fmt.Fprintf(b, `<g><title>class %d</title><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6" `+
		`stroke-dasharray="4 3" fill="#8882"/>`, c.ID, at.x, at.y, at.w, at.h)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="9" fill="#888" stroke="none">#%d</text>`, at.x+2, at.y-3, c.ID)
	for i, n := range c.Nodes {
		y := at.y + boxPad + lineHeight*float64(i)
		weight, color := "normal", "#888"
		if n.Marked {
			weight, color = "bold", "#e07b00"
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" font-weight="%s" stroke="none">%s</text>`, at.x+boxPad, y+14,
			color, weight, html.EscapeString(n.Op))
		start := at.x + at.w - boxPad - charWidth*(2*float64(len(n.Children))-1)
		for j, k := range n.Children {
			drawEdge(b, start+2*charWidth*float64(j), y+11, boxes, k, color)
		}
	}
	b.WriteString("</g>")
}

func drawEdge(b *strings.Builder, x, y float64, boxes map[ID]box, to ID, color string) {
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2" fill="%s" stroke="none"/>`, x, y, color)
	t, ok := boxes[to]
	if !ok {
		return
	}
	tx, ty := t.x+t.w/2, t.y
	if t.y < y {
		tx, ty = t.x+t.w, t.y+t.h/2
	}
	fmt.Fprintf(b, `<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" stroke="%s" marker-end="url(#eg-arrow)"/>`, x, y,
		x, y+gapY/2, tx, ty-gapY/2, tx, ty, color)
}

// DOT is the picture in Graphviz's language, classes as clusters.
func (p *Picture) DOT() string {
	var b strings.Builder
	b.WriteString("digraph egraph {\n  compound=true\n  node [shape=record, style=rounded]\n")
	drawn := map[ID]bool{}
	for _, c := range p.Classes {
		drawn[c.ID] = true
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    style=dashed\n", c.ID)
		for i, n := range c.Nodes {
			fmt.Fprintf(&b, "    n%d_%d [label=%q]\n", c.ID, i, n.Op)
		}
		b.WriteString("  }\n")
	}
	for _, c := range p.Classes {
		for i, n := range c.Nodes {
			for j, k := range n.Children {
				if drawn[k] {
					fmt.Fprintf(&b, "  n%d_%d -> n%d_0 [lhead=cluster_%d, label=%d]\n", c.ID, i, k, k, j+1)
				}
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}
