// Package display is the vocabulary of things that can be looked at: a Bundle is one value in
// several MIME types, a shape is a method a value has when it can render itself, a Table is the one
// model from which plain text and HTML tables are made.
//
// It is a leaf: the standard library only, and no word of notebooks, so that cuda, cuda/plan and
// egraph can answer with a Table without drawing anything, and interp can ask any value how it wants
// to be seen.
//
// The way of a value: Render (render.go) looks for a shape (shapes.go), else makes a table where the
// value is tabular, else its text; the answer is a Bundle (bundle.go) with text/plain always in it.
package display
