package rtype

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// kept holds what descriptors lead to, and the func values behind stubs: the garbage collector
// follows neither.
var kept struct {
	sync.Mutex
	ptrs []unsafe.Pointer
}

func keepAlive(p unsafe.Pointer) {
	if p == nil {
		return
	}
	kept.Lock()
	defer kept.Unlock()
	kept.ptrs = append(kept.ptrs, p)
}

// A descriptor is a type in the making: the part of its kind, the uncommon part and a func's
// parameters, in one piece as the runtime finds them, and its methods.
type descriptor struct {
	*gorelease.Type
	uncommon *abiUncommon
	params   []*abiType
	methods  []abiMethod // the table in use
	gains    bool        // it has more entries than methods, and as many again behind it (gain.go)
	spare    []abiMethod // one as long that is not in use; nil: there is none
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

// newDescriptor copies proto, a complete descriptor of the same kind, and gives it room for
// methods, of which it may gain some (gain.go). Name, hash and links are its own.
func newDescriptor(proto reflect.Type, methods int, gains bool) descriptor {
	src := (*abiType)(WordOf(proto))
	params := 0
	if proto.Kind() == reflect.Func {
		params = proto.NumIn() + proto.NumOut()
	}
	size := head(proto.Kind()).Size()
	behind := size + unsafe.Sizeof(abiUncommon{})
	p := allocate(0, behind+uintptr(params)*wordSize)
	Move(WordOf(head(proto.Kind())), p, unsafe.Pointer(src))
	d := descriptor{Type: (*abiType)(p), uncommon: (*abiUncommon)(unsafe.Add(p, size)), gains: gains}
	d.params = gorelease.Tail[*abiType](p, behind, params)
	if gains {
		methods = room(methods)
	}
	d.methods = newMethods(methods, gains)
	copy(d.params, src.Params())
	d.uncommon.Moff = d.offset(d.methods)
	d.TFlag &^= flagUncommon | flagNamed | flagExtraStar
	d.PtrToThis = 0
	return d
}

// newMethods allocates a table.
func newMethods(n int, gains bool) []abiMethod {
	if n == 0 {
		return nil
	}
	size := uintptr(n) * unsafe.Sizeof(abiMethod{})
	if !gains {
		return unsafe.Slice((*abiMethod)(allocate(1, size)), n)
	}
	all := unsafe.Slice((*abiMethod)(allocate(1, 2*size)), 2*n)
	fill(all, methodList{})
	return all[:n]
}

// offset is where a table lies, seen from the descriptor.
func (d descriptor) offset(table []abiMethod) uint32 {
	if len(table) == 0 {
		return 0
	}
	return uint32(uintptr(unsafe.Pointer(&table[0])) - uintptr(unsafe.Pointer(d.uncommon)))
}

// setName gives the descriptor its string and a hash that follows from it. Equal hashes of
// different types are harmless.
func (d *descriptor) setName(s string) {
	d.Str = gorelease.AddReflectOff(unsafe.Pointer(gorelease.EncodeName("*"+s, "", false, false, "")))
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
	old := *d.Type
	Move(WordOf(head(proto.Kind())), unsafe.Pointer(d.Type), unsafe.Pointer(src))
	copy(d.params, src.Params())
	const own = flagUncommon | flagNamed | flagExtraStar
	d.Str, d.PtrToThis, d.Hash = old.Str, old.PtrToThis, old.Hash
	d.TFlag = old.TFlag&own | src.TFlag&^own
}
