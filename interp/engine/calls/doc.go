// Package calls is the way from code of cells into compiled Go and back.
//
//	calls.go      To and ToMethod choose how a compiled func is called: by the shape of its
//	              signature (shapes.go), by registers (registers.go) or through package reflect
//	direct.go     calls known while they are compiled, with few words
//	adapters.go   closures through which compiled code calls func values of cells
//	methods.go    methods of cells' types, as compiled code calls them through interfaces
//	passing.go    compiled funcs that only call one of a cell: recover acts in that
//	words.go      short names of package machine
//
// Law: what a call hands over is held by the frame, or by the caller's receiver, until the callee
// has it.
package calls
