// Package pctab gives places in cells program counters that the Go runtime knows. Compiled code that is handed one - runtime.CallersFrames,
// runtime.FuncForPC, the handlers of log/slog - finds the cell's function, file and line by itself.
//
// A program counter is all that such code keeps of a stack, so the places of cells must be in the runtime's own tables. Of puts a function
// there as the linker would: a moduledata of its own, linked behind the program's (moduledata.go), with the function's name and a table
// that gives each of its lines a range of addresses (lines.go). The addresses lie where no memory can be: nothing ever executes them.
//
//	function, line -> Of -> program counter -> runtime.CallersFrames -> function, file, line
//
// Compiled reads the tables that the linker made (lookup.go): where the runtime has a function that it exports to nobody.
//
// The layout is that of the Go release that the program was built with; Check compares it with what the linker made of the program itself.
package pctab
