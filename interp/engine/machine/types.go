package machine

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A Shape groups types whose values move alike: same size, same pointer words, same registers in
// calls.
type Shape uint8

const (
	ShapeEmpty  Shape = iota // size 0
	Shape8                   // bool, int8, uint8
	Shape16                  // int16, uint16
	Shape32                  // int32, uint32
	ShapeF32                 // float32
	Shape64                  // int, int64, uint, uint64, uintptr
	ShapeF64                 // float64
	ShapePtr                 // pointers, maps, channels, funcs
	ShapeString              //
	ShapeSlice               //
	ShapeIface               // interfaces of both kinds
	shapeMem                 // arrays, structs, complex numbers
)

var shapeOfKind = map[reflect.Kind]Shape{
	reflect.Bool: Shape8, reflect.Int8: Shape8, reflect.Uint8: Shape8,
	reflect.Int16: Shape16, reflect.Uint16: Shape16,
	reflect.Int32: Shape32, reflect.Uint32: Shape32, reflect.Float32: ShapeF32,
	reflect.Int: Shape64, reflect.Int64: Shape64, reflect.Uint: Shape64, reflect.Uint64: Shape64, reflect.Uintptr: Shape64,
	reflect.Float64: ShapeF64,
	reflect.Pointer: ShapePtr, reflect.UnsafePointer: ShapePtr, reflect.Map: ShapePtr, reflect.Chan: ShapePtr,
	reflect.Func:   ShapePtr,
	reflect.String: ShapeString, reflect.Slice: ShapeSlice, reflect.Interface: ShapeIface,
}

// Type is what instructions need to know of a runtime type.
type Type struct {
	Reflect     reflect.Type
	Word        rtype.Word
	Shape       Shape
	Kind        reflect.Kind
	Size        uintptr
	HasPointers bool
}

// NewType describes rt.
func NewType(rt reflect.Type) *Type {
	w := rtype.WordOf(rt)
	t := &Type{Reflect: rt, Word: w, Kind: rt.Kind(), Size: rt.Size(), HasPointers: rtype.HasPointers(w)}
	s, ok := shapeOfKind[t.Kind]
	switch {
	case ok:
		t.Shape = s
	case t.Size == 0:
		t.Shape = ShapeEmpty
	default:
		t.Shape = shapeMem
	}
	return t
}

// Pair is two pointer words: an interface in memory.
type Pair struct{ Tab, Data pointer }

// Move copies one value.
func (t *Type) Move(dst, src pointer) {
	switch t.Shape {
	case ShapeEmpty:
	case Shape8:
		*(*uint8)(dst) = *(*uint8)(src)
	case Shape16:
		*(*uint16)(dst) = *(*uint16)(src)
	case Shape32, ShapeF32:
		*(*uint32)(dst) = *(*uint32)(src)
	case Shape64, ShapeF64:
		*(*uint64)(dst) = *(*uint64)(src)
	case ShapePtr:
		*(*pointer)(dst) = *(*pointer)(src)
	case ShapeString:
		*(*string)(dst) = *(*string)(src)
	case ShapeSlice:
		*(*[]byte)(dst) = *(*[]byte)(src)
	case ShapeIface:
		*(*Pair)(dst) = *(*Pair)(src)
	default:
		if !t.HasPointers && t.Size <= fewBytes {
			copy(unsafe.Slice((*byte)(dst), t.Size), unsafe.Slice((*byte)(src), t.Size))
			return
		}
		rtype.Move(t.Word, dst, src)
	}
}

// fewBytes are copied without the runtime's looking at the type.
const fewBytes = 128

// Zero clears one value.
func (t *Type) Zero(p pointer) {
	switch t.Shape {
	case ShapeEmpty:
	case Shape8:
		*(*uint8)(p) = 0
	case Shape64, ShapeF64:
		*(*uint64)(p) = 0
	case ShapePtr:
		*(*pointer)(p) = nil
	case ShapeString:
		*(*string)(p) = ""
	case ShapeSlice:
		*(*[]byte)(p) = nil
	case ShapeIface:
		*(*Pair)(p) = Pair{}
	default:
		rtype.Clear(t.Word, p)
	}
}

// Value is the memory at p as an addressable reflect.Value.
func (t *Type) Value(p pointer) reflect.Value { return reflect.NewAt(t.Reflect, p).Elem() }

var (
	BoolType    = NewType(reflect.TypeFor[bool]())
	IntType     = NewType(reflect.TypeFor[int]())
	RuneType    = NewType(reflect.TypeFor[rune]())
	PointerType = NewType(reflect.TypeFor[pointer]())
)

// TypeFor is what instructions need to know of rt.
func (e *Machine) TypeFor(rt reflect.Type) *Type {
	if v, ok := e.typs.Load(rt); ok {
		return v.(*Type)
	}
	t := NewType(rt)
	if e.General && t.Size > 0 {
		t.Shape = shapeMem
	}
	v, _ := e.typs.LoadOrStore(rt, t)
	return v.(*Type)
}

// ShapeLetters spell shapes in the keys of tables of signatures.
var ShapeLetters = map[Shape]byte{
	Shape8: 'B', Shape16: 'H', Shape32: 'W', ShapeF32: 'f', Shape64: 'I', ShapeF64: 'F', ShapePtr: 'P',
	ShapeString: 'S', ShapeSlice: 'L', ShapeIface: 'E',
}

// SignatureShape spells the shapes of parameters and results, "" and false if one has none.
// Variadic funcs take a slice.
func SignatureShape(t reflect.Type) (string, bool) {
	var b []byte
	for i := range t.NumIn() {
		l, ok := ShapeLetters[shapeOfKind[t.In(i).Kind()]]
		if !ok {
			return "", false
		}
		b = append(b, l)
	}
	if t.NumOut() > 0 {
		b = append(b, ':')
	}
	for i := range t.NumOut() {
		l, ok := ShapeLetters[shapeOfKind[t.Out(i).Kind()]]
		if !ok {
			return "", false
		}
		b = append(b, l)
	}
	return string(b), true
}
