// Package cell turns the text of a cell into syntax: imports, declarations and statements as go/ast
// has them, each with its exact place in the cell. It knows nothing of types.
//
// The way of a cell: the scanner finds the pieces that Go allows at package level only, imports and
// function declarations, and the brackets that do not match (outline.go); they are parsed one by
// one, and everything else is blanked out of them and parsed as one function body (split.go). A
// text that starts with a package clause is a whole program and parsed as a file. What go/parser
// refuses has the words and places that package grammar gives it, which are the compiler's
// (wording.go). Every position is In[number]:line:column, by a line directive in front of each
// parsed text. Directives to the go command that would change what the text means are refused
// (directives.go).
//
// Complete (complete.go) reports whether a text is a whole cell or goes on.
package cell
