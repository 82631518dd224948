package egraph

import (
	"fmt"
	"strconv"
	"strings"
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
	parts, err := readAll("rule", text)
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

// MustRules is ParseRules for texts known to be right; it panics on others.
func MustRules(text string, options ...RuleOption) *Rules {
	set, err := ParseRules(text, options...)
	if err != nil {
		panic(err)
	}
	return set
}

func isRuleName(s *sexpr) bool {
	return s.colon || !s.quoted && !s.isList() && len(s.token) > 1 && strings.HasSuffix(s.token, ":")
}

// nameOf is the name in a token that isRuleName.
func nameOf(s *sexpr) string {
	if s.colon {
		return s.token
	}
	return strings.TrimSuffix(s.token, ":")
}

func ruleFail(at *sexpr, reason string) error {
	return &SyntaxError{What: "rule", Pos: at.pos, Reason: reason}
}

// rule reads one rule, or the two of <=>.
func (r *ruleReader) rule(set *Rules, parts []sexpr) error {
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
	if arrow.is("<=>") {
		if rule, err = r.oneWay(name+"-rev", right, left, conds, arrow); err != nil {
			return err
		}
		set.Add(rule)
	}
	return nil
}

// splitAt cuts at the first of the words.
func splitAt(parts []sexpr, words ...string) (before []sexpr, at *sexpr, after []sexpr) {
	for i := range parts {
		for _, w := range words {
			if parts[i].is(w) {
				return parts[:i], &parts[i], parts[i+1:]
			}
		}
	}
	return parts, nil, nil
}

func (r *ruleReader) oneWay(name string, left, right, conds []sexpr, arrow *sexpr) (*Rule, error) {
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
			return nil, ruleFail(sep, "nothing after "+sep.token)
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
func (r *ruleReader) leftSide(rule *Rule, parts []sexpr, arrow *sexpr) error {
	if len(parts) == 0 {
		return ruleFail(arrow, "no pattern before "+arrow.token)
	}
	for len(parts) > 0 {
		bind, rest, err := binding(rule, parts)
		if err != nil {
			return err
		}
		first := rest[0]
		if !first.isList() && !first.quoted && len(first.token) > 1 {
			first.token = strings.TrimSuffix(first.token, ",")
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
		if len(parts) > 0 && parts[0].is(",") {
			parts = parts[1:]
		}
	}
	return nil
}

// notAWord refuses a pattern that is a word of rules.
func notAWord(s *sexpr) error {
	switch {
	case s.is(","):
		return ruleFail(s, "a comma where a pattern should stand")
	case !s.quoted && ruleWord(s.token):
		return ruleFail(s, s.token+" where a pattern should stand; the leaf of that name stands in quotes")
	}
	return nil
}

// binding reads "?x =" where it stands, else answers -1.
func binding(rule *Rule, parts []sexpr) (int, []sexpr, error) {
	if len(parts) < 3 || !parts[1].is("=") || !parts[0].isVar() {
		return -1, parts, nil
	}
	v, ok := rule.names.number(parts[0].token)
	if !ok {
		return 0, nil, ruleFail(&parts[0], "the variable "+parts[0].token+" is not bound by the left side")
	}
	return v, parts[2:], nil
}

func (r *ruleReader) rightSide(rule *Rule, parts []sexpr, arrow *sexpr) error {
	if len(parts) == 0 {
		return ruleFail(arrow, "nothing after "+arrow.token)
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
	if name, ok := strings.CutPrefix(parts[0].token, "@"); ok && !parts[0].quoted {
		if rule.apply = r.appliers[name]; rule.apply == nil {
			return ruleFail(&parts[0], "no applier is named "+name+"; give it with egraph.WithApplier")
		}
		return nil
	}
	rule.right, err = shapeOf(&parts[0], rule.names)
	return err
}

func (r *ruleReader) condition(s *sexpr, rule *Rule) (condition, error) {
	if !s.isList() || s.list[0].isList() {
		return condition{}, ruleFail(s, "a condition is a list, (= p q), (!= p q) or (name p ...)")
	}
	c := condition{text: strings.TrimSpace(sexprText(s))}
	for i := range s.list[1:] {
		p, err := shapeOf(&s.list[i+1], rule.names)
		if err != nil {
			return c, err
		}
		c.args = append(c.args, p)
	}
	name := s.list[0].token
	c.same, c.differ = s.list[0].is("="), s.list[0].is("!=")
	if c.same || c.differ {
		if len(c.args) != 2 {
			return c, ruleFail(s, name+" compares two patterns")
		}
		return c, nil
	}
	if c.test = r.predicates[name]; c.test == nil {
		return c, ruleFail(&s.list[0], "no predicate is named "+name+"; give it with egraph.Where")
	}
	return c, nil
}

func sexprText(s *sexpr) string {
	if !s.isList() {
		if s.quoted {
			return strconv.Quote(s.token)
		}
		return s.token
	}
	parts := make([]string, len(s.list))
	for i := range s.list {
		parts[i] = sexprText(&s.list[i])
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// spelledAlone is a symbol as it stands in a rule outside of lists, where some names are words of the rule.
func spelledAlone(a Atom) string {
	name, s := a.plain(), a.String()
	if s == name && (ruleWord(name) || name == "if" || name == "and" || strings.HasSuffix(name, ":") || name[0] == '@') {
		return strconv.Quote(name)
	}
	return s
}

// ruleWord says whether a bare token outside of lists joins parts of a rule.
func ruleWord(token string) bool {
	return token == "=" || token == "," || token == "=>" || token == "<=>"
}
