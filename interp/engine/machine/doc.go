// Package machine is what code of cells runs on: frames, goroutines, panics, waits. It executes
// what package lower makes, and knows neither SSA instructions nor how compiled Go is called.
//
//	machine.go     the Machine of a session, and its Options
//	code.go        Code: a function's blocks of ops; Function: what callers hold, across generations
//	frame.go       frames: one heap object each, and the pools that give them out (pools.go)
//	types.go       what ops need to know of a runtime type; area.go lays memory out
//	closure.go     func values: objects that compiled code can call; callback.go: when it does
//	bound.go       the methods that calls on interfaces find
//	defer.go       deferred calls; panics.go: panics on their way, recover, stacks
//	failures.go    what fails panics with the runtime's own values
//	run.go         runs of units on goroutines (routine.go) beside the caller's (apart.go)
//	start.go       go statements; hush.go: a turn for others where very many compute
//	waits.go       what a goroutine waits for: channels (chanwait.go), selects (select.go,
//	               selectgo.go), bubbles of testing/synctest (bubble.go)
//	roster.go      lists who waits for what; deadlock.go tells package deadlock
//	stackmap.go    which pointers of a frame are dead where; forget.go has them forgotten
//	uncaught.go    panics that leave through compiled code
//	files.go       the session's standard input and output
//
// Laws: a frame's type tells the collector which of its words are pointers; a slot is written
// before it is read; whoever looks at a frame of another goroutine holds that where it waits; a
// goroutine whose run is stopped ends at its next loop, call or wait.
package machine
