package term

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// Every exported call refuses what it cannot do by an error of the package.
func TestLaws(t *testing.T) {
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Term)(nil), Expr{}, (*Parts)(nil)},
		Data:  []any{Position{}, Atom{}, (*SyntaxError)(nil), (*NameError)(nil), (*MalformedError)(nil)},
		States: []lawtest.State{
			{Name: "small", Works: true, New: func() any { return MustParse("(f x (g y))") }},
		},
		Functions: map[string]any{
			"Symbol": Symbol, "Name": Name, "Int": Int, "Rational": Rational, "Leaf": Leaf, "Apply": Apply, "Parse": Parse,
			"MustParse": MustParse, "ReadAll": ReadAll, "ReadOne": ReadOne, "AtomOf": AtomOf, "LeafOf": LeafOf,
			"CheckToken": CheckToken, "CheckName": CheckName, "Quote": Quote, "IsVarName": IsVarName, "PartsOf": PartsOf,
		},
		Refusal: func(v any) bool {
			switch v.(type) {
			case *SyntaxError, *NameError, *MalformedError:
				return true
			}
			return false
		},
		Args: []any{
			func() *Term { return MustParse("(f x)") },
			func() string { return "x" },
		},
		Answers: map[string]string{
			"Expr.Is zero":     "an empty list",
			"Expr.IsList zero": "an empty list",
			"Expr.IsVar zero":  "an empty list",
			"Term.Size zero":   "a leaf, whose name a graph refuses",
			"Term.String zero": "a leaf, whose name a graph refuses",
			"Term.String nil":  "it prints what is wrong",
		},
	})
}
