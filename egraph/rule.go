package egraph

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A Rule rewrites what its left side matches: it says that the right side is equal. A left side of
// several patterns must match all of them at once.
type Rule struct {
	mu     sync.Mutex // held by whoever adds to the rule or tells it
	name   string
	names  *varNames
	left   []clause
	right  *shape
	target int // the variable that right is equal to, -1 for the class of the first pattern
	apply  Applier
	conds  []condition
	weight float64
	edits  int // since it was started
	err    error
}

// A clause is a pattern whose class is bound to a variable, or to none (-1).
type clause struct {
	bind  int
	shape *shape
}

// An Applier is a right side in Go: it gives the class that the match is equal to, or false for
// nothing. It may add to the graph and union what it likes; congruence is restored after the
// iteration.
type Applier func(g *EGraph, m *Match) (ID, bool)

// A Predicate is a condition in Go over classes.
type Predicate func(g *EGraph, args []ID) bool

// A condition holds or not for a match: either two shapes are in one class (or not), or a function
// of the match or of some shapes answers.
type condition struct {
	text   string
	test   Predicate
	onRule func(g *EGraph, m *Match) bool
	args   []*shape
	same   bool // the two args must be in one class
	differ bool
}

// NewRule starts a rule: NewRule("comm").Match("(+ ?a ?b)").Replace("(+ ?b ?a)").
func NewRule(name string) *Rule {
	return &Rule{name: name, names: newVarNames(), target: -1, weight: 1}
}

// made refuses a rule that is nil.
func (r *Rule) made(call string) {
	if r == nil {
		panic(&ArgumentError{call, "the rule", "nil", "one that NewRule started"})
	}
}

// edit keeps others from the rule until what it answers is called.
func (r *Rule) edit(call string) (done func()) {
	r.made(call)
	r.mu.Lock()
	return r.mu.Unlock
}

// may reports whether a rule can be added to: NewRule started it and what it is given is not nil.
func (r *Rule) may(call string, given bool) bool {
	r.edits++
	switch {
	case r.names == nil:
		r.fail(&RuleError{Rule: r.name, Reason: "it was made without NewRule"})
	case !given:
		r.fail(&RuleError{Rule: r.name, Reason: call + " of a nil function"})
	}
	return r.names != nil && given
}

// Name gives the rule's name.
func (r *Rule) Name() string {
	r.made("Rule.Name")
	return r.name
}

// Err gives what is wrong with the rule, nil where nothing is.
func (r *Rule) Err() error {
	if r == nil {
		return &RuleError{Reason: "it is nil"}
	}
	defer r.edit("Rule.Err")()
	return r.wrong()
}

func (r *Rule) wrong() error {
	switch {
	case r.err != nil:
		return r.err
	case r.names == nil:
		return &RuleError{Rule: r.name, Reason: "it was made without NewRule"}
	case len(r.left) == 0:
		return &RuleError{Rule: r.name, Reason: "it has no left side"}
	case r.right == nil && r.apply == nil:
		return &RuleError{Rule: r.name, Reason: "it has no right side"}
	}
	return nil
}

func (r *Rule) fail(err error) *Rule {
	if r.err == nil && err != nil {
		r.err = ruleError(r.name, err)
	}
	return r
}

// Match adds a pattern to the left side. "?x = (f ?a)" binds the pattern's class to a variable.
func (r *Rule) Match(pattern string) *Rule {
	defer r.edit("Rule.Match")()
	if !r.may("Rule.Match", true) {
		return r
	}
	bind := -1
	if name, rest, ok := strings.Cut(pattern, "="); ok && term.IsVarName(strings.TrimSpace(name)) &&
		!strings.ContainsAny(strings.TrimSpace(name), " ()") {
		bind, _ = r.names.number(strings.TrimSpace(name))
		pattern = rest
	}
	p, err := parseShape(pattern, r.names)
	if err == nil {
		r.left = append(r.left, clause{bind, p})
	}
	return r.fail(err)
}

// Replace sets the right side: a pattern whose variables the left side binds.
func (r *Rule) Replace(pattern string) *Rule {
	defer r.edit("Rule.Replace")()
	if !r.may("Rule.Replace", true) {
		return r
	}
	p, err := r.inner(pattern)
	r.right = p
	return r.fail(err)
}

// inner reads a pattern that binds no variables.
func (r *Rule) inner(pattern string) (*shape, error) {
	r.names.fixed = true
	defer func() { r.names.fixed = false }()
	return parseShape(pattern, r.names)
}

// Do sets the right side to a function.
func (r *Rule) Do(apply Applier) *Rule {
	defer r.edit("Rule.Do")()
	if r.may("Rule.Do", apply != nil) {
		r.apply = apply
	}
	return r
}

// If adds a condition in Go.
func (r *Rule) If(test func(g *EGraph, m *Match) bool) *Rule {
	defer r.edit("Rule.If")()
	if r.may("Rule.If", test != nil) {
		r.conds = append(r.conds, condition{text: "Go", onRule: test})
	}
	return r
}

// Where adds a condition over the classes of patterns, most often variables.
func (r *Rule) Where(test Predicate, patterns ...string) *Rule {
	defer r.edit("Rule.Where")()
	if !r.may("Rule.Where", test != nil) {
		return r
	}
	c := condition{text: "(Go " + strings.Join(patterns, " ") + ")", test: test}
	for _, text := range patterns {
		p, err := r.inner(text)
		if err != nil {
			return r.fail(err)
		}
		c.args = append(c.args, p)
	}
	r.conds = append(r.conds, c)
	return r
}

// Weight says how much of its matches' cost a rule is worth to a weighted scheduler; 1 is usual.
func (r *Rule) Weight(w float64) *Rule {
	defer r.edit("Rule.Weight")()
	if !r.may("Rule.Weight", true) {
		return r
	}
	if !(w > 0) {
		return r.fail(&RuleError{Rule: r.name, Reason: fmt.Sprintf("a weight is above 0, given %v", w)})
	}
	r.weight = w
	return r
}

// String is the rule as text.
func (r *Rule) String() string {
	defer r.edit("Rule.String")()
	if err := r.wrong(); err != nil {
		return r.name + ": " + err.Error()
	}
	var left []string
	for _, c := range r.left {
		s := c.shape.text(r.names.names)
		if c.bind >= 0 {
			s = r.names.names[c.bind] + " = " + s
		}
		left = append(left, s)
	}
	right := "Go"
	if r.right != nil {
		right = r.right.text(r.names.names)
	}
	if r.target >= 0 {
		right = r.names.names[r.target] + " = " + right
	}
	s := ruleName(r.name) + ": " + strings.Join(left, ", ") + " => " + right
	for _, c := range r.conds {
		s += " if " + c.text
	}
	return s
}

// ruleName is a rule's name as it stands in a text.
func ruleName(name string) string {
	if s := term.Quote(name); s != name || strings.HasSuffix(name, ":") {
		return strconv.Quote(name)
	}
	return name
}

// Rules is a set of rules.
type Rules struct {
	list     []*Rule
	distinct atomic.Int32 // so many of the first have names of their own
}

// made refuses a set that is nil.
func (s *Rules) made(call string) {
	if s == nil {
		panic(&ArgumentError{call, "the set of rules", "nil", "one, which may be empty"})
	}
}

// NewRules makes a set.
func NewRules(rules ...*Rule) *Rules { return &Rules{list: rules} }

// Add appends rules and gives the set.
func (s *Rules) Add(rules ...*Rule) *Rules {
	s.made("Rules.Add")
	s.list = append(s.list, rules...)
	return s
}

// Join appends the rules of other sets and gives the set.
func (s *Rules) Join(sets ...*Rules) *Rules {
	s.made("Rules.Join")
	for _, o := range sets {
		o.made("Rules.Join")
		s.list = append(s.list, o.list...)
	}
	return s
}

// Len is the number of rules.
func (s *Rules) Len() int {
	s.made("Rules.Len")
	return len(s.list)
}

// Rule gives a rule by name, nil where there is none.
func (s *Rules) Rule(name string) *Rule {
	s.made("Rules.Rule")
	for _, r := range s.list {
		if r != nil && r.name == name {
			return r
		}
	}
	return nil
}

// String is the set as text, a rule a line.
func (s *Rules) String() string {
	s.made("Rules.String")
	var b strings.Builder
	for _, r := range s.list {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

// err gives the first rule's error.
func (s *Rules) err() error {
	if s == nil {
		return &ArgumentError{"Run", "the set of rules", "nil", "one, which may be empty"}
	}
	for _, r := range s.list {
		if err := r.Err(); err != nil {
			return err
		}
	}
	if int(s.distinct.Load()) == len(s.list) {
		return nil
	}
	seen := make(map[string]bool, len(s.list))
	for _, r := range s.list {
		if seen[r.name] {
			return &RuleError{Rule: r.name, Reason: "two rules have this name"}
		}
		seen[r.name] = true
	}
	s.distinct.Store(int32(len(s.list)))
	return nil
}
