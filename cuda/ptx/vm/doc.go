// Package vm executes PTX in Go: an emulated device that also says what a
// program does wrong.
//
// A block runs as one machine over all its threads, which the files call lanes.
// Registers are arrays over lanes (arena.go), an instruction is one closure over
// all active lanes (step), and lanes that branch apart are groups that run in
// turn, lowest program counter first, until they meet again (reconverge.go).
//
// The way of a kernel: Load (program.go) takes a ptx.Module, lays its variables
// out in Memory (memory.go), and compiles every kernel: cfg.go cuts functions
// into blocks, liveness.go and registers.go give registers their slots,
// compile.go asks the table of builders (builders.go) for the closures of each
// instruction, from int.go, float.go, convert.go, compare.go, logic.go, access.go,
// atomic.go, warp.go, barrier.go, call.go and others, one instruction family each.
// Launch (launch.go) runs the blocks of a grid over a pool of goroutines;
// block.go is one block at work.
//
// Every access is translated through the allocation it hits, so an access out of
// bounds is always found, with buffer, offset, lanes and line (fault.go). Other
// checks are chosen in Options when the closures are made; one that is off costs
// nothing.
package vm
