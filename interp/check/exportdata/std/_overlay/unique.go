package unique

import "unsafe"

type Handle[T comparable] struct {
	value *T
}

func (h Handle[T]) Value() T { return *h.value }

func Make[T comparable](value T) Handle[T] {
	first := new(T)
	*first = value
	return Handle[T]{(*T)(intern(value, unsafe.Pointer(first)))}
}

// intern is compiled: the pointer that stands for all values equal to this one.
func intern(value any, first unsafe.Pointer) unsafe.Pointer
