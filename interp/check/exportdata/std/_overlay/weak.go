package weak

import "unsafe"

type Pointer[T any] struct {
	_ [0]*T
	u unsafe.Pointer
}

func Make[T any](ptr *T) Pointer[T] {
	if ptr == nil {
		return Pointer[T]{}
	}
	return Pointer[T]{u: register(unsafe.Pointer(ptr))}
}

func (p Pointer[T]) Value() *T {
	if p.u == nil {
		return nil
	}
	return (*T)(strong(p.u))
}

func register(p unsafe.Pointer) unsafe.Pointer

func strong(u unsafe.Pointer) unsafe.Pointer
