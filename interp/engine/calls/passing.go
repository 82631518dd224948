package calls

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

var madeOf = reflect.TypeFor[func([]reflect.Value) []reflect.Value]()

// Passes reports whether the compiled func f does nothing but call one of cell code, which may then
// recover where f might: what reflect.Value.Method and reflect.Type.Method give for cells' types,
// and reflect.MakeFunc for cells' funcs.
func Passes(v *machine.Machine, f reflect.Value) bool {
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
		return v.FuncForm(madeOf).Own(r.Made) != nil
	}
	_, ours := v.Table.Lookup(r.Receiver)
	return ours
}
