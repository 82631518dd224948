package runtime

import (
	"runtime"
	"unsafe"
)

func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	return addCleanup(unsafe.Pointer(ptr), func() { cleanup(arg) })
}

func addCleanup(p unsafe.Pointer, f func()) runtime.Cleanup
