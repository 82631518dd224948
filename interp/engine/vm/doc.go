// Package vm executes units: go/ssa functions as closures over typed frames, with real runtime types.
//
// The way of a unit: package link loads it, and has each of its functions compiled (unit.go, compile.go) without what Go does not evaluate (package unevaluated). fold.go decides what is computed inside the op of its only user, with update.go for x op= y and append.go for
// append(s, x); liveness.go and coalesce.go which values share a slot; layout.go gives the others a slot each in a
// frame. A table (table.go) maps each kind of instruction to the builder of its op, a file a family (arith.go compare.go convert.go
// shift.go unary.go extreme.go memory.go index.go slice.go maps.go iterate.go iface.go assert.go chans.go selects.go selectgo.go call.go wordcall.go
// invoke.go closure.go defer.go deferral.go keptcall.go goroutine.go builtin.go control.go branch.go latch.go phi.go). Run (run.go)
// executes it on a goroutine of the engine's (routine.go), with the frames of frame.go.
//
// What is dead in a frame is found by the garbage collector's cycles, not where programs run: stops.go notes while functions are compiled what reads and
// writes slots and where control leaves, stackmap.go solves that when asked, forget.go asks.
//
// What is folded becomes a closure that returns its value (expr.go, operand.go; address.go and access.go for memory). The closures that
// differ in an operator and in where their operands come from are written by gen (fused_*.go).
//
// Compiled Go is called through native.go, shapes.go, registers.go and intrinsic.go, and calls back through adapters.go, methods.go
// and callback.go; what would wait without end, leave the process or show the engine's own frames is replaced
// (natives.go, waits.go, chanwait.go, caller.go, funcptr.go). A deferred call through package reflect passes recover on (passing.go).
//
// Who waits for what is listed by roster.go; deadlock.go tells package deadlock, which ends a cell that nothing can wake. A wait for a process
// ends with the process (processes.go), a server with the cell that it serves in (servers.go), a
// request and a wait at a pipe too (clients.go); package reflect waits for channels as cells do
// (reflected.go). Package standin has what exits. Panics leave through compiled code, and tests
// run, by
// uncaught.go and testing.go; in bubbles of testing/synctest goroutines wait as compiled ones do
// (bubble.go). Where very many goroutines compute, hush.go
// gives others a turn.
//
// Laws: a frame is one heap object whose type tells the collector which words are pointers; a slot is written before it is
// read; what reads memory or may fail keeps its place among what writes or fails; every loop, call and wait looks whether its goroutine is to stop; what cannot be executed as Go would is an
// *engine.Refusal when the unit is loaded, never a wrong result later.
package vm
