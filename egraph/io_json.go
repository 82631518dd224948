package egraph

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// The egraph-serialize format (crates.io, egraph-serialize): nodes by name, each with its operator, the
// names of nodes in its children's classes, and its class.
type serialGraph struct {
	Nodes map[string]serialNode `json:"nodes"`
	Roots []string              `json:"root_eclasses"`
	Data  map[string]struct{}   `json:"class_data"`
}

type serialNode struct {
	Op       string   `json:"op"`
	Children []string `json:"children"`
	Class    string   `json:"eclass"`
	Cost     *float64 `json:"cost,omitempty"`
	Subsumed bool     `json:"subsumed,omitempty"`
}

// WriteJSON writes the graph in the egraph-serialize format, with a cost of 1 for every node. A name that would not
// be read back as it is, as it is not UTF-8 or is that of a number, is a *FormatError.
func (g *EGraph) WriteJSON(w io.Writer, roots ...ID) error {
	if err := g.enter("WriteJSON", roots...); err != nil {
		return err
	}
	defer g.leave()
	if w == nil {
		return &ArgumentError{"WriteJSON", "the writer", "nil", "one"}
	}
	if err := g.rebuilt(); err != nil {
		return err
	}
	x := g.index()
	one := 1.0
	s := serialGraph{Nodes: map[string]serialNode{}, Roots: []string{}, Data: map[string]struct{}{}}
	for _, r := range roots {
		s.Roots = append(s.Roots, fmt.Sprint(g.findID(r)))
	}
	for _, class := range g.classIDs() {
		for i, e := range x.of(uint32(class)) {
			n := g.node(e.op, e.row)
			children := []string{}
			for _, k := range n.kids() {
				children = append(children, fmt.Sprintf("%d.0", k))
			}
			name := fmt.Sprintf("%d.%d", class, i)
			if err := serialName(n); err != nil {
				return jsonError("node "+name, "%v", err)
			}
			s.Nodes[name] = serialNode{Op: n.Op(), Children: children, Class: fmt.Sprint(class), Cost: &one}
		}
	}
	return json.NewEncoder(w).Encode(s)
}

// serialName says why the format cannot hold a node's name.
func serialName(n Node) error {
	switch {
	case !utf8.ValidString(n.Op()):
		return fmt.Errorf("its name %q is not UTF-8, which JSON is", n.Op())
	case n.IsLeaf() && serialAtom(n.Op()) != n.Leaf():
		return fmt.Errorf("the symbol %s would be read back as the number %s", n.Leaf(), n.Op())
	}
	return nil
}

// serialAtom is the leaf that an op without children is: a number where it is written as one is printed, else a
// symbol, so that "1" and "1.0" are two leaves, as in the file.
func serialAtom(op string) term.Atom {
	if a := term.Symbol(op); a.IsNumber() && a.Text() == op {
		return a
	}
	return term.Name(op)
}

// A FormatError is a file that is no e-graph.
type FormatError struct {
	Format string
	Where  string
	Reason string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("egraph: %s: %s: %s", e.Format, e.Where, e.Reason)
}

func jsonError(where, format string, args ...any) error {
	return &FormatError{"egraph-serialize JSON", where, fmt.Sprintf(format, args...)}
}
