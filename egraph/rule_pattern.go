package egraph

import "strings"

// A shape is a pattern: a variable, an atom, or an operator over shapes. Variables are numbered by the
// rule that the shape belongs to.
type shape struct {
	kind shapeKind
	v    int // variable
	atom Atom
	op   string
	args []*shape
	pos  Position
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
func shapeOf(s *sexpr, names *varNames) (*shape, error) {
	if !s.isList() {
		if s.is("?") {
			return nil, &SyntaxError{What: "pattern", Pos: s.pos, Reason: "a variable has a name behind its ?"}
		}
		if !s.isVar() {
			a, err := atomOf("pattern", s)
			return &shape{kind: isAtom, atom: a, pos: s.pos}, err
		}
		if strings.HasSuffix(s.token, ",") {
			return nil, checkToken("pattern", s)
		}
		v, ok := names.number(s.token)
		if !ok {
			return nil, &SyntaxError{What: "pattern", Pos: s.pos, Reason: "the variable " + s.token + " is not bound by the left side"}
		}
		return &shape{kind: isVar, v: v, pos: s.pos}, nil
	}
	head := &s.list[0]
	if head.isList() || head.isVar() {
		return nil, &SyntaxError{What: "pattern", Pos: head.pos, Reason: "an operator's name must stand first in a list"}
	}
	if len(s.list) == 1 {
		a, err := atomOf("pattern", head)
		return &shape{kind: isAtom, atom: a, pos: s.pos}, err
	}
	if err := checkToken("pattern", head); err != nil {
		return nil, err
	}
	p := &shape{kind: isApp, op: head.token, args: make([]*shape, len(s.list)-1), pos: s.pos}
	for i := range p.args {
		arg, err := shapeOf(&s.list[i+1], names)
		if err != nil {
			return nil, err
		}
		p.args[i] = arg
	}
	return p, nil
}

func parseShape(text string, names *varNames) (*shape, error) {
	s, err := readOne("pattern", text)
	if err != nil {
		return nil, err
	}
	return shapeOf(&s, names)
}

// ground says whether the shape has no variables, so that it is one term.
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

// equal says whether two ground shapes are the same term.
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
func (p *shape) term() *Term {
	if p.kind == isAtom {
		return Leaf(p.atom)
	}
	t := &Term{Op: p.op, Args: make([]*Term, len(p.args))}
	for i, a := range p.args {
		t.Args[i] = a.term()
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
		b.WriteString("(" + spelled(p.op))
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
