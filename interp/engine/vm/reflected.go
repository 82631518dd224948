package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

func init() {
	replaced["reflect.Select"] = reflect.ValueOf(func(cases []reflect.SelectCase) (int, reflect.Value, bool) {
		return standin.Select(cases, choice())
	})
	replacedMethods[method[reflect.Value]("Recv")] = reflect.ValueOf(func(v reflect.Value) (reflect.Value, bool) {
		return standin.Receive(v, choice())
	})
	replacedMethods[method[reflect.Value]("Send")] = reflect.ValueOf(func(v, x reflect.Value) {
		standin.Send(v, x, choice())
	})
}

// choice is how the running goroutine waits; nil where it is none of the cells'.
func choice() standin.Choose {
	if g := machine.Current(); g != nil {
		return g.Choose
	}
	return nil
}
