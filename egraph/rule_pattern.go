package egraph

import (
	"strings"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A shape is a pattern: a variable, an atom, or an operator over shapes. Variables are numbered by
// the rule that the shape belongs to.
type shape struct {
	kind shapeKind
	v    int // variable
	atom term.Atom
	op   string
	args []*shape
	pos  term.Position
}

type shapeKind uint8

const (
	isVar shapeKind = iota
	isAtom
	isApp
)

// varNames numbers the variables of one rule.
type varNames struct {
	names []string // with their question mark
	index map[string]int
	fixed bool // no new names: a right side, a condition
}

func newVarNames() *varNames { return &varNames{index: map[string]int{}} }

func (n *varNames) number(name string) (int, bool) {
	if v, ok := n.index[name]; ok || n.fixed {
		return v, ok
	}
	n.index[name] = len(n.names)
	n.names = append(n.names, name)
	return len(n.names) - 1, true
}

// shapeOf reads a pattern from an expression.
func shapeOf(s *term.Expr, names *varNames) (*shape, error) {
	if !s.IsList() {
		if s.Is("?") {
			return nil, &term.SyntaxError{What: "pattern", Pos: s.Pos, Reason: "a variable has a name behind its ?"}
		}
		if !s.IsVar() {
			a, err := term.AtomOf("pattern", *s)
			return &shape{kind: isAtom, atom: a, pos: s.Pos}, err
		}
		if strings.HasSuffix(s.Token, ",") {
			return nil, term.CheckToken("pattern", *s)
		}
		v, ok := names.number(s.Token)
		if !ok {
			return nil, &term.SyntaxError{What: "pattern", Pos: s.Pos, Reason: "the variable " + s.Token +
				" is not bound by the left side"}
		}
		return &shape{kind: isVar, v: v, pos: s.Pos}, nil
	}
	head := &s.List[0]
	if head.IsList() || head.IsVar() {
		return nil, &term.SyntaxError{What: "pattern", Pos: head.Pos, Reason: "an operator's name must stand first in a list"}
	}
	if len(s.List) == 1 {
		a, err := term.AtomOf("pattern", *head)
		return &shape{kind: isAtom, atom: a, pos: s.Pos}, err
	}
	if err := term.CheckToken("pattern", *head); err != nil {
		return nil, err
	}
	p := &shape{kind: isApp, op: head.Token, args: make([]*shape, len(s.List)-1), pos: s.Pos}
	for i := range p.args {
		arg, err := shapeOf(&s.List[i+1], names)
		if err != nil {
			return nil, err
		}
		p.args[i] = arg
	}
	return p, nil
}

func parseShape(text string, names *varNames) (*shape, error) {
	s, err := term.ReadOne("pattern", text)
	if err != nil {
		return nil, err
	}
	return shapeOf(&s, names)
}

// ground reports whether the shape has no variables, so that it is one term.
func (p *shape) ground() bool {
	if p.kind == isVar {
		return false
	}
	for _, a := range p.args {
		if !a.ground() {
			return false
		}
	}
	return true
}

// equal reports whether two ground shapes are the same term.
func (p *shape) equal(o *shape) bool {
	if p.kind != o.kind || p.atom != o.atom || p.op != o.op || len(p.args) != len(o.args) {
		return false
	}
	for i, a := range p.args {
		if !a.equal(o.args[i]) {
			return false
		}
	}
	return true
}

// apps is how many operators the shape has that are not parts of ground terms.
func (p *shape) apps() int {
	if p.kind != isApp || p.ground() {
		return 0
	}
	n := 1
	for _, a := range p.args {
		n += a.apps()
	}
	return n
}

// term is the term of a ground shape.
func (p *shape) term() *term.Term {
	if p.kind == isAtom {
		return term.Leaf(p.atom)
	}
	t := &term.Term{Op: p.op, Children: make([]*term.Term, len(p.args))}
	for i, a := range p.args {
		t.Children[i] = a.term()
	}
	return t
}

// write prints the shape with the names of its variables.
func (p *shape) write(b *strings.Builder, names []string) {
	switch p.kind {
	case isVar:
		b.WriteString(names[p.v])
	case isAtom:
		b.WriteString(p.atom.String())
	case isApp:
		b.WriteString("(" + term.Quote(p.op))
		for _, a := range p.args {
			b.WriteByte(' ')
			a.write(b, names)
		}
		b.WriteByte(')')
	}
}

// text prints a shape that stands in a rule.
func (p *shape) text(names []string) string {
	if p.kind == isAtom && !p.atom.IsNumber() {
		return spelledAlone(p.atom)
	}
	var b strings.Builder
	p.write(&b, names)
	return b.String()
}
