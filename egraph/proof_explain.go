package egraph

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// An Explanation is a proof that two terms are equal: each step rewrites one place of the term before.
type Explanation struct {
	Start *term.Term
	Steps []Step
}

// A Step is one rewrite.
type Step struct {
	Rule    string     // the rule's name, or the reason of a union
	Forward bool       // left to right
	Trusted bool       // the equality is a union's or a Go function's word, not an instance of a pattern rule
	Path    []int      // where: argument numbers from the top, from 0
	Term    *term.Term // the whole term after the step
	// Premises are, of a rule with several patterns on the left or one whose class has a name, what each of them
	// matched, in their order: an explanation that starts at the pattern's instance and ends at the term of
	// the variable that names its class, or has no steps where none does.
	Premises []*Explanation
}

// A NotEqualError is a question why two terms are equal that are not known to be.
type NotEqualError struct {
	A, B    string
	Missing string // the term that the graph does not hold, "" where it holds both
}

func (e *NotEqualError) Error() string {
	if e.Missing != "" {
		return fmt.Sprintf("egraph: no proof of %s = %s: the graph does not hold %s", e.A, e.B, e.Missing)
	}
	return fmt.Sprintf("egraph: no proof of %s = %s: they are in different classes", e.A, e.B)
}

// A NoProofsError is a question to a graph that was made without WithProofs.
type NoProofsError struct{}

func (*NoProofsError) Error() string {
	return "egraph: this graph does not remember why its terms are equal; make it with egraph.New(egraph.WithProofs())"
}

// maxSteps bounds a proof.
const maxSteps = 100_000

// Explain proves that two terms, which the graph holds, are equal.
func (g *EGraph) Explain(a, b string) (*Explanation, error) {
	s, err := term.Parse(a)
	if err != nil {
		return nil, err
	}
	t, err := term.Parse(b)
	if err != nil {
		return nil, err
	}
	return g.ExplainTerms(s, t)
}

// ExplainTerms is Explain of terms.
func (g *EGraph) ExplainTerms(a, b *term.Term) (*Explanation, error) {
	if err := g.enter("ExplainTerms"); err != nil {
		return nil, err
	}
	defer g.leave()
	if g.proofs == nil {
		return nil, &NoProofsError{}
	}
	partsA, err := term.PartsOf(a)
	if err != nil {
		return nil, err
	}
	partsB, err := term.PartsOf(b)
	if err != nil {
		return nil, err
	}
	if err := g.rebuilt(); err != nil {
		return nil, err
	}
	from, atA := g.proofs.placeParts(partsA)
	to, atB := g.proofs.placeParts(partsB)
	switch {
	case !atA.found:
		return nil, &NotEqualError{a.String(), b.String(), a.String()}
	case !atB.found:
		return nil, &NotEqualError{a.String(), b.String(), b.String()}
	case g.uf.find(atA.class) != g.uf.find(atB.class):
		return nil, &NotEqualError{a.String(), b.String(), ""}
	}
	w := &proofWriter{p: g.proofs, made: trees{}, premises: map[uint32][]*Explanation{}}
	return w.write(from, to, uint32(len(g.proofs.edges)))
}

// A move is a step over numbered terms.
type move struct {
	edge    uint32
	forward bool
	path    []int
	term    uint32 // the whole term after it
}

// An explainer unfolds edges into moves.
type explainer struct {
	p     *proofs
	memo  map[[2]uint32][]move
	depth int // of terms whose children are explained
	words int // of paths
	err   error
}

// maxWords bounds the paths of a proof's moves: at the bottom of a deep term they are as long as it is deep.
const maxWords = 1 << 26

func (x *explainer) fail(err error) []move {
	if x.err == nil {
		x.err = err
	}
	return nil
}

// explain gives moves from one term to another by edges older than the bound.
func (x *explainer) explain(from, to, bound uint32) []move {
	if from == to || x.err != nil {
		return nil
	}
	if moves, ok := x.memo[[2]uint32{from, to}]; ok {
		return moves
	}
	var moves []move
	at := from
	for _, half := range x.path(from, to, bound) {
		e := x.p.edges[half/2]
		next := e.b
		if half%2 == 1 {
			next = e.a
		}
		if e.kind == byCongruence {
			moves = append(moves, x.congruence(at, next, half/2)...)
		} else {
			moves = append(moves, move{edge: half / 2, forward: half%2 == 0, term: next})
		}
		at = next
	}
	if len(moves) > maxSteps {
		return x.fail(&FullError{"the steps of a proof", maxSteps})
	}
	moves = cutLoops(from, moves)
	x.memo[[2]uint32{from, to}] = moves
	return moves
}

// congruence rewrites the children of one term into those of the other, one after the other.
func (x *explainer) congruence(from, to, bound uint32) []move {
	if x.depth++; x.depth > term.MaxDepth {
		return x.fail(&FullError{"the depth of the terms of a proof", term.MaxDepth})
	}
	defer func() { x.depth-- }()
	var moves []move
	now := append([]uint32(nil), x.p.kids(from)...)
	for i, target := range append([]uint32(nil), x.p.kids(to)...) {
		for _, m := range x.explain(now[i], target, bound) {
			now[i] = m.term
			if x.words += len(m.path) + 1; x.words > maxWords {
				return x.fail(&FullError{"the words of the paths of a proof", maxWords})
			}
			term, _ := x.p.term(x.p.terms[from].op, now)
			moves = append(moves, move{m.edge, m.forward, append([]int{i}, m.path...), term})
		}
	}
	return moves
}

// path is the shortest path of half-edges between two terms over edges older than the bound.
func (x *explainer) path(from, to, bound uint32) []uint32 {
	came := map[uint32]uint32{from: 0} // half-edge+1 that led there
	queue := []uint32{from}
	for len(queue) > 0 {
		term := queue[0]
		queue = queue[1:]
		if term == to {
			return x.walkBack(from, to, came)
		}
		for h := x.p.heads[term]; h != 0; h = x.p.nexts[h-1] {
			half := h - 1
			e := x.p.edges[half/2]
			next := e.b
			if half%2 == 1 {
				next = e.a
			}
			if _, seen := came[next]; !seen && half/2 < bound {
				came[next] = h
				queue = append(queue, next)
			}
		}
	}
	x.err = &InvariantError{"proofs", "", int(from), fmt.Sprintf("terms %d and %d are not connected by edges before %d",
		from, to, bound)}
	return nil
}

func (x *explainer) walkBack(from, to uint32, came map[uint32]uint32) []uint32 {
	var path []uint32
	for at := to; at != from; {
		half := came[at] - 1
		path = append(path, half)
		e := x.p.edges[half/2]
		if half%2 == 0 {
			at = e.a
		} else {
			at = e.b
		}
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// cutLoops leaves out moves between two stands at the same term.
func cutLoops(from uint32, moves []move) []move {
	last := map[uint32]int{from: 0}
	for i, m := range moves {
		last[m.term] = i + 1
	}
	var short []move
	for at, i := from, last[from]; i < len(moves); i = last[at] {
		short = append(short, moves[i])
		at = moves[i].term
	}
	return short
}

// A proofWriter makes explanations of moves, and of what their rules rest on.
type proofWriter struct {
	p        *proofs
	made     trees
	premises map[uint32][]*Explanation // by edge
	steps    int
}

// write proves two terms equal by edges older than a bound: what a rule rests on is older than its edge, so no
// proof rests on itself.
func (w *proofWriter) write(from, to, bound uint32) (*Explanation, error) {
	x := &explainer{p: w.p, memo: map[[2]uint32][]move{}}
	moves := x.explain(from, to, bound)
	if x.err != nil {
		return nil, x.err
	}
	moves = cutLoops(from, moves)
	if w.steps += len(moves); w.steps > maxSteps {
		return nil, &FullError{"the steps of a proof and of its premises", maxSteps}
	}
	e := &Explanation{Start: w.made.of(w.p, from)}
	for _, m := range moves {
		why := w.p.edges[m.edge]
		s := Step{Rule: why.reason, Forward: m.forward, Trusted: why.kind == byTrust, Path: m.path,
			Term: w.made.of(w.p, m.term)}
		if why.rule != nil {
			s.Rule = why.rule.name
		}
		var err error
		if s.Premises, err = w.rest(m.edge); err != nil {
			return nil, err
		}
		e.Steps = append(e.Steps, s)
	}
	return e, nil
}

// rest proves what an edge rests on.
func (w *proofWriter) rest(edge uint32) ([]*Explanation, error) {
	if done, ok := w.premises[edge]; ok {
		return done, nil
	}
	var list []*Explanation
	for _, p := range w.p.premises[edge] {
		e, err := w.write(p.instance, p.class, edge)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	w.premises[edge] = list
	return list, nil
}

func (e *Explanation) made(call string) {
	if e == nil {
		panic(&ArgumentError{call, "the explanation", "nil", "one that Explain gave"})
	}
}

// End is the term that the proof arrives at.
func (e *Explanation) End() *term.Term {
	e.made("Explanation.End")
	if len(e.Steps) == 0 {
		return e.Start
	}
	return e.Steps[len(e.Steps)-1].Term
}

// String is the proof as a line a step.
func (e *Explanation) String() string {
	e.made("Explanation.String")
	var b strings.Builder
	b.WriteString("    " + e.Start.String() + "\n")
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "  = %s    [%s]\n", s.Term, s.why())
		for _, p := range s.Premises {
			b.WriteString("        as there is " + p.brief() + "\n")
		}
	}
	return b.String()
}

// brief is what an explanation proves.
func (e *Explanation) brief() string {
	switch {
	case e == nil:
		return "(no proof)"
	case len(e.Steps) == 0:
		return e.Start.String()
	}
	return fmt.Sprintf("%s = %s in %d steps", e.Start, e.End(), len(e.Steps))
}

func (s *Step) why() string {
	name := s.Rule
	if name == "" {
		name = "union"
	}
	if !s.Forward {
		name += ", right to left"
	}
	return name
}

// Table is the proof as people look at it.
func (e *Explanation) Table() display.Table {
	e.made("Explanation.Table")
	t := display.Table{
		Caption: fmt.Sprintf("%s = %s in %d steps", e.Start, e.End(), len(e.Steps)),
		Columns: []display.Column{{Title: "step", Kind: display.Number}, {Title: "by", Kind: display.Code},
			{Title: "at", Kind: display.Code}, {Title: "term", Kind: display.Code}},
	}
	t.Add(0, "", "", e.Start.String())
	for i, s := range e.Steps {
		t.Add(i+1, s.why(), s.place(), s.Term.String())
	}
	return t
}

// place tells the path as argument numbers from 1: "2.1".
func (s *Step) place() string {
	if len(s.Path) == 0 {
		return "top"
	}
	parts := make([]string, len(s.Path))
	for i, p := range s.Path {
		parts[i] = fmt.Sprint(p + 1)
	}
	return strings.Join(parts, ".")
}
