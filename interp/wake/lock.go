package wake

import (
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/pctab"
)

// The runtime's lock, for its own data alone: a goroutine that holds one is not preempted, and must do little.
var runtimeLock, runtimeUnlock func(*mutex)

//go:linkname goready runtime.goready
func goready(gp unsafe.Pointer, traceskip int)

// findLocks finds the functions, which the runtime exports to nobody.
var findLocks = sync.OnceValue(func() bool {
	lock, unlock := pctab.Compiled("runtime.lock2"), pctab.Compiled("runtime.unlock2")
	if lock == 0 || unlock == 0 {
		return false
	}
	runtimeLock, runtimeUnlock = function(lock), function(unlock)
	return true
})

// function is the func value of a function at an address.
func function(at uintptr) func(*mutex) {
	word := &at
	return *(*func(*mutex))(unsafe.Pointer(&word))
}
