package gorelease

import (
	"runtime/debug"
	"unsafe"
)

// address is a number as an address. It must be one of the binary's own data, or not be used beyond
// a load.
func address(a uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// load reads a word at an address that is known to be there.
func load(a uintptr) uintptr { return *(*uintptr)(address(a)) }

// read reads a word at what may be an address.
func read(a uintptr) (word uintptr, ok bool) {
	if a < minAddress || a > maxAddress || a%WordSize != 0 {
		return 0, false
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			word, ok = 0, false
		}
	}()
	return load(a), true
}

const (
	minAddress = 1 << 12
	maxAddress = 1<<47 - WordSize
)

// mayBeData reports whether p may be the address of a variable or heap object.
func mayBeData(p uintptr) bool {
	m := Program
	return p >= minAddress && p <= maxAddress && p%WordSize == 0 &&
		!(p >= m.Text && p < m.EText) && !(p >= m.Types && p < m.ETypes)
}

// eachWord calls f with the addresses of the words of a range, until it returns false.
func eachWord(from, to uintptr, f func(a uintptr) bool) {
	for a := (from + WordSize - 1) &^ (WordSize - 1); a+WordSize <= to; a += WordSize {
		if !f(a) {
			return
		}
	}
}
