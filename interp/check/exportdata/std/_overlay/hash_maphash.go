package maphash

import "hash/maphash"

func Comparable[T comparable](seed maphash.Seed, v T) uint64 {
	return comparableHash(seed, v)
}

func WriteComparable[T comparable](h *maphash.Hash, x T) {
	writeComparable(h, x)
}

func comparableHash(seed maphash.Seed, v any) uint64

func writeComparable(h *maphash.Hash, x any)
