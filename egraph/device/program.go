package device

import (
	"fmt"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A program is a job's rules as the words that eg_saturate interprets, and what its rows are made
// of.
type program struct {
	words   []uint32
	job     *accel.Job
	joins   int // operators that are joined
	atoms   []term.Atom
	atom    map[term.Atom]uint32
	grounds []ground
	ground  map[ground]uint32
	of      []uint32 // by ground of the job
	joinOf  []uint32 // by code
	joined  []uint32
	slots   int // of the rule that takes most
	levels  int
}

// sharedBytes is the shared memory of a block, and recordBytes what a warp leaves of its partial
// matches.
func (p *program) sharedBytes() int { return saturateThreads / 32 * 32 * 4 * (p.slots + 2*p.levels) }
func (p *program) recordBytes() int { return 32 * 4 * (p.slots + 2) }

// A ground is a term without variables: an operator code over grounds, or over an atom.
type ground struct{ code, left, right uint32 }

// unfit says what of a job the device does not take.
type unfit struct{ reason string }

func (u *unfit) Error() string { return "egraph/device: " + u.reason }

func refuse(format string, args ...any) error { return &unfit{fmt.Sprintf(format, args...)} }

// compile makes the words of a job.
func compile(j *accel.Job) (*program, error) {
	codes := firstCode + len(j.Ops)
	if codes >= 1<<opBits {
		return nil, refuse("%d operators, a row on a device has room for %d", len(j.Ops), 1<<opBits-firstCode-1)
	}
	p := &program{job: j, atoms: slices.Clone(j.Atoms), atom: map[term.Atom]uint32{}, ground: map[ground]uint32{},
		joinOf: make([]uint32, codes)}
	for i, a := range j.Atoms {
		p.atom[a] = uint32(i)
	}
	for i := range p.joinOf {
		p.joinOf[i] = none
	}
	for _, t := range j.Grounds {
		p.of = append(p.of, p.groundTerm(t))
	}
	p.words = make([]uint32, headWords)
	rules := make([][]uint32, len(j.Rules))
	roots := uint32(0)
	for i := range j.Rules {
		r := &ruleCompiler{p: p, rule: &j.Rules[i], slot: map[int]int{}}
		words, err := r.compile()
		if err != nil {
			return nil, err
		}
		rules[i], roots = words, roots|r.roots
	}
	head := func(word int, value int) { p.words[word] = uint32(value) }
	head(headOps, codes)
	head(headRules, len(rules))
	head(headGrounds, len(p.grounds))
	head(headJoins, len(p.joined))
	head(headSlots, p.slots)
	head(headLevels, p.levels)
	p.words[headWantsRoots] = roots
	p.table(headJoinOf, p.joinOf)
	p.table(headJoined, p.joined)
	var flat []uint32
	for _, g := range p.grounds {
		flat = append(flat, g.code, g.left, g.right)
	}
	p.table(headGroundAt, flat)
	p.link(rules)
	return p, nil
}

// table appends words and notes where they are.
func (p *program) table(head int, words []uint32) {
	p.words[head] = uint32(len(p.words))
	p.words = append(p.words, words...)
}

// link appends the rules behind a table of where they are; their right sides are named from their
// start.
func (p *program) link(rules [][]uint32) {
	at := make([]uint32, len(rules))
	next := uint32(len(p.words) + len(rules))
	for i, words := range rules {
		at[i] = next
		words[2] += next
		next += uint32(len(words))
	}
	p.table(headRuleAt, at)
	for _, words := range rules {
		p.words = append(p.words, words...)
	}
}

func (p *program) atomNumber(a term.Atom) uint32 {
	if n, ok := p.atom[a]; ok {
		return n
	}
	p.atom[a] = uint32(len(p.atoms))
	p.atoms = append(p.atoms, a)
	return p.atom[a]
}

// groundTerm numbers a term and its parts, parts first.
func (p *program) groundTerm(t *term.Term) uint32 {
	if len(t.Children) == 0 {
		return p.groundRow(ground{leafCode, p.atomNumber(t.Leaf), none})
	}
	kids := make([]uint32, len(t.Children))
	for i, a := range t.Children {
		kids[i] = p.groundTerm(a)
	}
	kids = pairUp(kids, func(a, b uint32) uint32 { return p.groundRow(ground{pairCode, a, b}) })
	g := ground{uint32(p.code(t.Op)), kids[0], none}
	if len(kids) == 2 {
		g.right = kids[1]
	}
	return p.groundRow(g)
}

func (p *program) groundRow(g ground) uint32 {
	if n, ok := p.ground[g]; ok {
		return n
	}
	p.ground[g] = uint32(len(p.grounds))
	p.grounds = append(p.grounds, g)
	return p.ground[g]
}

// code gives the code of an operator of the job.
func (p *program) code(name string) int {
	return firstCode + slices.IndexFunc(p.job.Ops, func(o accel.Op) bool { return o.Name == name })
}

// join numbers an operator that a step joins.
func (p *program) join(code int) uint32 {
	if p.joinOf[code] == none {
		p.joinOf[code] = uint32(len(p.joined))
		p.joined = append(p.joined, uint32(code))
	}
	return p.joinOf[code]
}
