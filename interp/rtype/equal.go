package rtype

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// EqualFunc returns == for values of the type (given by address), nil if they cannot be compared.
// Comparing interfaces that hold values that cannot be compared panics as in compiled code.
//
// It must not be inlined: given a compiled type the compiler would read the descriptor itself, and
// leave a reference that its linker does not accept.
//
//go:noinline
func EqualFunc(w Word) func(p, q unsafe.Pointer) bool { return (*abiType)(w).Equal }

// Comparable reports whether == is defined on the type. For interfaces it is, though it may panic.
func Comparable(w Word) bool { return (*abiType)(w).Equal != nil }

// Hash returns the runtime's hash of the value at p, as maps with keys of that type use it. It
// panics on a value that cannot be hashed.
func Hash(w Word, p unsafe.Pointer, seed uintptr) uintptr { return gorelease.Typehash(w, p, seed) }

// Regular reports whether equality of the type is equality of its bytes.
func Regular(w Word) bool { return (*abiType)(w).TFlag&flagRegular != 0 }
