package interp

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// result renders the values of the last expression. An error that is nil, the last of several
// values of a call, says only that all is well and is left out.
func result(k *check.Checked, values []reflect.Value) *display.Bundle {
	if n := len(values); n > 1 && !k.Listed && isError(k.Shown[n-1]) && isNil(values[n-1]) {
		values = values[:n-1]
	}
	switch len(values) {
	case 0:
		return nil
	case 1:
		b := display.Render(interfaceOf(values[0]))
		return &b
	}
	return several(values)
}

// several shows values side by side.
func several(values []reflect.Value) *display.Bundle {
	var all []any
	for _, v := range values {
		all = append(all, interfaceOf(v))
	}
	b := display.SideBySide(all)
	return &b
}

func interfaceOf(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isNil(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}
