package term

import (
	"fmt"
	"strings"
)

// A Term is a leaf (no Children: Leaf holds it) or an operator over terms.
type Term struct {
	Op       string // "" for a leaf
	Leaf     Atom
	Children []*Term
}

// Parse reads one S-expression: x, 7, 1/3, (+ x (* 2 y)), (f "two words"). (f) is the leaf f. A name in quotes,
// with the escapes of Go's strings, is a name whatever it reads as without them.
func Parse(text string) (*Term, error) {
	s, err := ReadOne("term", text)
	if err != nil {
		return nil, err
	}
	return termOf(s)
}

// MustParse is Parse for texts known to be right; it panics on others.
func MustParse(text string) *Term {
	t, err := Parse(text)
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
	return &Term{Op: op, Children: args}
}

func termOf(s Expr) (*Term, error) {
	if !s.IsList() {
		return LeafOf(s)
	}
	head := s.List[0]
	if head.IsList() || head.IsVar() {
		return nil, &SyntaxError{What: "term", Pos: head.Pos, Reason: "an operator's name must stand first in a list"}
	}
	if len(s.List) == 1 {
		return LeafOf(head)
	}
	if err := CheckToken("term", head); err != nil {
		return nil, err
	}
	t := &Term{Op: head.Token, Children: make([]*Term, len(s.List)-1)}
	for i := range t.Children {
		arg, err := termOf(s.List[i+1])
		if err != nil {
			return nil, err
		}
		t.Children[i] = arg
	}
	return t, nil
}

// LeafOf reads a leaf of a term.
func LeafOf(s Expr) (*Term, error) {
	if s.IsVar() || s.Is("?") {
		return nil, &SyntaxError{What: "term", Pos: s.Pos, Reason: "a variable (" + s.Token +
			") stands in a pattern, not in a term"}
	}
	a, err := AtomOf("term", s)
	return Leaf(a), err
}

// AtomOf reads a leaf; a number over zero is refused, as it is neither a number nor meant as a name.
func AtomOf(what string, s Expr) (Atom, error) {
	if s.IsList() {
		return Atom{}, notToken(what, s)
	}
	if s.Quoted {
		return Name(s.Token), CheckToken(what, s)
	}
	if overZero(s.Token) {
		return Atom{}, &SyntaxError{What: what, Pos: s.Pos, Reason: s.Token + " divides by zero"}
	}
	return Symbol(s.Token), CheckToken(what, s)
}

// overZero reports whether a text is a number over zero.
func overZero(s string) bool {
	num, den, fraction := strings.Cut(s, "/")
	_, ok := parseNumber(num)
	return fraction && ok && den != "" && strings.Trim(den, "0") == ""
}

// CheckToken refuses a name that was hardly meant: with a comma or the colon of a rule at its end.
func CheckToken(what string, s Expr) error {
	switch {
	case s.IsList():
		return notToken(what, s)
	case s.Colon:
		return &SyntaxError{what, s.Pos, "a colon behind quotes makes a rule's name, which stands outside of lists"}
	case s.Quoted || len(s.Token) == 1:
		return nil
	case s.Token[0] == '?' || strings.HasSuffix(s.Token, ","):
		const reason = "a name such as %s stands in quotes: %q; parts of a list are separated by blanks"
		return &SyntaxError{what, s.Pos, fmt.Sprintf(reason, s.Token, s.Token)}
	}
	return checkText(what, s)
}

func notToken(what string, s Expr) error {
	return &SyntaxError{What: what, Pos: s.Pos, Reason: "a list stands where a name is wanted"}
}

func checkText(what string, s Expr) error {
	if err := CheckName(s.Token); err != nil {
		return &SyntaxError{What: what, Pos: s.Pos, Reason: strings.TrimPrefix(err.Error(), "egraph: ")}
	}
	return nil
}

// Size is the number of operators and leaves of the term, each counted as often as it stands there;
// math.MaxInt where it is more. Parts that are shared are walked once. Of what is no term (a part that is nil, or
// that it stands in itself) it panics with a *MalformedError.
func (t *Term) Size() int {
	parts, err := PartsOf(t)
	if err != nil {
		panic(err)
	}
	return parts.Size()
}

// maxPrinted bounds the operators and leaves of a term that is printed.
const maxPrinted = 1_000_000

// String is the term as an S-expression. A term too large for that says so instead, and what is no term says why.
func (t *Term) String() string {
	parts, err := PartsOf(t)
	if err != nil {
		return "(" + err.(*MalformedError).Reason + ")"
	}
	if n := parts.Size(); n > maxPrinted {
		return fmt.Sprintf("(a term of %d operators and leaves, too large to print)", n)
	}
	var b strings.Builder
	t.write(&b)
	return b.String()
}
