package egraph

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether an error, or what a call panicked with, is one of the package's.
func refusal(v any) bool {
	switch v.(type) {
	case *term.SyntaxError, *ArityError, *UnknownOperatorError, *ClassError, *RuleError, *FullError, *CallbackError,
		*InvariantError, *CostError, *ChangedError, *ArgumentError, *StaleError, *term.NameError, *term.MalformedError,
		*NoTermError,
		*NotEqualError, *NoProofsError, *ProofError, *FormatError, *InterruptedError, *accel.UnfitError, *OptionError,
		*BusyError:
		return true
	}
	return false
}

// fewNodes is a graph of a few nodes, in which 0 is a class.
func fewNodes() *EGraph {
	g := New(WithProofs())
	g.MustAdd("(f x (g y))")
	return g
}

// stale makes a graph whose earlier values are of another state.
func stale() (*EGraph, ID) {
	g := fewNodes()
	g.Push()
	return g, g.MustAdd("(f x y)")
}

// Every exported call refuses what it cannot do by an error of the package, and a new one is held
// to it.
func TestLaws(t *testing.T) {
	rule := func() *Rule { return NewRule("r").Match("(f ?x ?y)").Replace("?x") }
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*EGraph)(nil), Node{}, (*Rule)(nil), (*Rules)(nil), (*Pattern)(nil), (*Match)(nil),
			(*Extractor)(nil), (*Bulk)(nil), (*Explanation)(nil), (*Loaded)(nil)},
		Data: []any{(*Report)(nil), (*Iteration)(nil), (*Extraction)(nil), (*DAGExtraction)(nil),
			(*Difference)(nil), (*Step)(nil), (*ArityError)(nil),
			(*UnknownOperatorError)(nil), (*ClassError)(nil), (*RuleError)(nil), (*FullError)(nil), (*CallbackError)(nil),
			(*InvariantError)(nil), (*CostError)(nil), (*ChangedError)(nil), (*ArgumentError)(nil), (*StaleError)(nil),
			(*NoTermError)(nil), (*NotEqualError)(nil), (*NoProofsError)(nil),
			(*ProofError)(nil), (*FormatError)(nil), (*InterruptedError)(nil), (*OptionError)(nil),
			(*BusyError)(nil)},
		States: []lawtest.State{
			{Name: "small", Works: true, New: func() any { return fewNodes() }},
			{Name: "named", Works: true, New: func() any { return rule() }},
			{Name: "stale", New: func() any {
				g, id := stale()
				n := g.NodesOf(id)[0]
				g.Pop()
				return n
			}},
			{Name: "stale", New: func() any {
				g, _ := stale()
				x, _ := g.NewExtractor(ASTSize)
				g.Pop()
				return x
			}},
			{Name: "stale", New: func() any {
				g, _ := stale()
				b := g.Bulk()
				_, _ = b.Leaf(term.Symbol("z"))
				g.Pop()
				return b
			}},
		},
		Functions: map[string]any{
			"ASTSize": ASTSize, "ASTDepth": ASTDepth, "OpCosts": OpCosts, "OneEach": OneEach, "New": New,
			"Operators": Operators, "WithAnalysis": WithAnalysis, "WithProofs": WithProofs,
			"ParsePattern": ParsePattern, "MustParsePattern": MustParsePattern, "ParseRules": ParseRules,
			"MustParseRules": MustParseRules,
			"NewRule":        NewRule, "NewRules": NewRules, "Where": Where, "WithApplier": WithApplier, "ReadJSON": ReadJSON,
			"ReadBinary": ReadBinary, "Simple": Simple, "Backoff": Backoff, "Weighted": Weighted, "Interrupt": Interrupt,
			"Iterations": Iterations, "MaxNodes": MaxNodes, "MaxBytes": MaxBytes, "MaxTime": MaxTime,
			"WithScheduler": WithScheduler, "Until": Until, "Threads": Threads,
			"OnIteration": OnIteration, "ShowProgress": ShowProgress, "On": On, "OnHost": OnHost, "Auto": Auto,
			"RegisterAccelerator": RegisterAccelerator, "FullSearch": FullSearch,
		},
		Refusal: refusal,
		Args: []any{
			func() *EGraph { return fewNodes() },
			func() *term.Term { return term.MustParse("(f x)") },
			func() *Rules { return NewRules(rule()) },
			func() *Rule { return rule() },
			func() string { return "(f x y)" },
			func() CostFunc { return ASTSize },
			func() NodeCost { return OneEach },
			func() io.Writer { return io.Discard },
			func() io.Reader { return bytes.NewReader(nil) },
			func() func(Node) bool { return func(Node) bool { return true } },
			func() func(map[string]ID) bool { return func(map[string]ID) bool { return true } },
			func() context.Context { return context.Background() },
			func() time.Duration { return time.Millisecond },
			func() Scheduler { return Simple() },
			func() Predicate { return func(*EGraph, []ID) bool { return true } },
			func() Applier { return func(*EGraph, *Match) (ID, bool) { return 0, false } },
		},
		Answers: map[string]string{
			"EGraph.RunContext of nil 0":   "Report.Err says it",
			"EGraph.RunContext of nil 1":   "Report.Err says it",
			"EGraph.Run of nil 0":          "Report.Err says it",
			"On of nil 0":                  "Run refuses it",
			"OnIteration of nil 0":         "Run refuses it",
			"Until of nil 0":               "Run refuses it",
			"WithScheduler of nil 0":       "Run refuses it",
			"Auto of nil 0":                "Run refuses it",
			"Where of nil 1":               "ParseRules refuses it",
			"WithApplier of nil 1":         "ParseRules refuses it",
			"RegisterAccelerator of nil 0": "runs that do not say stay on the host",
			"OpCosts of nil 0":             "every operator costs 1",
			"Operators of nil 0":           "a language of leaves",
			"Rule.Do of nil 0":             "Rule.Err says it",
			"Rule.If of nil 0":             "Rule.Err says it",
			"Rule.Where of nil 0":          "Rule.Err says it",
			"Rule.Do zero":                 "Rule.Err says it",
			"Rule.If zero":                 "Rule.Err says it",
			"Rule.Where zero":              "Rule.Err says it",
			"Rule.Match zero":              "Rule.Err says it",
			"Rule.Replace zero":            "Rule.Err says it",
			"Rule.Weight zero":             "Rule.Err says it",
			"Rule.Name zero":               "it has none",
			"Rule.String zero":             "it prints Rule.Err",
			"Rules.Add zero":               "a set without rules",
			"Rules.Join zero":              "a set without rules",
			"Rules.Len zero":               "a set without rules",
			"Rules.Rule zero":              "a set without rules",
			"Rules.String zero":            "a set without rules",
			"Explanation.End zero":         "it has no term, which Check refuses",
			"Explanation.String zero":      "it has no term, which Check refuses",
			"Explanation.Table zero":       "it has no term, which Check refuses",
		},
	})
}
