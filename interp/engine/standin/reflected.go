package standin

import (
	"reflect"
	"slices"
)

// Package reflect waits for channels in compiled code, where nobody can stop it. Here it waits as
// cells do.

// Choose waits for one of some cases, none of them a default, as a cell's goroutine does, and takes
// it. word says what the goroutine waits for: "select", "chan receive" or "chan send".
type Choose func(word string, cases []reflect.SelectCase) (int, reflect.Value, bool)

// Select is reflect.Select; choose is nil where the goroutine is none of the cells'.
func Select(cases []reflect.SelectCase, choose Choose) (int, reflect.Value, bool) {
	// With a default it does not wait; of what is no channel it says so.
	itself := func(c reflect.SelectCase) bool {
		return c.Dir == reflect.SelectDefault || c.Chan.IsValid() && c.Chan.Kind() != reflect.Chan
	}
	if choose == nil || slices.ContainsFunc(cases, itself) {
		return reflect.Select(cases)
	}
	cases = slices.Clone(cases)
	for i, c := range cases {
		if !c.Chan.IsValid() { // it is never ready
			cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.Zero(reflect.TypeFor[chan struct{}]())}
		}
	}
	return choose("select", cases)
}

// Receive is reflect.Value.Recv.
func Receive(v reflect.Value, choose Choose) (reflect.Value, bool) {
	if choose == nil || v.Kind() != reflect.Chan {
		return v.Recv() // which says what is wrong
	}
	x, ok := v.TryRecv()
	if x.IsValid() {
		return x, ok
	}
	_, x, ok = choose("chan receive", []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}})
	return x, ok
}

// Send is reflect.Value.Send.
func Send(v, x reflect.Value, choose Choose) {
	if choose == nil || v.Kind() != reflect.Chan {
		v.Send(x) // which says what is wrong
		return
	}
	if !v.TrySend(x) {
		choose("chan send", []reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: x}})
	}
}
