package rtype

import (
	"reflect"
	"sync"
	"unsafe"
)

// kept holds the descriptors and the func values behind stubs: what refers to them are the type words of interfaces, offsets and
// addresses that the garbage collector does not follow.
var kept struct {
	sync.Mutex
	ptrs []unsafe.Pointer
}

func keepAlive(p unsafe.Pointer) {
	kept.Lock()
	defer kept.Unlock()
	kept.ptrs = append(kept.ptrs, p)
}

// A descriptor is a type in the making: the part of its kind, the uncommon part, a func's parameters, the methods, in one allocation
// as the runtime finds them.
type descriptor struct {
	*abiType
	uncommon *abiUncommon
	params   []*abiType
	methods  []abiMethod // the table in use, and what room there is behind it
	spare    []abiMethod // the other one
}

// heads are the descriptor types by kind; the kinds not listed have abiType alone.
var heads = map[reflect.Kind]reflect.Type{
	reflect.Array:     reflect.TypeFor[abiArray](),
	reflect.Chan:      reflect.TypeFor[abiChan](),
	reflect.Func:      reflect.TypeFor[abiFunc](),
	reflect.Interface: reflect.TypeFor[abiIface](),
	reflect.Map:       reflect.TypeFor[abiMap](),
	reflect.Pointer:   reflect.TypeFor[abiPtr](),
	reflect.Slice:     reflect.TypeFor[abiSlice](),
	reflect.Struct:    reflect.TypeFor[abiStruct](),
}

func head(k reflect.Kind) reflect.Type {
	if h := heads[k]; h != nil {
		return h
	}
	return reflect.TypeFor[abiType]()
}

// shape is the allocation of a descriptor: how many params and methods follow.
type shape struct {
	kind            reflect.Kind
	params, methods int // methods: of one table
	tables          int // 2 where the type may gain methods
}

var shapes = struct {
	sync.Mutex
	frames map[shape]*FrameType
}{frames: map[shape]*FrameType{}}

func (s shape) paramsOffset() uintptr {
	return head(s.kind).Size() + unsafe.Sizeof(abiUncommon{})
}

func (s shape) methodsOffset() uintptr { return s.paramsOffset() + uintptr(s.params)*wordSize }

func (s shape) size() uintptr {
	return s.methodsOffset() + uintptr(s.tables*s.methods)*unsafe.Sizeof(abiMethod{})
}

// frame returns the memory layout of descriptors of this shape; it is kept for ever, as they are.
func (s shape) frame() *FrameType {
	shapes.Lock()
	defer shapes.Unlock()
	if f := shapes.frames[s]; f != nil {
		return f
	}
	offs := PointerOffsets(nil, head(s.kind), 0)
	for i := range s.params {
		offs = append(offs, s.paramsOffset()+uintptr(i)*wordSize)
	}
	f, err := NewFrameType(s.size(), offs)
	if err != nil {
		panic(err) // offsets of our own structs
	}
	shapes.frames[s] = f
	return f
}

// newDescriptor copies proto, a complete descriptor of the same kind, into memory with room for methods and, if it may gain some (gain.go),
// for a second table of them. Name, hash and links are its own.
func newDescriptor(proto reflect.Type, methods int, gains bool) descriptor {
	src := (*abiType)(WordOf(proto))
	s := shape{kind: proto.Kind(), methods: methods, tables: 1}
	if gains {
		s.methods, s.tables = methods+gainRoom, 2
	}
	if s.kind == reflect.Func {
		s.params = proto.NumIn() + proto.NumOut()
	}
	p := s.frame().New()
	keepAlive(p)
	Move(WordOf(head(s.kind)), p, unsafe.Pointer(src))
	d := descriptor{abiType: (*abiType)(p), uncommon: (*abiUncommon)(unsafe.Add(p, head(s.kind).Size()))}
	d.params = tail[*abiType](p, s.paramsOffset(), s.params)
	d.methods = tail[abiMethod](p, s.methodsOffset(), s.methods)
	if gains {
		d.spare = tail[abiMethod](p, s.methodsOffset()+uintptr(s.methods)*unsafe.Sizeof(abiMethod{}), s.methods)
	}
	copy(d.params, funcParams(src))
	d.uncommon.Moff = uint32(s.methodsOffset() - head(s.kind).Size())
	d.TFlag &^= flagUncommon | flagNamed | flagExtraStar
	d.PtrToThis = 0
	return d
}

// funcParams returns the in and out types that follow a func descriptor.
func funcParams(t *abiType) []*abiType {
	if reflect.Kind(t.Kind) != reflect.Func {
		return nil
	}
	f := (*abiFunc)(unsafe.Pointer(t))
	off := unsafe.Sizeof(abiFunc{})
	if t.TFlag&flagUncommon != 0 {
		off += unsafe.Sizeof(abiUncommon{})
	}
	return tail[*abiType](unsafe.Pointer(t), off, int(f.In)+int(f.Out&0x7fff))
}

// tail returns the n values at p+off. There may be none, and then no memory: a pointer behind the end of an allocation would be one into
// whatever follows it.
func tail[T any](p unsafe.Pointer, off uintptr, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Add(p, off)), n)
}

// setName gives the descriptor its string and a hash that follows from it. Equal hashes of different types are harmless.
func (d *descriptor) setName(s string) {
	d.Str = addReflectOff(unsafe.Pointer(newName("*"+s, "", false, false, "")))
	d.TFlag |= flagExtraStar
	d.Hash = hashString(s)
}

// hashString is FNV-1a over 32 bits.
func hashString(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

func (d *descriptor) setPackage(path string) {
	d.TFlag |= flagUncommon
	if path != "" {
		d.uncommon.PkgPath = nameOffset(path, false, "")
	}
}

// copyKind takes over what proto says about its kind and memory, keeping name, hash and links.
func (d *descriptor) copyKind(proto reflect.Type) {
	src := (*abiType)(WordOf(proto))
	old := *d.abiType
	Move(WordOf(head(proto.Kind())), unsafe.Pointer(d.abiType), unsafe.Pointer(src))
	copy(d.params, funcParams(src))
	const own = flagUncommon | flagNamed | flagExtraStar
	d.Str, d.PtrToThis, d.Hash = old.Str, old.PtrToThis, old.Hash
	d.TFlag = old.TFlag&own | src.TFlag&^own
}
