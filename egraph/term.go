package egraph

import (
	"fmt"
	"math"
	"strings"
)

// A Term is a leaf (no Args: Leaf holds it) or an operator over terms.
type Term struct {
	Op   string // "" for a leaf
	Leaf Atom
	Args []*Term
}

// ParseTerm reads one S-expression: x, 7, 1/3, (+ x (* 2 y)). (f) is the leaf f.
func ParseTerm(text string) (*Term, error) {
	s, err := readOne("term", text)
	if err != nil {
		return nil, err
	}
	return termOf(&s)
}

// MustTerm is ParseTerm for texts known to be right; it panics on others.
func MustTerm(text string) *Term {
	t, err := ParseTerm(text)
	if err != nil {
		panic(err)
	}
	return t
}

// Leaf is the term of an atom.
func Leaf(a Atom) *Term { return &Term{Leaf: a} }

// Apply is the term of an operator over terms.
func Apply(op string, args ...*Term) *Term {
	if len(args) == 0 {
		return Leaf(Symbol(op))
	}
	return &Term{Op: op, Args: args}
}

func termOf(s *sexpr) (*Term, error) {
	if !s.isList() {
		return leafOf(s)
	}
	head := &s.list[0]
	if head.isList() {
		return nil, &SyntaxError{What: "term", Pos: head.pos, Reason: "an operator's name must stand first in a list"}
	}
	if len(s.list) == 1 {
		return leafOf(head)
	}
	t := &Term{Op: head.token, Args: make([]*Term, len(s.list)-1)}
	for i := range t.Args {
		arg, err := termOf(&s.list[i+1])
		if err != nil {
			return nil, err
		}
		t.Args[i] = arg
	}
	return t, nil
}

func leafOf(s *sexpr) (*Term, error) {
	if s.token[0] == '?' {
		return nil, &SyntaxError{What: "term", Pos: s.pos, Reason: "a variable (" + s.token + ") stands in a pattern, not in a term"}
	}
	a, err := atomOf(s)
	return Leaf(a), err
}

// atomOf reads a leaf; a number over zero is refused, as it is neither a number nor meant as a name.
func atomOf(s *sexpr) (Atom, error) {
	num, den, fraction := strings.Cut(s.token, "/")
	if _, ok := parseNumber(num); fraction && ok && den != "" && strings.Trim(den, "0") == "" {
		return Atom{}, &SyntaxError{What: "term", Pos: s.pos, Reason: s.token + " divides by zero"}
	}
	return Symbol(s.token), nil
}

// Size is the number of operators and leaves of the term, each counted as often as it stands there;
// math.MaxInt where it is more. Parts that are shared are walked once.
func (t *Term) Size() int { return t.size(map[*Term]int{}) }

func (t *Term) size(known map[*Term]int) int {
	if n, ok := known[t]; ok {
		return n
	}
	n := 1
	for _, a := range t.Args {
		if s := a.size(known); n > math.MaxInt-s {
			n = math.MaxInt
		} else {
			n += s
		}
	}
	known[t] = n
	return n
}

// maxPrinted bounds the operators and leaves of a term that is printed.
const maxPrinted = 1_000_000

// String is the term as an S-expression. A term too large for that says so instead.
func (t *Term) String() string {
	if n := t.Size(); n > maxPrinted {
		return fmt.Sprintf("(a term of %d operators and leaves, too large to print)", n)
	}
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Term) write(b *strings.Builder) {
	if len(t.Args) == 0 {
		b.WriteString(t.Leaf.String())
		return
	}
	b.WriteByte('(')
	b.WriteString(t.Op)
	for _, a := range t.Args {
		b.WriteByte(' ')
		a.write(b)
	}
	b.WriteByte(')')
}
