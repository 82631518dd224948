// Package enginetest is one table of tests that every engine must pass: the programs of package
// conformance, each whole and cut into cells, and sessions of cells (testdata, sessions.go) about
// what changes over time: names declared again, goroutines that live on, panics that keep what came
// before them.
//
// An engine is right or refuses: one that may refuse (Options.MayRefuse) passes with a refusal,
// never with another outcome.
package enginetest
