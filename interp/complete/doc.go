// Package complete answers what could stand at a place in a cell, and what stands there, from the
// types that package check finds.
//
// The way of a question: the text around the cursor is made whole with a word of ours in the place of
// what is being written (patch.go), checked, and the word found in the syntax: behind a dot its
// candidates are members, as a key in a struct literal fields, anywhere else what is in scope
// (candidates.go). Inspect (inspect.go) looks at the name under the cursor instead and adds its
// documentation.
package complete
