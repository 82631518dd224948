package vm

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// AskAlways makes goroutines that start from now on forget what is dead at every turn of a loop and call.
func AskAlways(on bool) { machine.AlwaysAsked.Store(on) }

// WaitFor is a wait of compiled code.
var WaitFor = machine.WaitFor

// General makes an engine that was opened just now make the general form of every instruction.
func General(e engine.Engine) { e.(vm).General = true }
