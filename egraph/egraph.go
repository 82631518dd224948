package egraph

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// An EGraph is a set of terms, split into classes of terms known to be equal, closed under
// congruence after Rebuild.
type EGraph struct {
	uf      unionFind
	leaves  leafTable
	ops     []operator
	opIndex map[string]uint32
	tables  []*table // by operator
	closed  bool     // the language takes no new operators

	closing      closing
	pricing      pricing
	closedUnions int // uf.unions when congruence last held
	losers       []uint32
	joined       int         // rows that right sides made in classes that were there: unions that need no union
	changed      bitset      // the array of a closure's set, to be used again
	version      uint64      // counts changes, so that derived indexes know when they are old
	moves        uint64      // counts what gave rows other numbers or children
	pops         uint64      // counts Pops, after which ids may name nothing or something else
	busy         atomic.Bool // a call is under way
	matching     bool        // a run is matching: rows only grow and Rebuild waits
	threads      int         // that rebuilding may use, 0: as many as Go uses
	quota        *quota      // of a run, nil outside
	cutAt        cutAt
	scratch      blockScratch
	classes      *classIndex
	oldClasses   *classIndex // to be used again
	parentRows   parentIndex // to be used again
	analyses     []*analysisState
	pendingMake  []newRow
	madeBefore   []newRow // the array of pendingMake before, to be used again
	proofs       *proofs
	generations  generations
	dropped      []Node // the array of Prune's list, to be used again
	marks        []*mark
	retired      int // bytes of columns that tables have outgrown since the last collection
}

type operator struct {
	name  string
	arity int
}

// leafOp is the operator number of leaves in a Node.
const leafOp = none

// A leafTable holds the leaves: row i is the atom atoms[i] in class class[i]. Payload is identity.
type leafTable struct {
	atoms []term.Atom
	class []uint32
	index map[term.Atom]uint32
}

// An Option sets up a new graph.
type Option func(*EGraph)

// Operators closes the language to these operators, name to number of arguments: others are refused
// with an UnknownOperatorError. Leaves need no declaration: an arity of 0 says that the name is
// one. An arity that no operator can have, or a name, New refuses.
func Operators(arities map[string]int) Option {
	return func(g *EGraph) {
		for _, name := range sortedKeys(arities) {
			if err := term.CheckName(name); err != nil {
				panic(err)
			}
			switch n := arities[name]; {
			case n > 0 && n <= maxArity:
				g.addOperator(name, n)
			case n != 0:
				want := fmt.Sprintf("0 to %d arguments", maxArity)
				panic(&ArgumentError{"Operators", "the arity of " + term.Quote(name), fmt.Sprint(n), want})
			}
		}
		g.closed = true
	}
}

// New makes an empty graph. It panics where an option is nil or asks for what cannot be, with an
// *ArgumentError or a *NameError.
func New(options ...Option) *EGraph {
	g := &EGraph{closing: usualClosing, pricing: usualPricing, generations: generations{from: agingFrom},
		opIndex: map[string]uint32{}, leaves: leafTable{index: map[term.Atom]uint32{}}}
	for i, o := range options {
		if o == nil {
			panic(&ArgumentError{"New", fmt.Sprintf("option %d", i+1), "nil", "one"})
		}
		o(g)
	}
	return g
}

func (g *EGraph) addOperator(name string, arity int) uint32 {
	op := uint32(len(g.ops))
	g.ops = append(g.ops, operator{name, arity})
	t := &table{op: op, arity: arity, now: g.generations.now}
	if g.proofs != nil {
		t.born = []uint32{}
	}
	g.tables = append(g.tables, t)
	g.opIndex[name] = op
	return op
}

// maxArity bounds the arguments of an operator.
const maxArity = 1 << 16

// operatorNumber gives the number of an operator of so many arguments. An operator has one arity
// unless the graph comes from a file that says otherwise: then it is one operator for each.
func (g *EGraph) operatorNumber(name string, arity int) (uint32, bool) {
	op, ok := g.opIndex[name]
	if ok && g.ops[op].arity != arity {
		op, ok = g.opIndex[furtherArity(name, arity)]
	}
	return op, ok
}

// furtherArity is the key in opIndex of an operator that is there with another arity; no name has a
// U+0000.
func furtherArity(name string, arity int) string { return fmt.Sprintf("%d\x00%s", arity, name) }

// addFurther adds an operator that may be there with another arity.
func (g *EGraph) addFurther(name string, arity int) uint32 {
	key := name
	if _, ok := g.opIndex[name]; ok {
		key = furtherArity(name, arity)
	}
	op := g.addOperator(key, arity)
	g.ops[op].name = name
	return op
}

// mayAdd says why the language cannot have an operator that it does not have.
func (g *EGraph) mayAdd(name string, arity int) error {
	if op, ok := g.opIndex[name]; ok {
		return &ArityError{name, g.ops[op].arity, arity}
	}
	if err := term.CheckName(name); err != nil {
		return err
	}
	if g.closed {
		return &UnknownOperatorError{name, arity}
	}
	if arity > maxArity {
		return &FullError{"the arity of " + term.Quote(name), maxArity}
	}
	return nil
}

// operator gives the number of an operator, adding it to an open language.
func (g *EGraph) operator(name string, arity int) (uint32, error) {
	if op, ok := g.operatorNumber(name, arity); ok {
		return op, nil
	}
	if err := g.mayAdd(name, arity); err != nil {
		return 0, err
	}
	return g.addOperator(name, arity), nil
}

// Add adds a term written as an S-expression and gives its class.
func (g *EGraph) Add(text string) (ID, error) {
	t, err := term.Parse(text)
	if err != nil {
		return 0, err
	}
	return g.AddTerm(t)
}

// MustAdd is Add for texts known to be right; it panics on others.
func (g *EGraph) MustAdd(text string) ID {
	id, err := g.Add(text)
	if err != nil {
		panic(err)
	}
	return id
}

// AddTerm adds a term and gives its class. Nothing is added where it fails. Parts that are shared
// are added once.
func (g *EGraph) AddTerm(t *term.Term) (ID, error) {
	if err := g.enter("AddTerm"); err != nil {
		return 0, err
	}
	defer g.leave()
	parts, err := term.PartsOf(t)
	if err != nil {
		return 0, err
	}
	if err := g.checkParts(parts.List); err != nil {
		return 0, err
	}
	return g.addParts(parts)
}

// checkParts looks for what addParts would refuse.
func (g *EGraph) checkParts(list []*term.Term) error {
	var brought []operator // by the term
	for _, t := range list {
		if len(t.Children) == 0 {
			if err := t.Leaf.Check(); err != nil {
				return err
			}
			continue
		}
		if _, ok := g.operatorNumber(t.Op, len(t.Children)); ok {
			continue
		}
		if err := g.mayAdd(t.Op, len(t.Children)); err != nil {
			return err
		}
		at := slices.IndexFunc(brought, func(o operator) bool { return o.name == t.Op })
		if at < 0 {
			brought = append(brought, operator{t.Op, len(t.Children)})
		} else if want := brought[at].arity; want != len(t.Children) {
			return &ArityError{t.Op, want, len(t.Children)}
		}
	}
	return g.room(len(list))
}

// addTerm adds a term that is known to be one.
func (g *EGraph) addTerm(t *term.Term) (ID, error) {
	parts, err := term.PartsOf(t)
	if err != nil {
		return 0, err
	}
	return g.addParts(parts)
}

func (g *EGraph) addParts(parts *term.Parts) (ID, error) {
	ids := make([]ID, len(parts.List))
	var kids []ID
	for i, t := range parts.List {
		kids = kids[:0]
		for _, a := range t.Children {
			kids = append(kids, ids[parts.Of(a)])
		}
		var err error
		if len(kids) == 0 {
			ids[i], err = g.addLeaf(t.Leaf)
		} else {
			ids[i], err = g.addNode(t.Op, kids...)
		}
		if err != nil {
			return 0, err
		}
	}
	return ids[len(ids)-1], nil
}

// AddLeaf adds an atom and gives its class.
func (g *EGraph) AddLeaf(a term.Atom) (ID, error) {
	if err := g.enter("AddLeaf"); err != nil {
		return 0, err
	}
	defer g.leave()
	return g.addLeaf(a)
}

func (g *EGraph) addLeaf(a term.Atom) (ID, error) {
	if row, ok := g.leaves.index[a]; ok {
		return ID(g.uf.find(g.leaves.class[row])), nil
	}
	if err := a.Check(); err != nil {
		return 0, err
	}
	if err := g.admit(); err != nil {
		return 0, err
	}
	class := g.uf.fresh()
	row := uint32(len(g.leaves.atoms))
	g.leaves.index[a] = row
	g.leaves.atoms = append(g.leaves.atoms, a)
	g.leaves.class = append(g.leaves.class, class)
	g.version++
	if g.proofs != nil {
		g.proofs.leaf(row, class)
	}
	err := g.bornRow(leafOp, row, class)
	return ID(g.uf.find(class)), err
}

// AddNode adds the row of an operator over classes and gives its class.
func (g *EGraph) AddNode(op string, children ...ID) (ID, error) {
	if err := g.enter("AddNode"); err != nil {
		return 0, err
	}
	defer g.leave()
	return g.addNode(op, children...)
}

func (g *EGraph) addNode(op string, children ...ID) (ID, error) {
	if len(children) == 0 {
		return g.addLeaf(term.Symbol(op))
	}
	var small [4]uint32
	row := append(small[:0], make([]uint32, 0, max(0, len(children)-4))...)
	for _, k := range children {
		if err := g.check("AddNode", k); err != nil {
			return 0, err
		}
		row = append(row, uint32(k))
	}
	number, err := g.operator(op, len(children))
	if err != nil {
		return 0, err
	}
	class, err := g.addRow(g.tables[number], row)
	return ID(class), err
}

// addRow adds a row whose children are any ids; kids is overwritten with what they are now.
func (g *EGraph) addRow(t *table, kids []uint32) (uint32, error) {
	given := kids
	if g.proofs != nil {
		given = append([]uint32(nil), kids...)
	}
	for i, k := range kids {
		kids[i] = g.uf.find(k)
	}
	t.reserve(1)
	h := hashRow(kids)
	found, slot := t.find(kids, h)
	if found >= 0 {
		return g.uf.find(t.class[found]), nil
	}
	if err := g.admit(); err != nil {
		return 0, err
	}
	class := g.uf.fresh()
	r := t.insert(kids, class, h, slot)
	g.version++
	if g.proofs != nil {
		g.proofs.node(t, given, class)
	}
	err := g.bornRow(t.op, uint32(r), class)
	return g.uf.find(class), err
}

// room refuses what would pass the 32-bit ids.
func (g *EGraph) room(n int) error {
	if uint64(len(g.uf.parent))+uint64(n) >= math.MaxUint32-1 {
		return &FullError{"the number of ids", math.MaxUint32 - 1}
	}
	return nil
}

// sound refuses a graph that is none.
func (g *EGraph) sound(call string) error {
	if g == nil || g.opIndex == nil {
		return &ArgumentError{call, "the graph", "nil or zero", "one that New or a reader made"}
	}
	return nil
}

// made is sound for calls whose result has no room for an error.
func (g *EGraph) made(call string) {
	if err := g.sound(call); err != nil {
		panic(err)
	}
}

func (g *EGraph) check(what string, ids ...ID) error {
	if err := g.sound(what); err != nil {
		return err
	}
	for _, id := range ids {
		if int(id) >= len(g.uf.parent) {
			return &ClassError{what, id, len(g.uf.parent)}
		}
	}
	return nil
}

// Find gives the class an id belongs to now. An id that the graph never gave out is its own answer.
func (g *EGraph) Find(id ID) ID {
	g.mustEnter("Find")
	defer g.leave()
	return g.findID(id)
}

func (g *EGraph) findID(id ID) ID {
	if int(id) >= len(g.uf.parent) {
		return id
	}
	return ID(g.uf.find(uint32(id)))
}

// Same reports whether two ids are one class.
func (g *EGraph) Same(a, b ID) bool {
	g.mustEnter("Same")
	defer g.leave()
	return g.same(a, b)
}

func (g *EGraph) same(a, b ID) bool { return g.findID(a) == g.findID(b) }

// Union makes two classes one and reports whether they were two. Congruence holds again after Rebuild.
func (g *EGraph) Union(a, b ID) (bool, error) { return g.UnionBecause(a, b, "") }

// UnionBecause is Union with the reason that explanations will give.
func (g *EGraph) UnionBecause(a, b ID, reason string) (bool, error) {
	if err := g.enter("Union"); err != nil {
		return false, err
	}
	defer g.leave()
	return g.unionBecause(a, b, reason)
}

func (g *EGraph) unionBecause(a, b ID, reason string) (bool, error) {
	if err := g.check("Union", a, b); err != nil {
		return false, err
	}
	if g.proofs != nil {
		g.proofs.union(uint32(a), uint32(b), reason)
	}
	return g.union(uint32(a), uint32(b)), nil
}

// UnionTerms makes the classes of two terms one, which it adds where they are not there: a proof
// then steps from the one to the other, where that of UnionBecause steps between any terms of the
// classes. Of terms known to be equal it may make proofs shorter.
func (g *EGraph) UnionTerms(a, b *term.Term, reason string) (bool, error) {
	if err := g.enter("UnionTerms"); err != nil {
		return false, err
	}
	defer g.leave()
	from, err := term.PartsOf(a)
	if err != nil {
		return false, err
	}
	to, err := term.PartsOf(b)
	if err != nil {
		return false, err
	}
	// Both are looked at before one is added: nothing is added where it fails.
	if err := g.checkParts(slices.Concat(from.List, to.List)); err != nil {
		return false, err
	}
	x, err := g.addParts(from)
	if err != nil {
		return false, err
	}
	y, err := g.addParts(to)
	if err != nil {
		return false, err
	}
	if g.proofs != nil {
		g.proofs.unionTerms(from, to, uint32(x), uint32(y), reason)
	}
	return g.union(uint32(x), uint32(y)), nil
}

// union merges two classes and their analysis data.
func (g *EGraph) union(a, b uint32) bool {
	a, b = g.uf.find(a), g.uf.find(b)
	if !g.uf.union(a, b) {
		return false
	}
	g.version++
	if a > b {
		a, b = b, a
	}
	for _, s := range g.analyses {
		s.merge(a, b)
	}
	return true
}
