package egraph

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A ProofError is a step of an explanation that does not follow.
type ProofError struct {
	Step   int // from 1
	Reason string
}

func (e *ProofError) Error() string {
	return fmt.Sprintf("egraph: proof step %d: %s", e.Step, e.Reason)
}

// Check replays the proof with nothing but the rules: every step must rewrite one place by an instance
// of its rule. It shares no code with what made the proof. A trusted step is accepted where trust
// answers true for it; nil trusts none. Of a rule with several patterns, or one whose class has a name, the
// premises are replayed too; that the graph held their terms is not seen from here. Conditions of rules are not
// evaluated again. What does not follow is a *ProofError.
func (e *Explanation) Check(rules *Rules, trust func(s Step) bool) error {
	c := &proofCheck{rules: rules, trust: trust, state: map[*Explanation]bool{}}
	if rules == nil {
		c.rules = &Rules{}
	}
	return c.check(e)
}

// A proofCheck replays a proof and its premises, each once.
type proofCheck struct {
	rules *Rules
	trust func(s Step) bool
	state map[*Explanation]bool // true: replayed; false: it is being replayed
}

func (c *proofCheck) check(e *Explanation) error {
	if e == nil || isNoTerm(e.Start) {
		return &ProofError{0, "the explanation has no term to start from"}
	}
	if done, seen := c.state[e]; seen && !done {
		return &ProofError{0, "the proof rests on itself"}
	} else if seen {
		return nil
	}
	c.state[e] = false
	now := e.Start
	for i, s := range e.Steps {
		if err := c.step(now, &s); err != "" {
			return &ProofError{i + 1, err}
		}
		now = s.Term
	}
	c.state[e] = true
	return nil
}

func isNoTerm(t *term.Term) bool {
	_, err := term.PartsOf(t)
	return err != nil
}

func (c *proofCheck) step(before *term.Term, s *Step) string {
	after := s.Term
	if isNoTerm(after) {
		return "it leads to no term"
	}
	for _, arg := range s.Path {
		if before.Op != after.Op || len(before.Children) != len(after.Children) || arg < 0 || arg >= len(before.Children) {
			return "the path leads nowhere"
		}
		for i := range before.Children {
			if i != arg && !sameTerm(before.Children[i], after.Children[i]) {
				return fmt.Sprintf("argument %d changed beside the path", i+1)
			}
		}
		before, after = before.Children[arg], after.Children[arg]
	}
	if s.Trusted {
		if c.trust == nil || !c.trust(*s) {
			return "it rests on trust: " + s.Rule
		}
		return ""
	}
	rule := c.rules.Rule(s.Rule)
	if rule == nil || len(rule.left) == 0 || rule.right == nil {
		return "no pattern rule is named " + s.Rule
	}
	if !s.Forward {
		before, after = after, before
	}
	bound := make([]*term.Term, len(rule.names.names))
	if err := c.rests(rule, s, bound); err != "" {
		return err
	}
	if !instanceOf(rewritten(rule), before, bound) || !instanceOf(rule.right, after, bound) {
		return fmt.Sprintf("%s and %s are no instance of %s", before, after, rule)
	}
	return ""
}

// rests replays what a step rests on, and binds the variables that stand in it.
func (c *proofCheck) rests(rule *Rule, s *Step, bound []*term.Term) string {
	want := 0
	if len(rule.left) > 1 || rule.target >= 0 || rule.left[0].bind >= 0 {
		want = len(rule.left)
	}
	if len(s.Premises) != want {
		return fmt.Sprintf("%d premises for the %d that rule %s rests on", len(s.Premises), want, rule.name)
	}
	for i, p := range s.Premises {
		if err := c.check(p); err != nil {
			return fmt.Sprintf("premise %d: %s", i+1, err.(*ProofError).Reason)
		}
		clause := rule.left[i]
		if !instanceOf(clause.shape, p.Start, bound) {
			return fmt.Sprintf("premise %d: %s is no instance of the rule's pattern", i+1, p.Start)
		}
		end := p.End()
		if clause.bind < 0 && !sameTerm(p.Start, end) || clause.bind >= 0 && !instanceOf(&shape{v: clause.bind}, end, bound) {
			return fmt.Sprintf("premise %d: %s is not the term of the class that the rule names", i+1, end)
		}
	}
	return ""
}

// rewritten is the side of a rule that a step rewrites: the pattern whose class the right side is equal to.
func rewritten(rule *Rule) *shape {
	if rule.target < 0 {
		return rule.left[0].shape
	}
	for _, c := range rule.left {
		if c.bind == rule.target {
			return c.shape
		}
	}
	return &shape{kind: isVar, v: rule.target}
}

// instanceOf reports whether the term is the shape under the binding, which it extends.
func instanceOf(p *shape, t *term.Term, bound []*term.Term) bool {
	switch p.kind {
	case isVar:
		if bound[p.v] == nil {
			bound[p.v] = t
		}
		return sameTerm(bound[p.v], t)
	case isAtom:
		return len(t.Children) == 0 && t.Leaf == p.atom
	}
	if t.Op != p.op || len(t.Children) != len(p.args) {
		return false
	}
	for i, a := range p.args {
		if !instanceOf(a, t.Children[i], bound) {
			return false
		}
	}
	return true
}

// sameTerm compares terms part by part, and pairs of parts that are shared once.
func sameTerm(a, b *term.Term) bool {
	if a == b {
		return true
	}
	type pair struct{ a, b *term.Term }
	var seen map[pair]bool
	for todo, n := []pair{{a, b}}, 0; len(todo) > 0; n++ {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a == p.b || seen[p] {
			continue
		}
		if p.a == nil || p.b == nil || p.a.Op != p.b.Op || p.a.Leaf != p.b.Leaf || len(p.a.Children) != len(p.b.Children) {
			return false
		}
		if n >= 1<<6 && len(p.a.Children) > 0 {
			if seen == nil {
				seen = map[pair]bool{}
			}
			seen[p] = true
		}
		for i := range p.a.Children {
			todo = append(todo, pair{p.a.Children[i], p.b.Children[i]})
		}
	}
	return true
}
