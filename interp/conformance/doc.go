// Package conformance is what it means that cells are Go: programs with the output that the go
// command's build of them gives.
//
// The way of the data: corpus.go reads the programs and their kept outcomes from testdata, one
// txtar file a theme (native.go makes the outcomes anew, with -regen); cut.go cuts a program into
// cells; session.go checks and executes it, whole or in cells, on an engine, each program in a
// session of its own; outcome.go compares. Package enginetest (interp/engine/enginetest) runs all
// of it as one table over every engine.
//
// library.go makes cells of packages, in any order in which people could write their declarations.
//
// goroot.go finds the programs of the Go distribution's test directory that have a "// run" line,
// read where they lie, and examples.go the standard library's Example functions; judge.go runs each
// in a process of its own; expected.go compares with the lists of what does not pass, with its
// reasons, beside command goroot (cmd/goroot), which CI runs.
package conformance
