package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// valuePointer is reflect.Value.Pointer, but that func values of cells have the program counters of their own functions: in memory they
// share those of the adapters.
func valuePointer(v reflect.Value) uintptr {
	if v.Kind() != reflect.Func || v.IsNil() {
		return v.Pointer()
	}
	g := current()
	if g == nil {
		return v.Pointer()
	}
	o := g.vm.form(v.Type()).own(funcWord(v))
	if o == nil {
		return v.Pointer()
	}
	c := o.target.code()
	declared := c.fset.Position(c.fnpos)
	return callers.Entry(engine.Frame{Function: c.name, Pos: declared, Start: declared.Line, End: c.fset.Position(c.fnend).Line})
}

// funcWord reads the word of a func value, however it was reached.
func funcWord(v reflect.Value) pointer {
	if v.CanInterface() {
		return rtype.FuncWord(v)
	}
	return (*reflectValue)(pointer(&v)).word()
}

// reflectValue is reflect.Value, of which only the first two words matter here.
type reflectValue struct {
	typ  rtype.Word
	ptr  pointer
	flag uintptr
}

// flagIndirect is set in flag where ptr points to the value.
const flagIndirect = 1 << 7

func (v *reflectValue) word() pointer {
	if v.flag&flagIndirect != 0 {
		return *(*pointer)(v.ptr)
	}
	return v.ptr
}
