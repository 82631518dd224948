package egraph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A RuleOption gives names to what rules in text call.
type RuleOption func(*ruleReader)

// Where names a predicate, for conditions: "... if (nonzero ?x)".
func Where(name string, test Predicate) RuleOption {
	return func(r *ruleReader) { r.predicates[name] = test }
}

// WithApplier names a right side in Go: "... => @name".
func WithApplier(name string, apply Applier) RuleOption {
	return func(r *ruleReader) { r.appliers[name] = apply }
}

// ruleReader reads rules from text.
type ruleReader struct {
	text       string
	predicates map[string]Predicate
	appliers   map[string]Applier
}

// ParseRules reads a set of rules. A rule is
//
//	name: pattern => pattern
//	name: pattern, ?x = pattern => ?x = pattern if condition if condition
//
// and <=> makes two rules, the second named with -rev behind. A condition is (= p q) or (!= p q), of
// patterns that are added to the graph so that they can become equal, or (name p ...) for a predicate
// given by Where. => @name is a right side given by WithApplier. A rule may run over several lines: the
// next one starts at the next token that ends with a colon. ; starts a comment. A name in quotes, with the escapes of
// Go's strings, is a name whatever it reads as without them: "=>", "?x", "two words"; so is a rule's, "my rule":.
func ParseRules(text string, options ...RuleOption) (*Rules, error) {
	r := &ruleReader{text: text, predicates: map[string]Predicate{}, appliers: map[string]Applier{}}
	for i, o := range options {
		if o == nil {
			return nil, &ArgumentError{"ParseRules", fmt.Sprintf("option %d", i+1), "nil", "one"}
		}
		o(r)
	}
	parts, err := term.ReadAll("rule", text)
	if err != nil {
		return nil, err
	}
	set := &Rules{}
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && !isRuleName(&parts[n]) {
			n++
		}
		if err := r.rule(set, parts[:n]); err != nil {
			return nil, err
		}
		parts = parts[n:]
	}
	return set, set.err()
}

// MustParseRules is ParseRules for texts known to be right; it panics on others.
func MustParseRules(text string, options ...RuleOption) *Rules {
	set, err := ParseRules(text, options...)
	if err != nil {
		panic(err)
	}
	return set
}

func isRuleName(s *term.Expr) bool {
	return s.Colon || !s.Quoted && !s.IsList() && len(s.Token) > 1 && strings.HasSuffix(s.Token, ":")
}

// nameOf is the name in a token that isRuleName.
func nameOf(s *term.Expr) string {
	if s.Colon {
		return s.Token
	}
	return strings.TrimSuffix(s.Token, ":")
}

func ruleFail(at *term.Expr, reason string) error {
	return &term.SyntaxError{What: "rule", Pos: at.Pos, Reason: reason}
}

// rule reads one rule, or the two of <=>.
func (r *ruleReader) rule(set *Rules, parts []term.Expr) error {
	if !isRuleName(&parts[0]) {
		return ruleFail(&parts[0], "a rule starts with its name and a colon")
	}
	name := nameOf(&parts[0])
	left, arrow, right := splitAt(parts[1:], "=>", "<=>")
	if arrow == nil {
		return ruleFail(&parts[0], "no => or <=> after "+ruleName(name)+":")
	}
	right, ifToken, conds := splitAt(right, "if")
	switch {
	case ifToken == nil:
		conds = nil
	case len(conds) == 0:
		return ruleFail(ifToken, "nothing after if")
	}
	rule, err := r.oneWay(name, left, right, conds, arrow)
	if err != nil {
		return err
	}
	set.Add(rule)
	if arrow.Is("<=>") {
		if rule, err = r.oneWay(name+"-rev", right, left, conds, arrow); err != nil {
			return err
		}
		set.Add(rule)
	}
	return nil
}

// splitAt cuts at the first of the words.
func splitAt(parts []term.Expr, words ...string) (before []term.Expr, at *term.Expr, after []term.Expr) {
	for i := range parts {
		for _, w := range words {
			if parts[i].Is(w) {
				return parts[:i], &parts[i], parts[i+1:]
			}
		}
	}
	return parts, nil, nil
}

func (r *ruleReader) oneWay(name string, left, right, conds []term.Expr, arrow *term.Expr) (*Rule, error) {
	rule := NewRule(name)
	if err := r.leftSide(rule, left, arrow); err != nil {
		return nil, err
	}
	rule.names.fixed = true
	defer func() { rule.names.fixed = false }()
	if err := r.rightSide(rule, right, arrow); err != nil {
		return nil, err
	}
	for len(conds) > 0 {
		part, sep, rest := splitAt(conds, "if", "and")
		if sep != nil && len(rest) == 0 {
			return nil, ruleFail(sep, "nothing after "+sep.Token)
		}
		if len(part) != 1 {
			return nil, ruleFail(&conds[0], "a condition is one list, (= p q), (!= p q) or (name p ...)")
		}
		c, err := r.condition(&part[0], rule)
		if err != nil {
			return nil, err
		}
		rule.conds = append(rule.conds, c)
		conds = rest
	}
	return rule, rule.Err()
}

// leftSide reads patterns that stand beside each other, with "?x =" before those whose class is bound.
func (r *ruleReader) leftSide(rule *Rule, parts []term.Expr, arrow *term.Expr) error {
	if len(parts) == 0 {
		return ruleFail(arrow, "no pattern before "+arrow.Token)
	}
	for len(parts) > 0 {
		bind, rest, err := binding(rule, parts)
		if err != nil {
			return err
		}
		first := rest[0]
		if !first.IsList() && !first.Quoted && len(first.Token) > 1 {
			first.Token = strings.TrimSuffix(first.Token, ",")
		}
		if err := notAWord(&first); err != nil {
			return err
		}
		p, err := shapeOf(&first, rule.names)
		if err != nil {
			return err
		}
		rule.left = append(rule.left, clause{bind, p})
		parts = rest[1:]
		if len(parts) > 0 && parts[0].Is(",") {
			parts = parts[1:]
		}
	}
	return nil
}

// notAWord refuses a pattern that is a word of rules.
func notAWord(s *term.Expr) error {
	switch {
	case s.Is(","):
		return ruleFail(s, "a comma where a pattern should stand")
	case !s.Quoted && ruleWord(s.Token):
		return ruleFail(s, s.Token+" where a pattern should stand; the leaf of that name stands in quotes")
	}
	return nil
}

// binding reads "?x =" where it stands, else answers -1.
func binding(rule *Rule, parts []term.Expr) (int, []term.Expr, error) {
	if len(parts) < 3 || !parts[1].Is("=") || !parts[0].IsVar() {
		return -1, parts, nil
	}
	v, ok := rule.names.number(parts[0].Token)
	if !ok {
		return 0, nil, ruleFail(&parts[0], "the variable "+parts[0].Token+" is not bound by the left side")
	}
	return v, parts[2:], nil
}

func (r *ruleReader) rightSide(rule *Rule, parts []term.Expr, arrow *term.Expr) error {
	if len(parts) == 0 {
		return ruleFail(arrow, "nothing after "+arrow.Token)
	}
	target, parts, err := binding(rule, parts)
	if err != nil {
		return err
	}
	if len(parts) != 1 {
		return ruleFail(&parts[1], "more than one pattern on the right side")
	}
	if err := notAWord(&parts[0]); err != nil {
		return err
	}
	rule.target = target
	if name, ok := strings.CutPrefix(parts[0].Token, "@"); ok && !parts[0].Quoted {
		if rule.apply = r.appliers[name]; rule.apply == nil {
			return ruleFail(&parts[0], "no applier is named "+name+"; give it with egraph.WithApplier")
		}
		return nil
	}
	rule.right, err = shapeOf(&parts[0], rule.names)
	return err
}

func (r *ruleReader) condition(s *term.Expr, rule *Rule) (condition, error) {
	if !s.IsList() || s.List[0].IsList() {
		return condition{}, ruleFail(s, "a condition is a list, (= p q), (!= p q) or (name p ...)")
	}
	c := condition{text: strings.TrimSpace(sexprText(s))}
	for i := range s.List[1:] {
		p, err := shapeOf(&s.List[i+1], rule.names)
		if err != nil {
			return c, err
		}
		c.args = append(c.args, p)
	}
	name := s.List[0].Token
	c.same, c.differ = s.List[0].Is("="), s.List[0].Is("!=")
	if c.same || c.differ {
		if len(c.args) != 2 {
			return c, ruleFail(s, name+" compares two patterns")
		}
		return c, nil
	}
	if c.test = r.predicates[name]; c.test == nil {
		return c, ruleFail(&s.List[0], "no predicate is named "+name+"; give it with egraph.Where")
	}
	return c, nil
}

func sexprText(s *term.Expr) string {
	if !s.IsList() {
		if s.Quoted {
			return strconv.Quote(s.Token)
		}
		return s.Token
	}
	parts := make([]string, len(s.List))
	for i := range s.List {
		parts[i] = sexprText(&s.List[i])
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// spelledAlone is a symbol as it stands in a rule outside of lists, where some names are words of the rule.
func spelledAlone(a term.Atom) string {
	name, s := a.Text(), a.String()
	if s == name && (ruleWord(name) || name == "if" || name == "and" || strings.HasSuffix(name, ":") || name[0] == '@') {
		return strconv.Quote(name)
	}
	return s
}

// ruleWord reports whether a bare token outside of lists joins parts of a rule.
func ruleWord(token string) bool {
	return token == "=" || token == "," || token == "=>" || token == "<=>"
}
