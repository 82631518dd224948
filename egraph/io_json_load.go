package egraph

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A Loaded is a graph from a file.
type Loaded struct {
	Graph *EGraph
	Roots []ID
	// Merged is how many of the file's classes were one by congruence, so that the graph has fewer.
	Merged int
	rows   []loadedRow
	costs  map[entry]float64
	moves  uint64 // of the graph, for which costs are
}

// NodeCost is the cost that the file gives a node, 1 where it gives none. Of nodes that became one the cheapest
// counts.
func (l *Loaded) NodeCost(n Node) float64 {
	if l == nil || l.Graph == nil {
		panic(&ArgumentError{"Loaded.NodeCost", "the file", "nil or zero", "one that ReadJSON read"})
	}
	if n.sound(); n.g != l.Graph {
		panic(&ArgumentError{"Loaded.NodeCost", "the node", "of another graph", "one of the file's"})
	}
	if l.moves != l.Graph.moves {
		l.price()
	}
	if c, ok := l.costs[entry{n.op, n.row}]; ok {
		return c
	}
	return 1
}

// Cost is the cost of a tree: the file's costs of its nodes added up.
func (l *Loaded) Cost(n Node, children []float64) float64 {
	sum := l.NodeCost(n)
	for _, k := range children {
		sum += k
	}
	return sum
}

// price finds where the rows of the file are now: by their children, as rows move when the graph is rebuilt.
func (l *Loaded) price() {
	g := l.Graph
	l.costs, l.moves = make(map[entry]float64, len(l.rows)), g.moves
	var kids []uint32
	for _, r := range l.rows {
		at := entry{r.op, r.key[0]}
		if r.op != leafOp {
			kids = kids[:0]
			for _, k := range r.key {
				kids = append(kids, g.uf.find(k))
			}
			row, _ := g.tables[r.op].find(kids, hashRow(kids))
			if row < 0 {
				continue
			}
			at.row = uint32(row)
		}
		if old, ok := l.costs[at]; !ok || r.cost < old {
			l.costs[at] = r.cost
		}
	}
}

// ReadJSON reads a graph in the egraph-serialize format (extraction-gym's files are in it). The graph
// is closed under congruence, and but for that keeps apart what the file keeps apart: an op without children is a
// number where it is written as one is printed (7, 1/3) and else a symbol, and an operator that the file uses with
// several numbers of children is an operator for each. Subsumed nodes are left out.
func ReadJSON(r io.Reader) (*Loaded, error) {
	if r == nil {
		return nil, &ArgumentError{"ReadJSON", "the reader", "nil", "one"}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, jsonError("reading", "%v", err)
	}
	s, err := decodeSerial(text)
	if err != nil {
		return nil, err
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

// decodeSerial decodes a text, and refuses what package json would take with a loss: names that are there twice, and
// what is not UTF-8.
func decodeSerial(text []byte) (s serialGraph, err error) {
	if at := notUnicode(text); at >= 0 {
		return s, jsonError("syntax", "the text at byte %d is not Unicode", at)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	err = eachField(d, "file", func(field string) error {
		switch field {
		case "nodes":
			s.Nodes = map[string]serialNode{}
			return eachField(d, "nodes", func(name string) error {
				var n serialNode
				err := d.Decode(&n)
				s.Nodes[name] = n
				return err
			})
		case "root_eclasses":
			return d.Decode(&s.Roots)
		}
		var skipped json.RawMessage
		return d.Decode(&skipped)
	})
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return s, jsonError("syntax", "the text goes on behind the graph")
		}
	}
	if _, ours := err.(*FormatError); err != nil && !ours {
		err = jsonError("syntax", "%v", err)
	}
	return s, err
}

// eachField reads an object, whose fields' values do reads.
func eachField(d *json.Decoder, what string, do func(field string) error) error {
	seen := map[string]bool{}
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return jsonError(what, "want an object, got %v", orError(start, err))
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		field, _ := token.(string)
		if seen[field] {
			return jsonError(what, "%q is there twice", field)
		}
		seen[field] = true
		if err := do(field); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func orError(token json.Token, err error) any {
	if err != nil {
		return err
	}
	return token
}

// notUnicode is where a JSON text is not UTF-8 or has half of a surrogate pair, -1 where nowhere.
func notUnicode(text []byte) int {
	for i := 0; i < len(text); {
		if r, size := utf8.DecodeRune(text[i:]); r == utf8.RuneError && size == 1 {
			return i
		} else if r != '\\' {
			i += size
			continue
		}
		switch first := escaped(text[i:]); {
		case first < 0:
			i += 2
		case !utf16.IsSurrogate(first):
			i += 6
		case utf16.DecodeRune(first, escaped(text[i+6:])) == utf8.RuneError:
			return i
		default:
			i += 12
		}
	}
	return -1
}

// escaped is the number in an escape such as \u00e9, -1 where there is none.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
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
	l.g.mustRebuild()
	out := &Loaded{Graph: l.g, Merged: len(l.classes) - l.g.uf.classes(), rows: l.rows}
	if err := l.g.checkInvariants(); err != nil {
		return nil, jsonError("classes", "%v (a class whose nodes are all subsumed?)", err)
	}
	for _, name := range l.s.Roots {
		id, ok := l.classes[name]
		if !ok {
			return nil, jsonError("root_eclasses", "no node is in class %q", name)
		}
		out.Roots = append(out.Roots, l.g.findID(ID(id)))
	}
	out.price()
	return out, nil
}

func (l *jsonLoader) node(name string, n *serialNode) error {
	if n.Op == "" {
		return jsonError("node "+name, "it has no op")
	}
	if err := term.CheckName(n.Op); err != nil {
		return jsonError("node "+name, "its op: %v", err)
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
		l.leaf(serialAtom(n.Op), class, cost)
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

func (l *jsonLoader) leaf(a term.Atom, class uint32, cost float64) {
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
	op, ok := l.g.operatorNumber(name, len(kids))
	if !ok {
		op = l.g.addFurther(name, len(kids))
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
