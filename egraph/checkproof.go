package egraph

import "fmt"

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
// answers true for it; nil trusts none. Conditions of rules are not evaluated again.
func (e *Explanation) Check(rules *Rules, trust func(s Step) bool) error {
	now := e.Start
	for i, s := range e.Steps {
		if err := checkStep(now, &s, rules, trust); err != "" {
			return &ProofError{i + 1, err}
		}
		now = s.Term
	}
	return nil
}

func checkStep(before *Term, s *Step, rules *Rules, trust func(s Step) bool) string {
	after := s.Term
	for _, arg := range s.Path {
		if before.Op != after.Op || len(before.Args) != len(after.Args) || arg >= len(before.Args) {
			return "the path leads nowhere"
		}
		for i := range before.Args {
			if i != arg && !sameTerm(before.Args[i], after.Args[i]) {
				return fmt.Sprintf("argument %d changed beside the path", i+1)
			}
		}
		before, after = before.Args[arg], after.Args[arg]
	}
	if s.Trusted {
		if trust == nil || !trust(*s) {
			return "it rests on trust: " + s.Rule
		}
		return ""
	}
	rule := rules.Rule(s.Rule)
	if rule == nil || len(rule.left) != 1 || rule.right == nil {
		return "no pattern rule is named " + s.Rule
	}
	if !s.Forward {
		before, after = after, before
	}
	bound := make([]*Term, len(rule.names.names))
	if !instanceOf(rule.left[0].shape, before, bound) || !instanceOf(rule.right, after, bound) {
		return fmt.Sprintf("%s and %s are no instance of %s", before, after, rule)
	}
	return ""
}

// instanceOf says whether the term is the shape under the binding, which it extends.
func instanceOf(p *shape, t *Term, bound []*Term) bool {
	switch p.kind {
	case isVar:
		if bound[p.v] == nil {
			bound[p.v] = t
		}
		return sameTerm(bound[p.v], t)
	case isAtom:
		return len(t.Args) == 0 && t.Leaf == p.atom
	}
	if t.Op != p.op || len(t.Args) != len(p.args) {
		return false
	}
	for i, a := range p.args {
		if !instanceOf(a, t.Args[i], bound) {
			return false
		}
	}
	return true
}

func sameTerm(a, b *Term) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || a.Leaf != b.Leaf || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if !sameTerm(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}
