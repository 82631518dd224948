package yaegi

import (
	"math"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// What follows fails as compiled code does, with the runtime's own values.

// nilFault is a nil pointer's dereference.
//
//go:noinline
func nilFault() {
	var p *int
	sink = *p
}

//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
var sink int

func bounds(x int64, y int, unsigned bool, code gorelease.BoundsCode) {
	panic(gorelease.BoundsError(x, y, !unsigned, code))
}

// number is an integer and whether its type is unsigned.
func number(v reflect.Value) (x int64, unsigned bool) {
	if v.CanUint() {
		return int64(v.Uint()), true
	}
	return v.Int(), false
}

// index checks an index against a length.
func index(v reflect.Value, n int) int {
	x, unsigned := number(v)
	if uint64(x) >= uint64(n) {
		bounds(x, n, unsigned, gorelease.BoundsIndex)
	}
	return int(x)
}

// makeLength checks the sizes given to make.
func makeLength(n, c reflect.Value, size uintptr) (int, int) {
	length, _ := number(n)
	capacity, _ := number(c)
	limit := int64(math.MaxInt64)
	if size > 0 {
		limit = (1 << 47) / int64(size)
	}
	if length < 0 || length > limit {
		_ = make([]struct{}, minusOne)
	}
	if capacity < length || capacity > limit {
		_ = make([]struct{}, -minusOne, zero)
	}
	return int(length), int(capacity)
}

var minusOne, zero = -1, 0

func failAssertion(iface, concrete, asserted reflect.Type, missing string) {
	panic(gorelease.AssertionError(wordOf(iface), wordOf(concrete), wordOf(asserted), missing))
}

func wordOf(t reflect.Type) rtype.Word {
	if t == nil {
		return nil
	}
	return rtype.WordOf(t)
}
