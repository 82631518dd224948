package yaegi

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

func selectReflected(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	return standin.Select(cases, choice())
}

func receiveReflected(v reflect.Value) (reflect.Value, bool) { return standin.Receive(v, choice()) }

func sendReflected(v, x reflect.Value) { standin.Send(v, x, choice()) }

// choice is how the running goroutine waits; nil where it is none of the cells'.
func choice() standin.Choose {
	g := current()
	if g == nil {
		return nil
	}
	return func(word string, cases []reflect.SelectCase) (int, reflect.Value, bool) {
		return g.choose(word, cases, true)
	}
}
