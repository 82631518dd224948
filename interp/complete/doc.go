// Package complete answers what could stand at a place in a cell, and what stands there, from the
// types that package check finds.
//
// The way of a question: a Completer (completer.go) tells what a package exports from a table that
// it makes once. Anywhere else the text around the cursor is made whole with a word of ours in the
// place of what is being written (patch.go), checked, and the word found in the syntax: behind a
// dot its candidates are members, as a key in a struct literal fields, anywhere else what is in
// scope (candidates.go), behind goto and break labels (labels.go). Inspect (inspect.go) looks at
// the name under the cursor instead, or at the function whose arguments are written there, and adds
// its documentation; Named and Index (index.go) find what %help is asked for. builtins.go has what
// Go's own functions are.
//
// Law: at every place of every text there is an answer, within 50 ms. testdata holds the tables of
// what it is.
package complete
