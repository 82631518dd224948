package rtype

import (
	"runtime/debug"
	"unsafe"
)

// moduleData is runtime.moduledata as far as its ranges of addresses.
type moduleData struct {
	_                   unsafe.Pointer
	_                   [6][3]uintptr
	_, _, _             uintptr // findfunctab, minpc, maxpc
	text, etext         uintptr
	_, _                uintptr // noptrdata
	data, edata         uintptr
	bss, ebss           uintptr
	_, _, _, _, _, _, _ uintptr // noptrbss, covctrs, end, gcdata, gcbss
	types, etypes       uintptr
}

//go:linkname lastModule runtime.lastmoduledatap
var lastModule *moduleData

// theModule is the binary: cells load no plugins.
var theModule = lastModule

// address is a number as an address. It must be one of the binary's own data, or not be used beyond a load.
func address(a uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// load reads a word at an address that is known to be there.
func load(a uintptr) uintptr { return *(*uintptr)(address(a)) }

// read reads a word at what may be an address.
func read(a uintptr) (word uintptr, ok bool) {
	if a < minAddress || a > maxAddress || a%wordSize != 0 {
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
	maxAddress = 1<<47 - wordSize
)

// mayBeData tells whether p may be the address of a variable or heap object.
func (m *moduleData) mayBeData(p uintptr) bool {
	return p >= minAddress && p <= maxAddress && p%wordSize == 0 && !(p >= m.text && p < m.etext) && !(p >= m.types && p < m.etypes)
}

// eachWord calls f with the addresses of the words of a range, until it returns false.
func eachWord(from, to uintptr, f func(a uintptr) bool) {
	for a := (from + wordSize - 1) &^ (wordSize - 1); a+wordSize <= to; a += wordSize {
		if !f(a) {
			return
		}
	}
}
