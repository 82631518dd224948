package egraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A Node is one row of the graph: an operator over classes, or a leaf. It is good until the graph is next
// rebuilt or goes back: then its methods panic with a *StaleError.
type Node struct {
	g     *EGraph
	op    uint32
	row   uint32
	moves uint64 // of the graph
}

// node is the node of a row.
func (g *EGraph) node(op, row uint32) Node { return Node{g, op, row, g.moves} }

// sound refuses a node of no graph, and one whose row may be another's by now.
func (n Node) sound() {
	if n.g == nil {
		panic(&ArgumentError{"Node", "the node", "zero", "one that a graph gave out"})
	}
	if n.moves != n.g.moves {
		panic(&StaleError{"a Node", "the graph was rebuilt or went back since; ask for the class's nodes again"})
	}
}

// IsLeaf reports whether the node is an atom.
func (n Node) IsLeaf() bool {
	n.sound()
	return n.op == leafOp
}

// Leaf gives the atom of a leaf, and the zero Atom for others.
func (n Node) Leaf() term.Atom {
	if n.sound(); n.op != leafOp {
		return term.Atom{}
	}
	return n.g.leaves.atoms[n.row]
}

// Op gives the name of the operator, and for a leaf its name or number, without quotes.
func (n Node) Op() string {
	if n.sound(); n.op == leafOp {
		return n.Leaf().Text()
	}
	return n.g.ops[n.op].name
}

// Arity is the number of children.
func (n Node) Arity() int { return len(n.kids()) }

// Child gives the class of a child, counted from 0.
func (n Node) Child(i int) ID {
	kids := n.kids()
	if i < 0 || i >= len(kids) {
		panic(&ArgumentError{"Node.Child", "the child", fmt.Sprint(i), fmt.Sprintf("one of the %d of %s", len(kids), n)})
	}
	return ID(n.g.uf.root(kids[i]))
}

// Class gives the class of the node.
func (n Node) Class() ID {
	if n.sound(); n.op == leafOp {
		return ID(n.g.uf.root(n.g.leaves.class[n.row]))
	}
	return ID(n.g.uf.root(n.g.tables[n.op].class[n.row]))
}

func (n Node) kids() []uint32 {
	if n.sound(); n.op == leafOp {
		return nil
	}
	return n.g.tables[n.op].row(int(n.row))
}

// String is the node with its children as class names: (+ #3 #7).
func (n Node) String() string {
	if n.IsLeaf() {
		return n.Leaf().String()
	}
	var b strings.Builder
	b.WriteString("(" + term.Quote(n.Op()))
	for i := range n.kids() {
		fmt.Fprintf(&b, " #%d", n.Child(i))
	}
	b.WriteString(")")
	return b.String()
}

// A classIndex lists the rows of every class: those of class c are entries offsets[c] to offsets[c+1].
type classIndex struct {
	version uint64
	held    bool // somebody may still read it when the graph has changed
	offsets []uint32
	entries []entry
}

// recycledRows bounds the rows whose indexes are made in the arrays of the last one.
const recycledRows = 1 << 14

type entry struct{ op, row uint32 }

// index gives the rows by class, made anew where the graph changed. While a run matches, rows added
// since the first callback of the iteration asked may be missing from it.
func (g *EGraph) index() *classIndex {
	x := g.passingIndex()
	x.held = true
	return x
}

// passingIndex is index for those who are done with it before anybody else is called.
func (g *EGraph) passingIndex() *classIndex {
	if g.classes != nil && (g.classes.version == g.version || g.matching) {
		return g.classes
	}
	x := g.emptyIndex()
	for _, c := range g.leaves.class {
		x.offsets[g.uf.find(c)+1]++
	}
	for _, t := range g.tables {
		for r, c := range t.class {
			if t.seen(r) {
				x.offsets[g.uf.find(c)+1]++
			}
		}
	}
	for i := 1; i < len(x.offsets); i++ {
		x.offsets[i] += x.offsets[i-1]
	}
	x.entries = slices.Grow(x.entries[:0], int(x.offsets[len(x.offsets)-1]))[:x.offsets[len(x.offsets)-1]]
	for i, c := range g.leaves.class {
		x.put(g.uf.find(c), leafOp, uint32(i))
	}
	for _, t := range g.tables {
		for r, c := range t.class {
			if t.seen(r) {
				x.put(g.uf.find(c), t.op, uint32(r))
			}
		}
	}
	// Each offset has moved to the end of its class, which is where the next one starts.
	copy(x.offsets[1:], x.offsets)
	x.offsets[0] = 0
	g.classes = x
	return x
}

// emptyIndex gives an index with offsets of 0, in the arrays of an old one where nobody reads that.
func (g *EGraph) emptyIndex() *classIndex {
	x, n := g.oldClasses, len(g.uf.parent)+1
	g.oldClasses = nil
	if x == nil {
		x = g.classes
	}
	if x == nil || x.held || cap(x.entries) > recycledRows {
		x = &classIndex{}
	}
	if cap(x.offsets) < n {
		x.offsets = make([]uint32, n, n+n/2)
	}
	x.version, x.offsets = g.version, x.offsets[:n]
	clear(x.offsets)
	return x
}

// put enters a row while the offsets still move.
func (x *classIndex) put(class, op, row uint32) {
	x.entries[x.offsets[class]] = entry{op, row}
	x.offsets[class]++
}

// eachRow visits the rows that stand and are not hidden, leaves first, then table by table.
func (g *EGraph) eachRow(visit func(op, row, class uint32)) {
	for i, c := range g.leaves.class {
		visit(leafOp, uint32(i), g.uf.find(c))
	}
	for _, t := range g.tables {
		for r, c := range t.class {
			if t.seen(r) {
				visit(t.op, uint32(r), g.uf.find(c))
			}
		}
	}
}

// dropOldIndex forgets an index that is not of now, before callbacks during which the first one made is
// kept.
func (g *EGraph) dropOldIndex() {
	if g.classes != nil && g.classes.version != g.version {
		g.classes, g.oldClasses = nil, g.classes
	}
}

func (x *classIndex) of(class uint32) []entry {
	if int(class)+1 >= len(x.offsets) {
		return nil
	}
	return x.entries[x.offsets[class]:x.offsets[class+1]]
}

// NodesOf gives the nodes of a class. Within a run's callbacks it shows the class as it was when the
// iteration's first callback asked.
func (g *EGraph) NodesOf(id ID) []Node {
	g.mustEnter("NodesOf")
	defer g.leave()
	return g.nodesOf(id)
}

func (g *EGraph) nodesOf(id ID) []Node {
	if int(id) >= len(g.uf.parent) {
		return nil
	}
	rows := g.passingIndex().of(g.uf.find(uint32(id)))
	nodes := make([]Node, len(rows))
	for i, e := range rows {
		nodes[i] = g.node(e.op, e.row)
	}
	return nodes
}

// ClassIDs gives the names of all classes, ascending.
func (g *EGraph) ClassIDs() []ID {
	g.mustEnter("ClassIDs")
	defer g.leave()
	return g.classIDs()
}

func (g *EGraph) classIDs() []ID {
	ids := make([]ID, 0, g.uf.classes())
	for i, p := range g.uf.parent {
		if p == uint32(i) {
			ids = append(ids, ID(i))
		}
	}
	return ids
}

// Lookup gives the class of a term that the graph holds; it adds nothing. After unions it wants a
// Rebuild first.
func (g *EGraph) Lookup(text string) (ID, bool, error) {
	if err := g.sound("Lookup"); err != nil {
		return 0, false, err
	}
	t, err := term.Parse(text)
	if err != nil {
		return 0, false, err
	}
	id, ok := g.LookupTerm(t)
	return id, ok, nil
}

// LookupTerm is Lookup of a term; it panics with a *term.MalformedError where that is none.
func (g *EGraph) LookupTerm(t *term.Term) (ID, bool) {
	g.mustEnter("LookupTerm")
	defer g.leave()
	return g.lookupTerm(t)
}

func (g *EGraph) lookupTerm(t *term.Term) (ID, bool) {
	parts, err := term.PartsOf(t)
	if err != nil {
		panic(err)
	}
	ids := make([]uint32, len(parts.List))
	var kids []uint32
	for i, t := range parts.List {
		if len(t.Children) == 0 {
			row, ok := g.leaves.index[t.Leaf]
			if !ok {
				return 0, false
			}
			ids[i] = g.uf.find(g.leaves.class[row])
			continue
		}
		kids = kids[:0]
		for _, a := range t.Children {
			kids = append(kids, ids[parts.Of(a)])
		}
		var ok bool
		if ids[i], ok = g.lookupRow(t.Op, kids); !ok {
			return 0, false
		}
	}
	return ID(ids[len(ids)-1]), true
}

// LookupNode gives the class of an operator over classes, if the graph has that node.
func (g *EGraph) LookupNode(op string, children ...ID) (ID, bool) {
	g.mustEnter("LookupNode")
	defer g.leave()
	if len(children) == 0 {
		return g.lookupTerm(term.Leaf(term.Symbol(op)))
	}
	row := make([]uint32, len(children))
	for i, k := range children {
		if int(k) >= len(g.uf.parent) {
			return 0, false
		}
		row[i] = g.uf.find(uint32(k))
	}
	class, ok := g.lookupRow(op, row)
	return ID(class), ok
}

// lookupRow gives the class of an operator over canonical classes.
func (g *EGraph) lookupRow(op string, kids []uint32) (uint32, bool) {
	number, ok := g.operatorNumber(op, len(kids))
	if !ok {
		return 0, false
	}
	t := g.tables[number]
	r, _ := t.find(kids, hashRow(kids))
	if r < 0 {
		return 0, false
	}
	return g.uf.find(t.class[r]), true
}

// Dump is the graph as text, a class a line, for small graphs and tests.
func (g *EGraph) Dump() string {
	g.mustEnter("Dump")
	defer g.leave()
	return g.dump()
}

func (g *EGraph) dump() string {
	var b strings.Builder
	for _, id := range g.classIDs() {
		fmt.Fprintf(&b, "#%d:", id)
		for _, n := range g.nodesOf(id) {
			b.WriteString(" " + n.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// String tells the size of the graph; one of at most 40 nodes is shown whole.
func (g *EGraph) String() string {
	g.mustEnter("String")
	defer g.leave()
	s := fmt.Sprintf("e-graph: %d nodes in %d classes", g.nodes(), g.uf.classes())
	if g.nodes() <= 40 {
		s += "\n" + g.dump()
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
