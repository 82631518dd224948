// Package display is the vocabulary of things that can be looked at: a Bundle is one value in
// several MIME types, a shape is a method a value has when it can render itself, a Table is the one
// model from which plain text and HTML tables are made.
//
// It is a leaf: the standard library only, and no word of notebooks, so that cuda, cuda/plan and
// egraph can answer with a Table without drawing anything, and interp can ask any value how it
// wants to be seen.
//
// The way of a value: Render (render.go) looks for what Register taught, then for a shape
// (shapes.go, kinds.go), else makes a table where the value is tabular (tabular.go), else its text
// in Go's syntax (gotext.go); the answer is a Bundle (bundle.go) with text/plain always in it, made
// fit to be sent on by normal.go. Methods of others are called under guard.go. Several values,
// lists of what is drawn and such values in tables are pieces (pieces.go). A Table (table.go)
// prints its cells by format.go and becomes text (table_text.go, measured by width.go) and HTML
// (table_html.go). Show and progress bars (screen.go, progress.go) put bundles on a Screen while
// code runs; Ask and Password (ask.go) ask the person before it.
package display
