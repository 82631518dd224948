package calls

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A Call calls a compiled func, given by its word, with arguments and results in the frame.
type Call func(fp, fn pointer)

// To calls a compiled func of type ft in the quickest way there is.
func To(ft reflect.Type, args, results []machine.Slot) Call {
	if key, ok := machine.SignatureShape(ft); ok && nativeShapes[key] != nil && gorelease.Registers.Holds() {
		return nativeShapes[key](slots(args), slots(results))
	}
	if call := registerOp(ft, args, results); call != nil {
		return call
	}
	return reflectCall(ft, args, results)
}

func slots(ss []machine.Slot) []uintptr {
	out := make([]uintptr, len(ss))
	for i, s := range ss {
		out[i] = s.At
	}
	return out
}

// reflectCall calls through package reflect, which serves every signature. The values have the
// types of the compiled signature: those of the cell's may be others of the same name (instances of
// generic types that the binary does not show).
func reflectCall(ft reflect.Type, args, results []machine.Slot) Call {
	return func(fp, fn pointer) {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = reflect.NewAt(ft.In(i), at(fp, a.At)).Elem()
		}
		f := rtype.FuncValue(ft, fn)
		var out []reflect.Value
		if ft.IsVariadic() {
			out = f.CallSlice(in)
		} else {
			out = f.Call(in)
		}
		for i, r := range results {
			reflect.NewAt(ft.Out(i), at(fp, r.At)).Elem().Set(out[i])
		}
	}
}

// A MethodCall calls a method of a compiled type; the interface that it is called on is at p.
type MethodCall func(fp, p pointer)

// ToMethod says how to call a method of a compiled type through an interface.
func ToMethod(b *machine.BoundMethod, args, results []machine.Slot) MethodCall {
	ft := b.Compiled.Type()
	all := append([]machine.Slot{{At: 0, Type: b.Recv}}, args...)
	if p := planCall(ft, all, results, true); p != nil {
		call, word := resultForms[p.kinds](p), rtype.FuncWord(b.Compiled)
		return func(fp, p pointer) { call(fp, word, b.Receiver(p)) }
	}
	return func(fp, p pointer) {
		values := make([]reflect.Value, len(args)+1)
		values[0] = b.Recv.Value(b.Receiver(p))
		for i, a := range args {
			values[i+1] = reflect.NewAt(b.Params[i+1].Reflect, at(fp, a.At)).Elem()
		}
		var out []reflect.Value
		if ft.IsVariadic() {
			out = b.Compiled.CallSlice(values)
		} else {
			out = b.Compiled.Call(values)
		}
		for i, r := range results {
			reflect.NewAt(out[i].Type(), at(fp, r.At)).Elem().Set(out[i])
		}
	}
}
