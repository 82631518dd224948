package vm

import "reflect"

// Package reflect waits for channels in compiled code, where nobody can stop it. Here it waits as cells do.

func init() {
	replaced["reflect.Select"] = reflect.ValueOf(selectReflected)
	replacedMethods[method[reflect.Value]("Recv")] = reflect.ValueOf(receiveReflected)
	replacedMethods[method[reflect.Value]("Send")] = reflect.ValueOf(sendReflected)
}

// selectReflected is reflect.Select.
func selectReflected(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	g := current()
	if g == nil {
		return reflect.Select(cases)
	}
	chans := make([]pointer, 0, len(cases))
	for _, c := range cases {
		if c.Dir == reflect.SelectDefault {
			return reflect.Select(cases) // which does not wait
		}
		if c.Chan.Kind() == reflect.Chan {
			chans = append(chans, c.Chan.UnsafePointer())
		}
	}
	defer g.waiting("select", awaited{known: true, chans: chans})()
	return g.selectBlocking(cases[:len(cases):len(cases)])
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
	defer g.waiting(waitWord("chan receive", v.UnsafePointer()), awaited{known: true, ch: v.UnsafePointer()})()
	_, x, ok = g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}})
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
	defer g.waiting(waitWord("chan send", v.UnsafePointer()), awaited{known: true, ch: v.UnsafePointer()})()
	g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: x}})
}
