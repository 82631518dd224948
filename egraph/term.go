package egraph

import (
	"fmt"
	"strings"
)

// A Term is a leaf (no Args: Leaf holds it) or an operator over terms.
type Term struct {
	Op   string // "" for a leaf
	Leaf Atom
	Args []*Term
}

// ParseTerm reads one S-expression: x, 7, 1/3, (+ x (* 2 y)), (f "two words"). (f) is the leaf f. A name in quotes,
// with the escapes of Go's strings, is a name whatever it reads as without them.
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
	if head.isList() || head.isVar() {
		return nil, &SyntaxError{What: "term", Pos: head.pos, Reason: "an operator's name must stand first in a list"}
	}
	if len(s.list) == 1 {
		return leafOf(head)
	}
	if err := checkToken("term", head); err != nil {
		return nil, err
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
	if s.isVar() || s.is("?") {
		return nil, &SyntaxError{What: "term", Pos: s.pos, Reason: "a variable (" + s.token +
			") stands in a pattern, not in a term"}
	}
	a, err := atomOf("term", s)
	return Leaf(a), err
}

// atomOf reads a leaf; a number over zero is refused, as it is neither a number nor meant as a name.
func atomOf(what string, s *sexpr) (Atom, error) {
	if s.quoted {
		return Name(s.token), checkToken(what, s)
	}
	if overZero(s.token) {
		return Atom{}, &SyntaxError{What: what, Pos: s.pos, Reason: s.token + " divides by zero"}
	}
	return Symbol(s.token), checkToken(what, s)
}

// overZero says whether a text is a number over zero.
func overZero(s string) bool {
	num, den, fraction := strings.Cut(s, "/")
	_, ok := parseNumber(num)
	return fraction && ok && den != "" && strings.Trim(den, "0") == ""
}

// checkToken refuses a name that was hardly meant: with a comma or the colon of a rule at its end.
func checkToken(what string, s *sexpr) error {
	switch {
	case s.colon:
		return &SyntaxError{what, s.pos, "a colon behind quotes makes a rule's name, which stands outside of lists"}
	case s.quoted || len(s.token) == 1:
		return nil
	case s.token[0] == '?' || strings.HasSuffix(s.token, ","):
		const reason = "a name such as %s stands in quotes: %q; parts of a list are separated by blanks"
		return &SyntaxError{what, s.pos, fmt.Sprintf(reason, s.token, s.token)}
	}
	return checkText(what, s)
}

func checkText(what string, s *sexpr) error {
	if err := checkName(s.token); err != nil {
		return &SyntaxError{What: what, Pos: s.pos, Reason: strings.TrimPrefix(err.Error(), "egraph: ")}
	}
	return nil
}

// Size is the number of operators and leaves of the term, each counted as often as it stands there;
// math.MaxInt where it is more. Parts that are shared are walked once. Of what is no term (a part that is nil, or
// that it stands in itself) it panics with a *TermError.
func (t *Term) Size() int {
	parts, err := partsOf(t)
	if err != nil {
		panic(err)
	}
	return parts.size()
}

// maxPrinted bounds the operators and leaves of a term that is printed.
const maxPrinted = 1_000_000

// String is the term as an S-expression. A term too large for that says so instead, and what is no term says why.
func (t *Term) String() string {
	parts, err := partsOf(t)
	if err != nil {
		return "(" + err.(*TermError).Reason + ")"
	}
	if n := parts.size(); n > maxPrinted {
		return fmt.Sprintf("(a term of %d operators and leaves, too large to print)", n)
	}
	var b strings.Builder
	t.write(&b)
	return b.String()
}
