package wake

// self is the address of the runtime's descriptor of the running goroutine.
//
//go:noescape
func self() uintptr
