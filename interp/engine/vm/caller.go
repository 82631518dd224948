package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// frames are the stack of the running goroutine's cell functions, innermost first.
func frames() []engine.Frame {
	g := machine.Current()
	if g == nil {
		return nil
	}
	return machine.Stack(g.Top)
}

// replaceCallers puts what looks at the stack into the tables of what is replaced.
func replaceCallers() {
	e := callers.Engine{Frames: frames, Exit: exit, Self: self, Others: others, Main: func() bool {
		g := machine.Current()
		return g != nil && g.Run.Main.Load() == g
	}}
	for name, f := range e.Functions() {
		replaced[name] = f
	}
	for m, f := range e.Methods() {
		replacedMethods[methodName{m.Recv, m.Name}] = f
	}
	replacedMethods[method[reflect.Value]("Pointer")] = reflect.ValueOf(valuePointer)
	replacedMethods[method[reflect.Value]("Method")] = reflect.ValueOf(rtype.ValueMethod)
	replacedMethods[method[reflect.Value]("MethodByName")] = reflect.ValueOf(rtype.ValueMethodByName)
}

// self is the running goroutine.
func self() engine.Goroutine {
	g := machine.Current()
	if g == nil {
		return engine.Goroutine{}
	}
	return g.Self()
}

// others are the goroutines of the cells but the running one.
func others() []engine.Goroutine {
	g := machine.Current()
	if g == nil {
		return nil
	}
	return g.Others()
}
