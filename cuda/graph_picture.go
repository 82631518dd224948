package cuda

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/dag"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// NodeLabels are the nodes' names, for a picture of the graph.
func (g *Graph) NodeLabels() []string {
	var labels []string
	for _, n := range g.Nodes() {
		labels = append(labels, n.Name)
	}
	return labels
}

// DAG is the graph as a drawing: a box a node with its name and, once TimeNodes has measured it,
// its time, before that what it does. The bodies of conditional nodes hang below them.
func (g *Graph) DAG() Drawing {
	if g == nil {
		return dag.Graph{Title: "No graph"}
	}
	nodes, edges := g.Nodes(), g.Edges()
	g.mu.Lock()
	times := g.times
	g.mu.Unlock()
	d := drawing{Graph: dag.Graph{Title: g.name}, times: times}
	d.add(nodes, edges, "")
	return d.Graph
}

// A drawing is a graph being drawn.
type drawing struct {
	dag.Graph
	times *NodeTimes
}

// add draws nodes with their edges and says at which place they begin. body is what the nodes are
// inside of, "" outside.
func (d *drawing) add(nodes []*Node, edges [][2]int, body string) int {
	at := len(d.Nodes)
	for i, n := range nodes {
		kind := n.Kind.String()
		if body != "" {
			kind = body
		}
		d.Nodes = append(d.Nodes, dag.Node{Label: n.Name, Detail: d.detail(i, n, body), Kind: kind})
	}
	for _, e := range edges {
		d.Edges = append(d.Edges, [2]int{at + e[0], at + e[1]})
	}
	for i, n := range nodes {
		for _, b := range n.bodies {
			d.hang(at+i, n, b)
		}
	}
	return at
}

// hang draws a body below its node.
func (d *drawing) hang(from int, n *Node, b *graphBody) {
	title := b.title + " of " + n.Name
	first := d.add(b.nodes, b.edges, title)
	waits := make([]bool, len(b.nodes))
	for _, e := range b.edges {
		waits[e[1]] = true
	}
	for i := range b.nodes {
		if !waits[i] {
			d.Edges = append(d.Edges, [2]int{from, first + i})
		}
	}
}

// detail is a node's second line.
func (d *drawing) detail(i int, n *Node, body string) string {
	if n.off.Load() {
		return "off"
	}
	if d.times != nil && body == "" && i < len(d.times.Nodes) {
		return display.Column{Kind: display.Number}.Text(d.times.Nodes[i].Median())
	}
	return n.String()
}

// MIMEBundle gives the drawing, and the table as text.
func (g *Graph) MIMEBundle() display.Bundle {
	b := g.DAG().MIMEBundle()
	t := g.Table()
	b.Data[display.TypeText] = t.Text()
	if b.Data[display.TypeSVG] == nil { // too large to be drawn
		b.Data[display.TypeHTML] = t.HTML()
	}
	return b
}

// Table lists the nodes: what each does and what it waits for.
func (g *Graph) Table() display.Table {
	if g == nil {
		return *display.Card("No graph")
	}
	nodes, edges := g.Nodes(), g.Edges()
	t := display.NewTable(fmt.Sprintf("%s: %s, %s", g.name, plural(len(nodes), "node"), plural(len(edges), "edge")),
		display.Column{Title: "node", Kind: display.Label}, display.Column{Title: "kind"},
		display.Column{Title: "work", Kind: display.Code}, display.Column{Title: "after"})
	addNodes(t, nodes, edges, "")
	if g.isGone() {
		t.Note("Closed.")
	}
	return *t
}

func (g *Graph) isGone() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

func addNodes(t *display.Table, nodes []*Node, edges [][2]int, indent string) {
	for i, n := range nodes {
		var after []string
		for _, e := range edges {
			if e[1] == i {
				after = append(after, nodes[e[0]].Name)
			}
		}
		kind := n.Kind.String()
		if n.off.Load() {
			kind += ", off"
		}
		t.Add(indent+n.Name, kind, n.String(), strings.Join(after, ", "))
		for _, b := range n.bodies {
			addNodes(t, b.nodes, b.edges, indent+b.title+" › ")
		}
	}
}
