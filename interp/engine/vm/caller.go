package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// frames are the stack of the running goroutine's cell functions, innermost first.
func frames() []engine.Frame {
	g := current()
	if g == nil {
		return nil
	}
	var above []engine.Frame
	for p := g.top; p != nil && len(above) < maxStackFrames; p = head(p).up {
		h := head(p)
		if ds := h.defered; ds != nil && ds.panic != nil {
			// a deferred call stands on the frames of the panic that it runs for
			above = append(above, h.frame(), engine.Frame{Function: "runtime.gopanic"})
			return append(above, ds.panic.stack...)
		}
		if !h.code.wrapper {
			above = append(above, h.frame())
		}
	}
	return stackFrom(g.top)
}

// replaceCallers puts what looks at the stack into the tables of what is replaced.
func replaceCallers() {
	e := callers.Engine{Frames: frames, Exit: exit, Main: func() bool {
		g := current()
		return g != nil && g.run.main.Load() == g
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
