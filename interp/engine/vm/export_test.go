package vm

import "github.com/vyre-kernel/vyre-kernel/interp/engine"

// AskAlways makes goroutines that start from now on forget what is dead at every turn of a loop and call.
func AskAlways(on bool) { alwaysAsked.Store(on) }

// WaitFor is a wait of compiled code.
var WaitFor = waitFor

// General makes an engine that was opened just now make the general form of every instruction.
func General(e engine.Engine) { e.(front).general = true }
