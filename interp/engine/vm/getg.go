package vm

// getg returns the address of the runtime's descriptor of the running goroutine: its identity while it lives. The first two
// words there are the bounds of its stack.
//
//go:noescape
func getg() uintptr
