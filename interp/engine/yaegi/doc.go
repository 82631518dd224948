// Package yaegi executes units with the interpreter yaegi: the second engine behind the seam, by
// which the first is checked.
//
// yaegi by itself knows neither today's Go nor the identity of types, so it is given neither. A
// unit's functions are printed from their SSA form as the simplest Go there is (emit.go, block.go):
// variables of basic types, arithmetic on them, labels and gotos, calls. Everything else an
// instruction may say (memory.go composite.go iface.go convert.go chans.go calls.go builtins.go,
// with the checks of check.go) is an operation that the text calls by number; it works on values of
// the real runtime types (value.go, types.go), by reflection. A fresh interpreter reads the text of
// a unit (unit.go), which package link loads; memory and functions live outside of the interpreter,
// so later units reach them, and a function or method declared again takes the place of the old.
//
// A call makes a Frame (frame.go); deferred calls and panics are kept there (defer.go), since what
// yaegi makes of them is not Go (rangefunc.go: in loops over functions); goroutines, interrupts and
// what may wait for ever are in routine.go, run.go, natives.go and reflected.go. engine.go has the
// options, stdio.go and processes.go what cells and their processes read and write, place.go the
// line that runs. Package deadlock is told who waits for what by deadlock.go.
//
// What this cannot do as Go would is an *engine.Refusal (refuse.go) that names the construct: when
// the unit is loaded, or, for recursion too deep for the interpreter's stack, when it is run.
package yaegi
