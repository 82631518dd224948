package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A nativeOp calls a compiled func, given by its word, with arguments and results in the frame.
type nativeOp func(fp, fn pointer)

// compiledOp calls a compiled func of type ft in the quickest way there is.
func compiledOp(ft reflect.Type, args, results []slotOf) nativeOp {
	if key, ok := signatureShape(ft); ok && nativeShapes[key] != nil && gorelease.Registers.Holds() {
		return nativeShapes[key](slots(args), slots(results))
	}
	if call := registerOp(ft, args, results); call != nil {
		return call
	}
	return reflectCall(ft, args, results)
}

func slots(ss []slotOf) []uintptr {
	out := make([]uintptr, len(ss))
	for i, s := range ss {
		out[i] = s.at
	}
	return out
}

// reflectCall calls through package reflect, which serves every signature. The values have the
// types of the compiled signature: those of the cell's may be others of the same name (instances of
// generic types that the binary does not show).
func reflectCall(ft reflect.Type, args, results []slotOf) nativeOp {
	return func(fp, fn pointer) {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = reflect.NewAt(ft.In(i), at(fp, a.at)).Elem()
		}
		f := rtype.FuncValue(ft, fn)
		var out []reflect.Value
		if ft.IsVariadic() {
			out = f.CallSlice(in)
		} else {
			out = f.Call(in)
		}
		for i, r := range results {
			reflect.NewAt(ft.Out(i), at(fp, r.at)).Elem().Set(out[i])
		}
	}
}

// An invokeOp calls a method of a compiled type; the interface that it is called on is at p.
type invokeOp func(fp, p pointer)

// nativeInvoke says how to call a method of a compiled type through an interface.
func nativeInvoke(b *boundMethod, args, results []slotOf) invokeOp {
	ft := b.native.Type()
	all := append([]slotOf{{0, b.recv}}, args...)
	if p := planCall(ft, all, results, true); p != nil {
		call, word := resultForms[p.kinds](p), rtype.FuncWord(b.native)
		return func(fp, p pointer) { call(fp, word, b.receiver(p)) }
	}
	return func(fp, p pointer) {
		values := make([]reflect.Value, len(args)+1)
		values[0] = b.recv.val(b.receiver(p))
		for i, a := range args {
			values[i+1] = reflect.NewAt(b.params[i+1].rt, at(fp, a.at)).Elem()
		}
		var out []reflect.Value
		if ft.IsVariadic() {
			out = b.native.CallSlice(values)
		} else {
			out = b.native.Call(values)
		}
		for i, r := range results {
			reflect.NewAt(out[i].Type(), at(fp, r.at)).Elem().Set(out[i])
		}
	}
}
