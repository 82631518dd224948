package plots

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/plots/dag"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Graph is what DAG draws: the labels of the nodes and the edges as pairs of places among them.
// Where it has them too, NodeKinds() []string chooses colours, NodeDetails() []string is a second
// line in each node and Name() string the title.
type Graph interface {
	NodeLabels() []string
	Edges() [][2]int
}

// A GraphPicture is a directed graph in layers, from top to bottom.
type GraphPicture struct {
	graph dag.Graph
	err   error
}

// DAG draws a directed acyclic graph. It takes a dag.Graph, a value with DAG() dag.Graph, or a
// Graph. Errors (*SourceError, *dag.EdgeError, *dag.CycleError, *dag.SizeError) are in Err and
// shown in place of the picture.
func DAG(source any, list ...GraphOption) *GraphPicture {
	var g dag.Graph
	switch s := present(source).(type) {
	case dag.Graph:
		g = s
	case interface{ DAG() dag.Graph }:
		g = s.DAG()
	case Graph:
		g = read(s)
	default:
		return &GraphPicture{err: &SourceError{Plot: "DAG", Found: fmt.Sprintf("%T", source),
			Want: "a dag.Graph, or a value with DAG() dag.Graph, or with NodeLabels() []string and Edges() [][2]int"}}
	}
	o := options{title: nameOf(present(source), g.Title)}
	for _, option := range list {
		if option == nil {
			return &GraphPicture{err: &SourceError{Plot: "DAG", Found: "a nil option", Want: "one made by Title"}}
		}
		option.setGraph(&o)
	}
	g.Title = o.title
	return &GraphPicture{graph: g, err: g.Check()}
}

// Err says why there is no picture; nil if there is one. A zero GraphPicture is that of a graph
// without nodes.
func (p *GraphPicture) Err() error {
	if p == nil {
		return &SourceError{Plot: "DAG", Found: "a nil picture", Want: madeHere}
	}
	return p.err
}

// SVG is the picture as an svg element; "" where there is none.
func (p *GraphPicture) SVG() string {
	if p.Err() != nil {
		return ""
	}
	return p.graph.SVG()
}

// MIMEBundle gives SVG and text; where there is no picture, the reason as text.
func (p *GraphPicture) MIMEBundle() display.Bundle {
	if err := p.Err(); err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: err.Error()}}
	}
	return p.graph.MIMEBundle()
}

// String lists the nodes, or says why there is no picture.
func (p *GraphPicture) String() string { return fmt.Sprint(p.MIMEBundle().Data[display.TypeText]) }

// read asks a graph for all that it can say.
func read(s Graph) dag.Graph {
	g := dag.Graph{Edges: s.Edges()}
	for _, label := range s.NodeLabels() {
		g.Nodes = append(g.Nodes, dag.Node{Label: label})
	}
	if k, ok := s.(interface{ NodeKinds() []string }); ok {
		for i, kind := range k.NodeKinds() {
			if i < len(g.Nodes) {
				g.Nodes[i].Kind = kind
			}
		}
	}
	if d, ok := s.(interface{ NodeDetails() []string }); ok {
		for i, detail := range d.NodeDetails() {
			if i < len(g.Nodes) {
				g.Nodes[i].Detail = detail
			}
		}
	}
	return g
}
