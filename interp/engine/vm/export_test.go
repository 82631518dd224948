package vm

// AskAlways makes goroutines that start from now on forget what is dead at every turn of a loop and call.
func AskAlways(on bool) { alwaysAsked.Store(on) }

// WaitFor is a wait of compiled code.
var WaitFor = waitFor
