package plots

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/plots/dag"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Graph is what DAG draws: the names of the nodes and the edges as pairs of places among them.
type Graph interface {
	Nodes() []string
	Edges() [][2]int
}

// A GraphPicture is a directed graph in layers, from top to bottom.
type GraphPicture struct {
	graph dag.Graph
	err   error
}

// DAG draws a directed acyclic graph. It takes a dag.Graph, a value with DAG() dag.Graph, or a Graph. Errors
// (*SourceError, *dag.EdgeError, *dag.CycleError, *dag.SizeError) are in Err and shown in place of the picture.
func DAG(source any, list ...Option) *GraphPicture {
	var g dag.Graph
	switch s := source.(type) {
	case dag.Graph:
		g = s
	case interface{ DAG() dag.Graph }:
		g = s.DAG()
	case Graph:
		for _, name := range s.Nodes() {
			g.Nodes = append(g.Nodes, dag.Node{Label: name})
		}
		g.Edges = s.Edges()
	default:
		return &GraphPicture{err: &SourceError{Plot: "DAG", Found: fmt.Sprintf("%T", source),
			Want: "a dag.Graph, or a value with DAG() dag.Graph, or with Nodes() []string and Edges() [][2]int"}}
	}
	g.Title = collect(g.Title, list).title
	return &GraphPicture{graph: g, err: g.Check()}
}

// Err says why there is no picture; nil if there is one.
func (p *GraphPicture) Err() error { return p.err }

// SVG is the picture as an svg element; "" where there is none.
func (p *GraphPicture) SVG() string {
	if p.err != nil {
		return ""
	}
	return p.graph.SVG()
}

// MIMEBundle gives SVG and text; where there is no picture, the reason as text.
func (p *GraphPicture) MIMEBundle() display.Bundle {
	if p.err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: p.err.Error()}}
	}
	return p.graph.MIMEBundle()
}

// String lists the nodes, or says why there is no picture.
func (p *GraphPicture) String() string { return fmt.Sprint(p.MIMEBundle().Data[display.TypeText]) }
