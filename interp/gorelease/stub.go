package gorelease

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"
)

// Stubs is the fact that methods of cells' types are called by compiled code on.
var Stubs = &Fact{
	Name:    "ABIInternal.closure",
	Why:     "methods of types that cells declare are called through code that only sets the closure's register",
	Without: "cells: their types cannot have methods",
	Vital:   true,
	check:   checkStubs,
}

// The descriptor of a method holds a bare code address, and code alone cannot know which method of
// which type it is. So the binary has StubCount pieces of code that differ only in a number: stub i
// loads i and jumps to stubDispatch, which calls the func value in stubFuncs[i] with all registers
// as they came. stubs_amd64.s and stubs_arm64.s write them with macros.

// StubCount is how many stubs there are.
const StubCount = 2 * stubBlock

const stubBlock = 1 << 16

// stubFuncs holds func words as integers, so that the garbage collector need not scan a megabyte.
var stubFuncs [StubCount]uintptr

// SetStub has a stub call the func value fv, which the caller keeps alive, and returns its address.
func SetStub(i int, fv unsafe.Pointer) unsafe.Pointer {
	stubFuncs[i] = uintptr(fv)
	return stubAddress(i)
}

func stubAddress(i int) unsafe.Pointer {
	if i < stubBlock {
		return unsafe.Add(stubsLow(), i*stubSize)
	}
	return unsafe.Add(stubsHigh(), (i-stubBlock)*stubSize)
}

// IsStub reports whether code is the address of a stub.
func IsStub(code uintptr) bool {
	low, high := uintptr(stubsLow()), uintptr(stubsHigh())
	return code-low < stubBlock*stubSize || code-high < stubBlock*stubSize
}

// stubsLow and stubsHigh return the addresses of the two blocks.
func stubsLow() unsafe.Pointer
func stubsHigh() unsafe.Pointer

func checkStubs() error {
	for _, i := range []int{0, 1, 2, 12345, stubBlock - 1, stubBlock, stubBlock + 54321, StubCount - 1} {
		if err := checkStub(i); err != nil {
			return err
		}
	}
	for _, i := range []int{0, stubBlock} {
		if err := checkDispatch(i); err != nil {
			return err
		}
	}
	return nil
}

// checkStub reads the code of stub i as the assembler wrote it.
func checkStub(i int) error {
	code := unsafe.Slice((*byte)(stubAddress(i)), stubSize)
	if !stubLoads(code, i%stubBlock) {
		return fmt.Errorf("stub %d on %s does not load its number and jump: % x", i, runtime.GOARCH, code)
	}
	return nil
}

var codeOrder = binary.LittleEndian

//lint:ignore U1000 what is written here keeps what is called from moving
var stubProbe func(int, string, float64) (string, float64, int)

// checkDispatch calls a func value through a stub: arguments and results must come through.
func checkDispatch(i int) error {
	add := 7
	target := func(a int, s string, f float64) (string, float64, int) { return s, f, a + add }
	stubProbe = target // on the heap, where it does not move
	old := stubFuncs[i]
	word := SetStub(i, *(*unsafe.Pointer)(unsafe.Pointer(&target)))
	fv := unsafe.Pointer(&word)
	s, f, n := (*(*func(int, string, float64) (string, float64, int))(unsafe.Pointer(&fv)))(35, "x", 0.5)
	stubFuncs[i] = old
	if s != "x" || f != 0.5 || n != 42 {
		return fmt.Errorf("a call through stub %d gives %q, %v, %v", i, s, f, n)
	}
	return nil
}
