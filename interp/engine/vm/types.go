package vm

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A shape groups types whose values move alike: same size, same pointer words, same registers in calls.
type shape uint8

const (
	shapeEmpty  shape = iota // size 0
	shape8                   // bool, int8, uint8
	shape16                  // int16, uint16
	shape32                  // int32, uint32
	shapeF32                 // float32
	shape64                  // int, int64, uint, uint64, uintptr
	shapeF64                 // float64
	shapePtr                 // pointers, maps, channels, funcs
	shapeString              //
	shapeSlice               //
	shapeIface               // interfaces of both kinds
	shapeMem                 // arrays, structs, complex numbers
)

var shapeOfKind = map[reflect.Kind]shape{
	reflect.Bool: shape8, reflect.Int8: shape8, reflect.Uint8: shape8,
	reflect.Int16: shape16, reflect.Uint16: shape16,
	reflect.Int32: shape32, reflect.Uint32: shape32, reflect.Float32: shapeF32,
	reflect.Int: shape64, reflect.Int64: shape64, reflect.Uint: shape64, reflect.Uint64: shape64, reflect.Uintptr: shape64,
	reflect.Float64: shapeF64,
	reflect.Pointer: shapePtr, reflect.UnsafePointer: shapePtr, reflect.Map: shapePtr, reflect.Chan: shapePtr, reflect.Func: shapePtr,
	reflect.String: shapeString, reflect.Slice: shapeSlice, reflect.Interface: shapeIface,
}

// typ is what instructions need to know of a runtime type.
type typ struct {
	rt    reflect.Type
	word  rtype.Word
	shape shape
	kind  reflect.Kind
	size  uintptr
	ptrs  bool
}

func newTyp(rt reflect.Type) *typ {
	w := rtype.WordOf(rt)
	t := &typ{rt: rt, word: w, kind: rt.Kind(), size: rt.Size(), ptrs: rtype.HasPointers(w)}
	s, ok := shapeOfKind[t.kind]
	switch {
	case ok:
		t.shape = s
	case t.size == 0:
		t.shape = shapeEmpty
	default:
		t.shape = shapeMem
	}
	return t
}

// pair is two pointer words: an interface in memory.
type pair struct{ a, b pointer }

// move copies one value.
func (t *typ) move(dst, src pointer) {
	switch t.shape {
	case shapeEmpty:
	case shape8:
		*(*uint8)(dst) = *(*uint8)(src)
	case shape16:
		*(*uint16)(dst) = *(*uint16)(src)
	case shape32, shapeF32:
		*(*uint32)(dst) = *(*uint32)(src)
	case shape64, shapeF64:
		*(*uint64)(dst) = *(*uint64)(src)
	case shapePtr:
		*(*pointer)(dst) = *(*pointer)(src)
	case shapeString:
		*(*string)(dst) = *(*string)(src)
	case shapeSlice:
		*(*[]byte)(dst) = *(*[]byte)(src)
	case shapeIface:
		*(*pair)(dst) = *(*pair)(src)
	default:
		if !t.ptrs && t.size <= fewBytes {
			copy(unsafe.Slice((*byte)(dst), t.size), unsafe.Slice((*byte)(src), t.size))
			return
		}
		rtype.Move(t.word, dst, src)
	}
}

// fewBytes are copied without the runtime's looking at the type.
const fewBytes = 128

// zero clears one value.
func (t *typ) zero(p pointer) {
	switch t.shape {
	case shapeEmpty:
	case shape8:
		*(*uint8)(p) = 0
	case shape64, shapeF64:
		*(*uint64)(p) = 0
	case shapePtr:
		*(*pointer)(p) = nil
	case shapeString:
		*(*string)(p) = ""
	case shapeSlice:
		*(*[]byte)(p) = nil
	case shapeIface:
		*(*pair)(p) = pair{}
	default:
		rtype.Clear(t.word, p)
	}
}

// val is the memory at p as an addressable reflect.Value.
func (t *typ) val(p pointer) reflect.Value { return reflect.NewAt(t.rt, p).Elem() }

var (
	typBool    = newTyp(reflect.TypeFor[bool]())
	typInt     = newTyp(reflect.TypeFor[int]())
	typRune    = newTyp(reflect.TypeFor[rune]())
	typPointer = newTyp(reflect.TypeFor[pointer]())
)

// typ is what instructions need to know of rt.
func (e *vm) typ(rt reflect.Type) *typ {
	if v, ok := e.typs.Load(rt); ok {
		return v.(*typ)
	}
	t := newTyp(rt)
	if e.general && t.size > 0 {
		t.shape = shapeMem
	}
	v, _ := e.typs.LoadOrStore(rt, t)
	return v.(*typ)
}

var shapeLetters = map[shape]byte{
	shape8: 'B', shape16: 'H', shape32: 'W', shapeF32: 'f', shape64: 'I', shapeF64: 'F', shapePtr: 'P',
	shapeString: 'S', shapeSlice: 'L', shapeIface: 'E',
}

// signatureShape spells the shapes of parameters and results, "" and false if one has none. Variadic
// funcs take a slice.
func signatureShape(t reflect.Type) (string, bool) {
	var b []byte
	for i := range t.NumIn() {
		l, ok := shapeLetters[shapeOfKind[t.In(i).Kind()]]
		if !ok {
			return "", false
		}
		b = append(b, l)
	}
	if t.NumOut() > 0 {
		b = append(b, ':')
	}
	for i := range t.NumOut() {
		l, ok := shapeLetters[shapeOfKind[t.Out(i).Kind()]]
		if !ok {
			return "", false
		}
		b = append(b, l)
	}
	return string(b), true
}
