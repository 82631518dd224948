package unevaluated

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// Offset is what unsafe.Offsetof answers whose arguments are a value of type t and the numbers of
// fields, each in the one before (package check has put them there): how many bytes the last begins
// behind the beginning of t.
func Offset(t reflect.Type, path []ssa.Value) (sum uintptr) {
	for _, i := range path {
		f := t.Field(int(i.(*ssa.Const).Int64()))
		sum, t = sum+f.Offset, f.Type
	}
	return sum
}
