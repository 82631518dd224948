package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// valuePointer is reflect.Value.Pointer, but that func values of cells have the program counters of
// their own functions: in memory they share those of the adapters.
func valuePointer(v reflect.Value) uintptr {
	if v.Kind() != reflect.Func || v.IsNil() {
		return v.Pointer()
	}
	g := machine.Current()
	if g == nil {
		return v.Pointer()
	}
	word := gorelease.FuncWordOf(v)
	if word == nil {
		return v.Pointer()
	}
	o := g.Machine.FuncForm(v.Type()).Own(word)
	if o == nil {
		return v.Pointer()
	}
	c := o.Function.Code()
	declared := c.Fset.Position(c.Start)
	return callers.Entry(engine.Frame{Function: c.Name, Pos: declared, Start: declared.Line,
		End: c.Fset.Position(c.End).Line})
}
