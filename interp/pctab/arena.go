package pctab

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An arena is memory outside of Go's heap, for one module. Nothing is ever given back: a program
// counter stays what it is.
type arena struct{ free []byte }

// chunkBytes is how much is asked of the system at least.
const chunkBytes = 1 << 18

var chunk struct {
	sync.Mutex
	arena
}

func newArena(bytes int) (*arena, error) {
	chunk.Lock()
	defer chunk.Unlock()
	bytes = (bytes + 15) &^ 15
	if len(chunk.free) < bytes {
		memory, err := unix.Mmap(-1, 0, max(bytes, chunkBytes), unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return nil, fmt.Errorf("pctab: %d bytes for the table of a function: %w", max(bytes, chunkBytes), err)
		}
		chunk.free = memory
	}
	a := &arena{chunk.free[:bytes:bytes]}
	chunk.free = chunk.free[bytes:]
	return a, nil
}

// place takes n zero values out of the arena, which was asked for enough.
func place[T any](a *arena, n int) []T {
	var zero T
	align := unsafe.Alignof(zero)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(a.free))) & (align - 1))
	bytes := n * int(unsafe.Sizeof(zero))
	taken := a.free[skip : skip+bytes]
	a.free = a.free[skip+bytes:]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(taken))), n)
}
