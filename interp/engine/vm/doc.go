// Package vm executes units: go/ssa functions as closures over typed frames, with real runtime types.
//
// The way of a unit: Load (load.go) gives its variables memory, makes a target of every function (unit.go) and
// compiles them (compile.go): layout.go gives each SSA value a slot in a frame, a table (table.go) maps each kind of
// instruction to the builder of its op, a file a family (arith.go compare.go convert.go shift.go unary.go memory.go
// index.go slice.go maps.go iterate.go iface.go assert.go chans.go selects.go call.go invoke.go closure.go defer.go
// deferral.go goroutine.go builtin.go control.go phi.go fuse.go). Run (run.go) executes it on a goroutine of the engine's
// (routine.go). Compiled Go is called through native.go, shapes.go and intrinsic.go, and calls back through adapters.go
// and callback.go; what would wait without end, leave the process or show the engine's own frames is replaced
// (natives.go, waits.go, caller.go).
//
// Laws: a frame is one heap object whose type tells the collector which words are pointers; a slot is written before it is
// read; every loop, call and wait looks whether its goroutine is to stop; what cannot be executed as Go would is an
// *engine.Refusal when the unit is loaded, never a wrong result later.
package vm
