// Package pctab gives places in cells program counters that the Go runtime knows. Compiled code
// that is handed one - runtime.CallersFrames, runtime.FuncForPC, the handlers of log/slog - finds
// the cell's function, file and line by itself.
//
// A program counter is all that such code keeps of a stack, so the places of cells must be in the
// runtime's own tables. Of puts a function there as the linker would: a moduledata of its own,
// linked behind the program's (moduledata.go), with the function's name and a table that gives each
// of its lines a range of addresses (lines.go). The addresses lie where no memory can be: nothing
// ever executes them.
//
//	function, line -> Of -> program counter -> runtime.CallersFrames -> function, file, line
//
// The layout is a fact of package gorelease; where it does not hold nothing is put anywhere.
package pctab
