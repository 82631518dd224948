package dag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Node is a box with a name.
type Node struct {
	Label string
	// Detail is a second, smaller line: a time, a size.
	Detail string
	// Kind chooses the colour: nodes of one kind have one. "" is grey.
	Kind string
}

// A Graph is what is drawn. Edges are pairs of places in Nodes, from and to.
type Graph struct {
	Title string
	Nodes []Node
	Edges [][2]int
}

// MaxNodes is the most nodes that are drawn: more cannot be read.
const MaxNodes = 1000

// maxSteps bounds nodes and steps of long edges together, and with that the time a layout takes.
const maxSteps = 20_000

// An EdgeError says that an edge begins or ends nowhere.
type EdgeError struct {
	Edge  [2]int
	Nodes int
}

func (e *EdgeError) Error() string {
	return fmt.Sprintf("dag: edge %d -> %d of a graph with %d nodes", e.Edge[0], e.Edge[1], e.Nodes)
}

// A CycleError names the nodes of a cycle, in order.
type CycleError struct{ Nodes []int }

func (e *CycleError) Error() string {
	names := make([]string, len(e.Nodes))
	for i, n := range e.Nodes {
		names[i] = fmt.Sprint(n)
	}
	return "dag: the graph has a cycle: " + strings.Join(append(names, names[0]), " -> ")
}

// A SizeError says that a graph is too large to be drawn.
type SizeError struct {
	What        string
	Found, Most int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("dag: %d %s are too many for a picture, at most %d; draw a part", e.Found, e.What, e.Most)
}

// Check reports whether the graph can be drawn: *EdgeError, *CycleError, *SizeError.
func (g Graph) Check() error {
	_, err := g.layout()
	return err
}

// SVG is the picture as an svg element; where there is none, a small one that says why.
func (g Graph) SVG() string {
	l, err := g.layout()
	if err != nil {
		return refusal(err.Error())
	}
	return l.svg(g.Title)
}

// MIMEBundle gives the picture, and text that lists the nodes with what they lead to.
func (g Graph) MIMEBundle() display.Bundle {
	l, err := g.layout()
	if err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: err.Error()}}
	}
	return display.Bundle{Data: map[string]any{display.TypeText: g.String(), display.TypeSVG: l.svg(g.Title)}}
}

// String lists the nodes with what they lead to.
func (g Graph) String() string {
	t := display.NewTable(g.Title, display.Column{Title: "node", Kind: display.Number}, display.Column{Title: "name"},
		display.Column{Title: "kind"}, display.Column{Title: "detail"}, display.Column{Title: "leads to"})
	to := make([][]string, len(g.Nodes))
	for _, e := range g.Edges {
		if e[0] >= 0 && e[0] < len(to) {
			to[e[0]] = append(to[e[0]], fmt.Sprint(e[1]))
		}
	}
	for i, n := range g.Nodes {
		t.Add(i, n.Label, n.Kind, n.Detail, strings.Join(to[i], " "))
	}
	return t.Text()
}

// check refuses what cannot be layered and gives the nodes in topological order.
func (g Graph) check() ([]int, error) {
	if len(g.Nodes) > MaxNodes {
		return nil, &SizeError{What: "nodes", Found: len(g.Nodes), Most: MaxNodes}
	}
	waiting := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(g.Nodes) {
			return nil, &EdgeError{Edge: e, Nodes: len(g.Nodes)}
		}
		waiting[e[1]]++
	}
	next := g.successors()
	var order []int
	for i, n := range waiting {
		if n == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, to := range next[order[at]] {
			if waiting[to]--; waiting[to] == 0 {
				order = append(order, to)
			}
		}
	}
	if len(order) < len(g.Nodes) {
		return nil, &CycleError{Nodes: g.cycle(waiting)}
	}
	return order, nil
}

func (g Graph) successors() [][]int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e[0]] = append(next[e[0]], e[1])
	}
	return next
}

// cycle walks back from a node that never became free: each such node waits for another one.
func (g Graph) cycle(waiting []int) []int {
	before := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		if waiting[e[0]] > 0 {
			before[e[1]] = e[0]
		}
	}
	at := slices.IndexFunc(waiting, func(n int) bool { return n > 0 })
	var path []int
	for !slices.Contains(path, at) {
		path = append(path, at)
		at = before[at]
	}
	path = path[slices.Index(path, at):]
	slices.Reverse(path)
	least := slices.Index(path, slices.Min(path))
	return slices.Concat(path[least:], path[:least])
}
