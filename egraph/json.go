package egraph

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
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

// WriteJSON writes the graph in the egraph-serialize format, with a cost of 1 for every node.
func (g *EGraph) WriteJSON(w io.Writer, roots ...ID) error {
	if err := g.check("WriteJSON", roots...); err != nil {
		return err
	}
	g.Rebuild()
	x := g.index()
	one := 1.0
	s := serialGraph{Nodes: map[string]serialNode{}, Roots: []string{}, Data: map[string]struct{}{}}
	for _, r := range roots {
		s.Roots = append(s.Roots, fmt.Sprint(g.Find(r)))
	}
	for _, class := range g.ClassIDs() {
		for i, e := range x.of(uint32(class)) {
			n := Node{g, e.op, e.row}
			children := []string{}
			for _, k := range n.kids() {
				children = append(children, fmt.Sprintf("%d.0", k))
			}
			s.Nodes[fmt.Sprintf("%d.%d", class, i)] = serialNode{Op: n.Op(), Children: children, Class: fmt.Sprint(class), Cost: &one}
		}
	}
	return json.NewEncoder(w).Encode(s)
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

// A Loaded is a graph from a file.
type Loaded struct {
	Graph *EGraph
	Roots []ID
	// Merged is how many of the file's classes were one by congruence, so that the graph has fewer.
	Merged int
	costs  map[entry]float64
}

// NodeCost is the cost that the file gives a node, 1 where it gives none.
func (l *Loaded) NodeCost(n Node) float64 {
	if c, ok := l.costs[entry{n.op, n.row}]; ok {
		return c
	}
	return 1
}

// Cost is the cost of a tree: the file's costs of its nodes added up.
func (l *Loaded) Cost(n Node, kids []float64) float64 {
	sum := l.NodeCost(n)
	for _, k := range kids {
		sum += k
	}
	return sum
}

// ReadJSON reads a graph in the egraph-serialize format (extraction-gym's files are in it). The graph
// is closed under congruence. An operator that the file uses with several numbers of children becomes
// an operator for each. Subsumed nodes are left out.
func ReadJSON(r io.Reader) (*Loaded, error) {
	var s serialGraph
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, jsonError("syntax", "%v", err)
	}
	l := &jsonLoader{s: s, g: New(), classes: map[string]uint32{}}
	for name := range s.Nodes {
		l.names = append(l.names, name)
	}
	slices.Sort(l.names)
	for _, name := range l.names {
		if c := s.Nodes[name].Class; !l.has(c) {
			l.classes[c] = l.g.uf.fresh()
		}
	}
	return l.load()
}

type jsonLoader struct {
	s       serialGraph
	g       *EGraph
	names   []string
	classes map[string]uint32
	rows    []loadedRow
}

type loadedRow struct {
	op   uint32
	key  []uint32 // children, or the leaf's row
	cost float64
}

func (l *jsonLoader) has(class string) bool {
	_, ok := l.classes[class]
	return ok
}

func (l *jsonLoader) load() (*Loaded, error) {
	for _, name := range l.names {
		if n := l.s.Nodes[name]; !n.Subsumed {
			if err := l.node(name, &n); err != nil {
				return nil, err
			}
		}
	}
	l.g.Rebuild()
	out := &Loaded{Graph: l.g, Merged: len(l.classes) - l.g.Classes(), costs: map[entry]float64{}}
	if err := l.g.CheckInvariants(); err != nil {
		return nil, jsonError("classes", "%v (a class whose nodes are all subsumed?)", err)
	}
	for _, name := range l.s.Roots {
		id, ok := l.classes[name]
		if !ok {
			return nil, jsonError("root_eclasses", "no node is in class %q", name)
		}
		out.Roots = append(out.Roots, l.g.Find(ID(id)))
	}
	for _, r := range l.rows {
		l.price(out, r)
	}
	return out, nil
}

func (l *jsonLoader) node(name string, n *serialNode) error {
	if n.Op == "" {
		return jsonError("node "+name, "it has no op")
	}
	cost := 1.0
	if n.Cost != nil {
		cost = *n.Cost
	}
	if math.IsNaN(cost) || cost < 0 {
		return jsonError("node "+name, "its cost %v is negative", cost)
	}
	class := l.classes[n.Class]
	if len(n.Children) == 0 {
		l.leaf(Symbol(n.Op), class, cost)
		return nil
	}
	if len(n.Children) > maxArity {
		return jsonError("node "+name, "it has %d children", len(n.Children))
	}
	kids := make([]uint32, len(n.Children))
	for i, child := range n.Children {
		c, ok := l.s.Nodes[child]
		if !ok {
			return jsonError("node "+name, "its child %q is no node", child)
		}
		kids[i] = l.classes[c.Class]
	}
	l.row(n.Op, kids, class, cost)
	return nil
}

func (l *jsonLoader) leaf(a Atom, class uint32, cost float64) {
	row, ok := l.g.leaves.index[a]
	if ok {
		l.g.union(l.g.leaves.class[row], class)
	} else {
		row = uint32(len(l.g.leaves.atoms))
		l.g.leaves.index[a] = row
		l.g.leaves.atoms = append(l.g.leaves.atoms, a)
		l.g.leaves.class = append(l.g.leaves.class, class)
	}
	l.rows = append(l.rows, loadedRow{leafOp, []uint32{row}, cost})
}

func (l *jsonLoader) row(name string, kids []uint32, class uint32, cost float64) {
	key := name
	if op, ok := l.g.opIndex[key]; ok && l.g.ops[op].arity != len(kids) {
		key = fmt.Sprintf("%s/%d", name, len(kids))
	}
	op, ok := l.g.opIndex[key]
	if !ok || l.g.ops[op].arity != len(kids) {
		op = l.g.addOperator(key, len(kids))
		l.g.ops[op].name = name
	}
	t := l.g.tables[op]
	h := hashRow(kids)
	if r, _ := t.find(kids, h); r >= 0 {
		l.g.union(t.class[r], class)
	} else {
		t.reserve(1)
		_, slot := t.find(kids, h)
		t.insert(kids, class, h, slot)
	}
	l.rows = append(l.rows, loadedRow{op, kids, cost})
}

// price gives a row its cost, now that rows have their final places; of rows that became one the
// cheapest counts.
func (l *jsonLoader) price(out *Loaded, r loadedRow) {
	at := entry{r.op, r.key[0]}
	if r.op != leafOp {
		kids := slices.Clone(r.key)
		for i, k := range kids {
			kids[i] = l.g.uf.find(k)
		}
		row, _ := l.g.tables[r.op].find(kids, hashRow(kids))
		at.row = uint32(row)
	}
	if old, ok := out.costs[at]; !ok || r.cost < old {
		out.costs[at] = r.cost
	}
}
