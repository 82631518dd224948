// Package grammar tells where a text departs from the grammar of Go, in the words and at the places of the Go compiler. It makes no syntax: package
// go/parser does, whose errors have other words and other places, and where that refuses a text this package reads it again.
//
// The way of a text: scan.go makes lexemes, and words what is wrong with literals and characters; reader.go holds the place, notes what is refused
// and goes on behind it; decls.go, types.go, params.go, exprs.go and stmts.go read by recursive descent, a method for each production of the
// language specification. Of an expression is kept what later productions ask for (expr.go). A text with a package clause is read as a file, another as a cell: statements, and among them
// the declarations that Go has at package level.
//
// Where it looks for what follows a mistake, and so what it says next, is as the compiler's parser does it (cmd/compile/internal/syntax of Go 1.26): the
// corpus of package check compares the two.
package grammar
