package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

func init() {
	replaced["reflect.Select"] = reflect.ValueOf(func(cases []reflect.SelectCase) (int, reflect.Value, bool) { return standin.Select(cases, choice()) })
	replacedMethods[method[reflect.Value]("Recv")] = reflect.ValueOf(func(v reflect.Value) (reflect.Value, bool) { return standin.Receive(v, choice()) })
	replacedMethods[method[reflect.Value]("Send")] = reflect.ValueOf(func(v, x reflect.Value) { standin.Send(v, x, choice()) })
}

// choice is how the running goroutine waits; nil where it is none of the cells'.
func choice() standin.Choose {
	if g := current(); g != nil {
		return g.choose
	}
	return nil
}

func (g *routine) choose(word string, cases []reflect.SelectCase) (int, reflect.Value, bool) {
	a := awaited{known: !inBubble()}
	if word == "select" {
		for _, c := range cases {
			a.chans = append(a.chans, c.Chan.UnsafePointer())
		}
	} else {
		a.ch = cases[0].Chan.UnsafePointer()
		word = waitWord(word, a.ch)
	}
	defer g.waiting(word, a)()
	return g.selectBlocking(cases)
}
