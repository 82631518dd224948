package egraph

import (
	"slices"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A proofs store remembers why classes were merged: a graph of terms whose edges say that two terms
// are equal, and why. It lies beside the e-graph and costs nothing where it is not asked for.
//
// Terms are rows over terms, hash-consed in tables of their own. Every id of the e-graph was made for
// one row, and witness gives the term of that row over the witnesses of its children as they were
// given. The law: the witnesses of ids that are one class are connected by edges. An edge by
// congruence rests on edges older than itself, so proofs have no cycles (the proof forest of
// Nieuwenhuis and Oliveras 2005; Flatt et al. 2022 for e-graphs).
type proofs struct {
	g         *EGraph
	tables    []*table // by operator, classes are terms
	leaves    []uint32 // by leaf row, term+1
	terms     []entry  // what a term is: operator and row of tables, or leafOp and leaf row
	witness   []uint32 // by id
	edges     []edge
	heads     []uint32             // by term: its last half-edge + 1
	nexts     []uint32             // by half-edge: the one before it + 1
	connected unionFind            // terms that edges connect
	premises  map[uint32][]premise // by edge, of rules of several patterns or with a named class
	premised  int                  // how many there are in all
}

// premisesOverhead is about what an edge's entry in the map of premises takes.
const premisesOverhead = 64

// A premise of an edge by a rule is a pattern that the rule matched: its instance, and the term of the variable that
// names its class, or the instance again.
type premise struct{ instance, class uint32 }

// An edge says that terms a and b are equal. Half-edge 2e leads from a to b, 2e+1 back.
type edge struct {
	a, b   uint32
	rule   *Rule  // nil for congruence and reasons
	reason string // of a union that no rule made
	kind   edgeKind
}

type edgeKind uint8

const (
	byCongruence edgeKind = iota // the children are equal, by older edges
	byRule                       // a is an instance of the left side, b of the right
	byTrust                      // a reason from outside, or a right side in Go
)

// WithProofs makes a new graph remember why its classes are equal, for Explain.
func WithProofs() Option {
	return func(g *EGraph) {
		g.proofs = &proofs{g: g}
		for _, t := range g.tables {
			t.born = []uint32{}
		}
	}
}

// bytes is the memory of the store.
func (p *proofs) bytes() int {
	n := 4 * (cap(p.leaves) + cap(p.witness) + cap(p.heads) + cap(p.nexts))
	n += 4*cap(p.connected.parent) + len(p.premises)*premisesOverhead + int(unsafe.Sizeof(premise{}))*p.premised
	n += int(unsafe.Sizeof(entry{}))*cap(p.terms) + int(unsafe.Sizeof(edge{}))*cap(p.edges)
	for _, t := range p.tables {
		n += t.bytes()
	}
	return n
}

// newTerm numbers a term.
func (p *proofs) newTerm(e entry) uint32 {
	p.terms = append(p.terms, e)
	p.heads = append(p.heads, 0)
	p.connected.fresh()
	return uint32(len(p.terms) - 1)
}

// leaf notes a leaf just added with a new class.
func (p *proofs) leaf(row, class uint32) {
	p.witness = append(p.witness, p.leafTerm(row))
}

func (p *proofs) leafTerm(row uint32) uint32 {
	for int(row) >= len(p.leaves) {
		p.leaves = append(p.leaves, 0)
	}
	if p.leaves[row] == 0 {
		p.leaves[row] = p.newTerm(entry{leafOp, row}) + 1
	}
	return p.leaves[row] - 1
}

// node notes a row just added with a new class, over the ids it was given.
func (p *proofs) node(t *table, ids []uint32, class uint32) {
	kids := make([]uint32, len(ids))
	for i, id := range ids {
		kids[i] = p.witness[id]
	}
	term, _ := p.term(t.op, kids)
	p.witness = append(p.witness, term)
}

// term gives the term of an operator over terms, and whether it is new.
func (p *proofs) term(op uint32, kids []uint32) (uint32, bool) {
	for int(op) >= len(p.tables) {
		p.tables = append(p.tables, &table{op: uint32(len(p.tables)), arity: p.g.ops[len(p.tables)].arity})
	}
	t := p.tables[op]
	h := hashRow(kids)
	if r, _ := t.find(kids, h); r >= 0 {
		return t.class[r], false
	}
	t.reserve(1)
	_, slot := t.find(kids, h)
	term := p.newTerm(entry{op, uint32(t.rows())})
	t.insert(kids, term, h, slot)
	return term, true
}

func (p *proofs) kids(term uint32) []uint32 {
	e := p.terms[term]
	if e.op == leafOp {
		return nil
	}
	return p.tables[e.op].row(int(e.row))
}

func (p *proofs) connect(e edge) {
	if e.a == e.b {
		return
	}
	n := uint32(len(p.edges))
	p.connected.union(e.a, e.b)
	p.edges = append(p.edges, e)
	p.nexts = append(p.nexts, p.heads[e.a], p.heads[e.b])
	p.heads[e.a], p.heads[e.b] = 2*n+1, 2*n+2
}

// union notes a union from outside.
func (p *proofs) union(a, b uint32, reason string) {
	if p.g.uf.find(a) != p.g.uf.find(b) {
		p.connect(edge{a: p.witness[a], b: p.witness[b], reason: reason, kind: byTrust})
	}
}

// unionTerms notes a union of two terms, whose classes are x and y.
func (p *proofs) unionTerms(a, b *term.Parts, x, y uint32, reason string) {
	from, atA := p.placeParts(a)
	to, atB := p.placeParts(b)
	if !atA.found || !atB.found {
		p.union(x, y, reason)
		return
	}
	if !p.neighbours(from, to) {
		p.connect(edge{a: from, b: to, reason: reason, kind: byTrust})
	}
}

// neighbours reports whether one of the last edges of a term leads to another: whoever says the same thing again
// and again is heard once.
func (p *proofs) neighbours(from, to uint32) bool {
	for h, looked := p.heads[from], 0; h != 0 && looked < 64; h, looked = p.nexts[h-1], looked+1 {
		if e := p.edges[(h-1)/2]; e.a == to || e.b == to {
			return true
		}
	}
	return false
}

// congruent notes that two rows of a table have equal children.
func (p *proofs) congruent(t *table, r, other int) {
	p.connect(edge{a: p.witness[t.born[r]], b: p.witness[t.born[other]], kind: byCongruence})
}

// rewrite notes that match i of a rule makes class y equal to class x.
func (p *proofs) rewrite(pr *program, c *compiled, regs []column, i int, x, y uint32) {
	bound := make([]uint32, len(c.regs))
	for v, reg := range c.regs {
		bound[v] = regs[reg][i]
	}
	if c.Rule.right == nil || !p.instances(pr, c.Rule, bound) || !p.joins(x, y) {
		p.connect(edge{a: p.witness[x], b: p.witness[y], rule: c.Rule, kind: byTrust})
	}
}

// joins reports whether edges connect two classes, as they must before the graph makes them one.
func (p *proofs) joins(x, y uint32) bool {
	return p.connected.find(p.witness[x]) == p.connected.find(p.witness[y])
}

// instances connects the instances of a rule's sides; false where the graph does not hold them, which cannot be.
func (p *proofs) instances(pr *program, r *Rule, bound []uint32) bool {
	left := none
	if r.target >= 0 {
		left = p.witness[bound[r.target]]
	}
	premises := make([]premise, len(r.left))
	for i, clause := range r.left {
		term, at := p.instance(pr, clause.shape, bound)
		if !at.found {
			return false
		}
		if premises[i] = (premise{term, term}); clause.bind >= 0 {
			premises[i].class = p.witness[bound[clause.bind]]
		}
		if i == r.leftClause() {
			left = term
		}
	}
	right, at := p.instance(pr, r.right, bound)
	if !at.found {
		return false
	}
	if edges := len(p.edges); left != right && r.plural() {
		if p.premises == nil {
			p.premises = map[uint32][]premise{}
		}
		p.premises[uint32(edges)] = premises
		p.premised += len(premises)
	}
	p.connect(edge{a: left, b: right, rule: r, kind: byRule})
	return true
}

// plural reports whether a rule has more on its left than the one pattern that it rewrites.
func (r *Rule) plural() bool { return len(r.left) > 1 || r.target >= 0 || r.left[0].bind >= 0 }

// leftClause is the pattern that the right side is equal to, -1 where that is a variable's class that no pattern
// is bound to.
func (r *Rule) leftClause() int {
	if r.target < 0 {
		return 0
	}
	return slices.IndexFunc(r.left, func(c clause) bool { return c.bind == r.target })
}

// placed says which class a term instance is in.
type placed struct {
	class uint32
	found bool
}

// instance gives the term of a shape over the witnesses of its variables' classes, and the class that the rule
// matched or made. Rows keep their children while a run matches, so the classes that the rule saw
// find the rows that it saw, whatever was united since.
func (p *proofs) instance(pr *program, s *shape, bound []uint32) (uint32, placed) {
	if s.kind == isVar {
		return p.witness[bound[s.v]], placed{bound[s.v], true}
	}
	if s.ground() {
		gr := pr.grounds[pr.ground(s)]
		return gr.proof, placed{gr.class, gr.ready}
	}
	terms, classes := make([]uint32, len(s.args)), make([]uint32, len(s.args))
	for i, a := range s.args {
		term, at := p.instance(pr, a, bound)
		if !at.found {
			return 0, placed{}
		}
		terms[i], classes[i] = term, at.class
	}
	op, ok := p.g.operatorNumber(s.op, len(s.args))
	if !ok {
		return 0, placed{}
	}
	return p.place(op, terms, classes)
}

// place gives the term of an operator over terms that stand for classes, and the class of its row. The term is
// connected to the witness of that row: it may have been there before, for another row that is congruent and not
// yet united with this one, or for none.
func (p *proofs) place(op uint32, terms, classes []uint32) (uint32, placed) {
	t := p.g.tables[op]
	r, _ := t.find(classes, hashRow(classes))
	if r < 0 {
		return 0, placed{}
	}
	term, _ := p.term(op, terms)
	if witness := p.witness[t.born[r]]; p.connected.find(term) != p.connected.find(witness) {
		p.connect(edge{a: term, b: witness, kind: byCongruence})
	}
	return term, placed{t.class[r], true}
}

// placeGround keeps the term of a ground while the graph knows which class it is in.
func (p *proofs) placeGround(gr *ground) {
	parts, err := term.PartsOf(gr.term)
	if err != nil {
		return // a pattern makes terms that are some
	}
	gr.proof, _ = p.placeParts(parts)
}

// placeParts gives the number of a term that the graph holds.
func (p *proofs) placeParts(parts *term.Parts) (uint32, placed) {
	numbers, classes := make([]uint32, len(parts.List)), make([]uint32, len(parts.List))
	for i, t := range parts.List {
		term, at := p.placePart(parts, t, numbers, classes)
		if !at.found {
			return 0, placed{}
		}
		numbers[i], classes[i] = term, p.g.uf.find(at.class)
	}
	last := len(numbers) - 1
	return numbers[last], placed{classes[last], true}
}

func (p *proofs) placePart(parts *term.Parts, t *term.Term, numbers, classes []uint32) (uint32, placed) {
	if len(t.Children) == 0 {
		row, ok := p.g.leaves.index[t.Leaf]
		if !ok {
			return 0, placed{}
		}
		return p.leafTerm(row), placed{p.g.leaves.class[row], true}
	}
	op, ok := p.g.operatorNumber(t.Op, len(t.Children))
	if !ok {
		return 0, placed{}
	}
	terms, over := make([]uint32, len(t.Children)), make([]uint32, len(t.Children))
	for i, a := range t.Children {
		terms[i], over[i] = numbers[parts.Of(a)], classes[parts.Of(a)]
	}
	return p.place(op, terms, over)
}

// trees builds terms of numbered terms; what they share is one value.
type trees map[uint32]*term.Term

func (made trees) of(p *proofs, number uint32) *term.Term {
	for path := []uint32{number}; len(path) > 0; {
		at := path[len(path)-1]
		e, waits := p.terms[at], false
		for _, k := range p.kids(at) {
			if made[k] == nil {
				path, waits = append(path, k), true
			}
		}
		if waits {
			continue
		}
		if path = path[:len(path)-1]; made[at] != nil {
			continue
		}
		t := &term.Term{}
		if e.op == leafOp {
			t.Leaf = p.g.leaves.atoms[e.row]
		} else {
			t.Op = p.g.ops[e.op].name
		}
		for _, k := range p.kids(at) {
			t.Children = append(t.Children, made[k])
		}
		made[at] = t
	}
	return made[number]
}
