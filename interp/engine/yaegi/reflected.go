package yaegi

import (
	"reflect"
	"slices"
)

// Package reflect waits for channels in compiled code, where nobody can stop it. Here it waits as cells do.

// selectReflected is reflect.Select.
func selectReflected(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	g := current()
	if g == nil {
		return reflect.Select(cases)
	}
	cases = slices.Clone(cases)
	for i, c := range cases {
		if c.Dir == reflect.SelectDefault {
			return reflect.Select(cases) // which does not wait
		}
		if !c.Chan.IsValid() { // it is never ready
			cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.Zero(reflect.TypeFor[chan struct{}]())}
		}
	}
	return g.choose("select", cases, true)
}

// receiveReflected is reflect.Value.Recv.
func receiveReflected(v reflect.Value) (reflect.Value, bool) {
	if v.Kind() != reflect.Chan {
		return v.Recv() // which says so
	}
	x, ok := v.TryRecv()
	if x.IsValid() {
		return x, ok
	}
	g := current()
	if g == nil {
		return v.Recv()
	}
	_, x, ok = g.choose("chan receive", []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}}, true)
	return x, ok
}

// sendReflected is reflect.Value.Send.
func sendReflected(v, x reflect.Value) {
	if v.Kind() != reflect.Chan {
		v.Send(x) // which says so
	}
	if v.TrySend(x) {
		return
	}
	g := current()
	if g == nil {
		v.Send(x)
		return
	}
	g.choose("chan send", []reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: x}}, true)
}
