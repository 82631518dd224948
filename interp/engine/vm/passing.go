package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

var madeOf = reflect.TypeFor[func([]reflect.Value) []reflect.Value]()

// passes reports whether the compiled func f does nothing but call one of cell code, which may then recover where f might: what
// reflect.Value.Method and reflect.Type.Method give for cells' types, and reflect.MakeFunc for cells' funcs.
func passes(v *vm, f reflect.Value) bool {
	p := rtype.FuncWord(f)
	if p == nil {
		return false
	}
	if rtype.IsStub(rtype.CodeAddress(p)) {
		return true
	}
	r, ok := gorelease.ReflectedFunc(p)
	switch {
	case !ok:
		return false
	case r.Made != nil:
		return v.form(madeOf).own(r.Made) != nil
	}
	_, ours := v.Table.Lookup(r.Receiver)
	return ours
}
