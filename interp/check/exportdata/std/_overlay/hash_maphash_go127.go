package maphash

import "hash/maphash"

type Hasher[T any] interface {
	Hash(*maphash.Hash, T)
	Equal(x, y T) bool
}

type ComparableHasher[T comparable] struct {
	_ [0]func(T)
}

func (ComparableHasher[T]) Hash(h *maphash.Hash, v T) { WriteComparable(h, v) }

func (ComparableHasher[T]) Equal(x, y T) bool { return x == y }
