package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
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
	word := gorelease.FuncWordOf(v)
	if word == nil {
		return v.Pointer()
	}
	o := g.vm.form(v.Type()).own(word)
	if o == nil {
		return v.Pointer()
	}
	c := o.target.code()
	declared := c.fset.Position(c.fnpos)
	return callers.Entry(engine.Frame{Function: c.name, Pos: declared, Start: declared.Line, End: c.fset.Position(c.fnend).Line})
}
