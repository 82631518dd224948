// Package tree holds the source tree to the laws that docs/architecture.md and CONTRIBUTING.md
// write down: what may import what (imports_test.go), what a doc.go says of its folder
// (docs_test.go), which tests look for leaks (leaks_test.go), how wide a line is and which words
// are used (text_test.go). source_test.go reads the tree.
package tree
