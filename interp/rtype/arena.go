package rtype

import (
	"fmt"
	"sync"
	"syscall"
	"unsafe"
)

// A descriptor names its table of methods by an offset of 32 bits, forwards. Descriptors and tables
// therefore lie in one reserved range of addresses, the tables behind all descriptors, so that a
// type can have a larger table at any time. The collector does not look into it: what a descriptor
// here leads to is held by keepAlive, package reflect or the binary.

// half is the room for descriptors, and that for tables: of addresses, memory is mapped as it is
// used.
const half = 1 << 29

var arena struct {
	sync.Mutex
	memory []byte
	used   [2]int // of descriptors, of tables
	mapped [2]int
}

// A RoomError says that a process has used up its room for types.
type RoomError struct{ Err error }

func (e *RoomError) Error() string {
	return fmt.Sprintf("there is no more room for types that cells declare: %v: restart the worker", e.Err)
}

func (e *RoomError) Unwrap() error { return e.Err }

// allocate gives zeroed memory that is never freed, for a descriptor (0) or a table (1). It panics
// with a *RoomError.
func allocate(which int, size uintptr) unsafe.Pointer {
	arena.Lock()
	defer arena.Unlock()
	if arena.memory == nil {
		m, err := syscall.Mmap(-1, 0, 2*half, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(&RoomError{err})
		}
		arena.memory = m
	}
	at := arena.used[which]
	end := at + int(size+wordSize-1)&^(int(wordSize)-1)
	if end > half {
		panic(&RoomError{fmt.Errorf("all %d bytes are in use", half)})
	}
	if end > arena.mapped[which] {
		const step = 1 << 18
		upto := (end + step - 1) &^ (step - 1)
		more := arena.memory[which*half+arena.mapped[which] : which*half+upto]
		if err := syscall.Mprotect(more, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			panic(&RoomError{err})
		}
		arena.mapped[which] = upto
	}
	arena.used[which] = end
	return unsafe.Pointer(&arena.memory[which*half+at])
}
