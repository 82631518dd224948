package picture

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A Picture is some classes of a graph as they were when it was taken: boxes with their nodes, and
// edges from the nodes to their children's classes. An extracted term may be marked in it.
type Picture struct {
	Classes []Class
	LeftOut int // classes of the graph that are not in the picture
}

// A Class is one box.
type Class struct {
	ID    uint32
	Level int // rows of the drawing, the first is 0
	Nodes []Node
}

// A Node is one line in a box.
type Node struct {
	Op       string
	Children []uint32
	Marked   bool // part of the extracted term
}

// Arrange puts each class a row below the lowest class that has it as a child. Edges that close a
// cycle in a depth-first walk do not count.
func (p *Picture) Arrange() {
	at := map[uint32]int{}
	for i, c := range p.Classes {
		at[c.ID] = i
	}
	used := make([]bool, len(p.Classes))
	for i := range p.Classes {
		p.eachChild(i, at, func(k int) { used[k] = used[k] || k != i })
	}
	state := make([]uint8, len(p.Classes)) // 1: on the walk's path, 2: done
	down := make([][]int, len(p.Classes))
	var order []int // children before parents
	var walk func(i int)
	walk = func(i int) {
		state[i] = 1
		p.eachChild(i, at, func(k int) {
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

// eachChild visits the places of the children of a class.
func (p *Picture) eachChild(i int, at map[uint32]int, visit func(k int)) {
	for _, n := range p.Classes[i].Nodes {
		for _, k := range n.Children {
			visit(at[k])
		}
	}
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
func (p *Picture) layout() (boxes map[uint32]box, width, height float64) {
	rows := map[int][]int{}
	deepest := 0
	for i, c := range p.Classes {
		rows[c.Level] = append(rows[c.Level], i)
		deepest = max(deepest, c.Level)
	}
	boxes = map[uint32]box{}
	wants := map[uint32][]float64{}
	for level := 0; level <= deepest; level++ {
		row := rows[level]
		slices.SortStableFunc(row, func(a, b int) int {
			return cmp.Compare(mean(wants[p.Classes[a].ID]), mean(wants[p.Classes[b].ID]))
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

func boxWidth(c *Class) float64 {
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

func (p *Picture) drawClass(b *strings.Builder, c *Class, boxes map[uint32]box) {
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

func drawEdge(b *strings.Builder, x, y float64, boxes map[uint32]box, to uint32, color string) {
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
	drawn := map[uint32]bool{}
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
