// Package term is terms as text and as values: S-expressions, atoms, and terms over them, which may
// share parts.
//
//	t := term.MustParse("(+ x (* 2 y))")
//	t.Children[0].Leaf // x
//	term.Apply("f", t, term.Leaf(term.Int(7)))
//
// sexpr.go reads S-expressions with positions, which package egraph makes patterns and rules of too;
// names.go says which names stand in quotes, so that what is printed reads back; atom.go holds leaves
// (symbols, exact integers and rationals); term.go holds terms, parts.go walks them as the graphs that
// they are.
//
// Errors are a *SyntaxError with a position, a *NameError for a name that nothing can have, and a
// *MalformedError for a value that is no term.
package term
