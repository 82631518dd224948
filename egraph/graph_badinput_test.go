package egraph

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// Every kind of bad input is a typed error whose text says where, what was found and what was
// wanted.
func TestBadInputIsNamed(t *testing.T) {
	add := func(text string) func() error {
		return func() error {
			g := New(Operators(map[string]int{"+": 2, "sin": 1}))
			_, err := g.Add(text)
			if g.Nodes() != 0 {
				t.Errorf("%q was refused and left %d nodes", text, g.Nodes())
			}
			return err
		}
	}
	parse := func(text string) func() error {
		return func() error { _, err := ParseRules(text); return err }
	}
	run := func(text string) func() error {
		return func() error {
			g := New(Operators(map[string]int{"+": 2, "sin": 1}))
			g.MustAdd("(+ x (sin y))")
			nodes := g.Nodes()
			set, err := ParseRules(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				return nil
			}
			r := g.Run(set)
			if r.Stop != Failed || g.Nodes() != nodes {
				t.Errorf("%q: stopped as %s, %d nodes", text, r.Stop, g.Nodes())
			}
			checked(t, g)
			return r.Err
		}
	}
	for _, c := range []struct {
		do   func() error
		want any
		text string
	}{
		// Malformed S-expressions.
		{add("(+ 1\n  (sin x)"), new(*term.SyntaxError), "egraph: term at 2:10: the text ends inside the list that " +
			"opened at 1:1"},
		{add("(+ 1 2))"), new(*term.SyntaxError), "egraph: term at 1:8: a ) without its ("},
		{add("(+ 1 ())"), new(*term.SyntaxError), "egraph: term at 1:6: an empty list is no term"},
		{add(" ; nothing"), new(*term.SyntaxError), "egraph: term at 1:11: the text is empty"},
		{add("(sin x) y"), new(*term.SyntaxError), "egraph: term at 1:9: more text after the first expression"},
		{add("(sin \xff)"), new(*term.SyntaxError), "egraph: term at 1:6: the text is not UTF-8"},
		{add("(sin \x00)"), new(*term.SyntaxError), "egraph: term at 1:6: the character U+0000 cannot stand in a name"},
		// Unknown operators and arity changes.
		{add("(cos x)"), new(*UnknownOperatorError), "egraph: operator cos/1 is not in the graph's language; declare it " +
			"with egraph.Operators"},
		{add("(+ 1 (sin x y))"), new(*ArityError), "egraph: operator sin takes 1 arguments, given 2; an operator has one " +
			"arity in a graph, use another name"},
		{run("r: (+ ?a ?b) => (cos ?a)"), new(*UnknownOperatorError),
			`egraph: rule "r": operator cos/1 is not in the graph's language; declare it with egraph.Operators`},
		{run("r: (+ ?a ?b) => (sin ?a ?b)"), new(*ArityError), `egraph: rule "r": operator sin takes 1 arguments, given ` +
			`2; an operator has one arity in a graph, use another name`},
		{run("r: (sin ?a ?b) => ?a"), new(*ArityError), `egraph: rule "r": operator sin takes 1 arguments, given 2; an ` +
			`operator has one arity in a graph, use another name`},
		{run("r: (+ ?a ?b) => ?a if (= (cos ?a) ?b)"), new(*UnknownOperatorError),
			`egraph: rule "r": operator cos/1 is not in the graph's language; declare it with egraph.Operators`},
		// Unbound variables on the right.
		{parse("r: (+ ?a ?b) => ?c"), new(*term.SyntaxError), "egraph: pattern at 1:17: the variable ?c is not bound by " +
			"the " +
			"left side"},
		{parse("r: (+ ?a ?b) =>\n  (+ ?a (sin ?c))"), new(*term.SyntaxError),
			"egraph: pattern at 2:14: the variable ?c is not bound by the left side"},
		{parse("r: (sin ?a) => ?a if (= ?a ?z)"), new(*term.SyntaxError),
			"egraph: pattern at 1:28: the variable ?z is not bound by the left side"},
		{parse("r: (sin ?a) <=> ?b"), new(*term.SyntaxError), "egraph: pattern at 1:17: the variable ?b is not bound by " +
			"the " +
			"left side"},
		{parse("r: (sin ?a) => ?q = ?a"), new(*term.SyntaxError), "egraph: rule at 1:16: the variable ?q is not bound by " +
			"the " +
			"left side"},
		// Rules that are none.
		{parse("r: (sin ?a)"), new(*term.SyntaxError), "egraph: rule at 1:1: no => or <=> after r:"},
		{parse("(sin ?a) => ?a"), new(*term.SyntaxError), "egraph: rule at 1:1: a rule starts with its name and a colon"},
		{parse("r: => ?a"), new(*term.SyntaxError), "egraph: rule at 1:4: no pattern before =>"},
		{parse("r: (sin ?a) =>"), new(*term.SyntaxError), "egraph: rule at 1:13: nothing after =>"},
		{parse("r: (sin ?a) => ?a ?a"), new(*term.SyntaxError), "egraph: rule at 1:19: more than one pattern on the " +
			"right side"},
		{parse("r: (sin ?a) => @f"), new(*term.SyntaxError), "egraph: rule at 1:16: no applier is named f; give it with " +
			"egraph.WithApplier"},
		{parse("r: (sin ?a) => ?a if (p ?a)"), new(*term.SyntaxError),
			"egraph: rule at 1:23: no predicate is named p; give " +
				"it with egraph.Where"},
		{parse("r: (sin ?a) => ?a if"), new(*term.SyntaxError), "egraph: rule at 1:19: nothing after if"},
		{parse("r: (sin ?a) => ?a if (= ?a 1) if"), new(*term.SyntaxError), "egraph: rule at 1:31: nothing after if"},
		{parse("r: (sin ?a) => ?a\nr: (+ ?a ?b) => ?a"), new(*RuleError), `egraph: rule "r": two rules have this name`},
	} {
		err := c.do()
		switch {
		case err == nil:
			t.Errorf("no error, want %s", c.text)
		case err.Error() != c.text:
			t.Errorf("got  %v\nwant %s", err, c.text)
		case !errors.As(err, c.want):
			t.Errorf("%v is no %T", err, c.want)
		}
	}
}

// An exploding set of rules stays within 5 % of its limits also where an iteration is large.
func TestLimitsOfAnExplosion(t *testing.T) {
	g, rules := mathGraph(t)
	if r := g.Run(rules, MaxNodes(700_000)); r.Stop != NodeLimit || !within5(700_000, r.Nodes) || r.Nodes < 100_000 {
		t.Error(r.Summary())
	}
	checked(t, g)
	g, rules = mathGraph(t)
	if r := g.Run(rules, MaxBytes(64<<20)); r.Stop != MemoryLimit || !within5(64<<20, r.Bytes) || r.Bytes < 16<<20 {
		t.Errorf("%d bytes: %s", r.Bytes, r.Summary())
	}
	checked(t, g)
}
