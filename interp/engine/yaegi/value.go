package yaegi

import (
	"reflect"
	"unsafe"
)

// V is a value that is not of a basic type, or one on its way into an operation. It does not
// change.
type V struct{ v reflect.Value }

// tuple is the value of an instruction with several results.
type tuple []reflect.Value

func tupleOf(vs ...reflect.Value) reflect.Value { return reflect.ValueOf(tuple(vs)) }

// memory is where v lies, or a copy of it.
func memory(v reflect.Value) unsafe.Pointer {
	if v.CanAddr() {
		return v.Addr().UnsafePointer()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}

// as is v as a value of type t, which has the same layout.
func as(v reflect.Value, t reflect.Type) reflect.Value {
	if v.Type() == t {
		return v
	}
	return reflect.NewAt(t, memory(v)).Elem()
}

// load copies the value of type t at p.
func load(t reflect.Type, p unsafe.Pointer) reflect.Value {
	v := reflect.New(t).Elem()
	v.Set(reflect.NewAt(t, p).Elem())
	return v
}

// fresh copies v, which something may change.
func fresh(v reflect.Value) reflect.Value {
	if !v.CanAddr() && v.CanInterface() {
		return v
	}
	return load(v.Type(), memory(v))
}

// pointerOf is the pointer that v, of kind pointer, is.
func pointerOf(v reflect.Value) unsafe.Pointer { return *(*unsafe.Pointer)(memory(v)) }

func pointerTo(t reflect.Type, p unsafe.Pointer) reflect.Value { return reflect.NewAt(t, p) }

func boolean(b bool) reflect.Value { return reflect.ValueOf(b) }

// box does not go through an interface, which forgets where an empty string lies.
func box[T any](x T) *V { return &V{reflect.ValueOf(&x).Elem()} }

func unbox[T any](x *V) T { return *(*T)(memory(x.v)) }

// kinds are the basic types that yaegi's variables have, with the functions between them and V.
var kinds = map[string]reflect.Value{}

func kind[T any](name string) {
	kinds["B_"+name] = reflect.ValueOf(box[T])
	kinds["U_"+name] = reflect.ValueOf(unbox[T])
}

func init() {
	kind[bool]("bool")
	kind[string]("string")
	kind[int]("int")
	kind[int8]("int8")
	kind[int16]("int16")
	kind[int32]("int32")
	kind[int64]("int64")
	kind[uint]("uint")
	kind[uint8]("uint8")
	kind[uint16]("uint16")
	kind[uint32]("uint32")
	kind[uint64]("uint64")
	kind[uintptr]("uintptr")
	kind[float32]("float32")
	kind[float64]("float64")
}
