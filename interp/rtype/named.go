package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"
)

// named returns the compiled type, if x is one, or makes the shell of a new one.
func (b *builder) named(x *types.Named) reflect.Type {
	if x.Obj().Pkg() == nil && x.Obj().Name() == "error" {
		return b.set(x, reflect.TypeFor[error]())
	}
	if x.TypeParams().Len() > 0 && x.TypeArgs().Len() == 0 {
		b.refuse(x, "a generic type has none before it is instantiated")
	}
	if r := b.native(x); r != nil {
		return r
	}
	if args := b.implicits[x.Obj()]; len(args) > 0 {
		return b.local(x, args)
	}
	return b.shell(x)
}

// local returns the type of a declaration inside an instance of generic functions: one for each
// place and arguments.
func (b *builder) local(x *types.Named, args []types.Type) reflect.Type {
	var key strings.Builder
	fmt.Fprintf(&key, "%p %d %s", x.Obj().Pkg(), x.Obj().Pos(), x.Obj().Name())
	for _, a := range args {
		fmt.Fprintf(&key, " %p", WordOf(b.of(a)))
	}
	for a := range x.TypeArgs().Types() {
		fmt.Fprintf(&key, ";%p", WordOf(b.of(a)))
	}
	if r := b.Table.locals[key.String()]; r != nil {
		return b.set(x, r)
	}
	if r := b.locals[key.String()]; r != nil {
		return b.set(x, r)
	}
	r := b.shell(x)
	b.locals[key.String()] = r
	return r
}

// shell makes the descriptor of x, final but for its references to other types, and leaves tasks
// for these.
func (b *builder) shell(x *types.Named) reflect.Type {
	under := x.Underlying()
	var ptrMethods, methods []*types.Selection
	if !types.IsInterface(x) {
		ptrMethods, methods = b.methodSet(types.NewPointer(x)), b.methodSet(x)
	}
	gains := b.mayGain(x)
	d := newDescriptor(b.prototype(under), len(methods), gains)
	d.setName(b.descriptorName(x))
	d.setPackage(packagePath(x.Obj().Pkg()))
	d.TFlag |= flagNamed
	self := b.own(x, d.Type)
	b.complete(d, under)
	if len(ptrMethods) > 0 || gains {
		p := b.pointerShell(x, self, len(ptrMethods), gains)
		p.setPackage(packagePath(x.Obj().Pkg()))
		b.withMethods(&family{of: x, value: d, pointer: p}, methods, ptrMethods)
	}
	return self
}

// mayGain reports whether a later cell can declare methods of x: a type that a cell declares at its
// top level.
func (b *builder) mayGain(x *types.Named) bool {
	pkg := x.Obj().Pkg()
	if types.IsInterface(x) || pkg == nil || pkg.Path() != "main" || pkg.Scope().Lookup(x.Obj().Name()) != x.Obj() {
		return embeds(x.Underlying())
	}
	return true
}

// embeds reports whether x is a struct that has its methods from others, which may gain some.
func embeds(x types.Type) bool {
	s, ok := x.(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() {
			return true
		}
	}
	return false
}

// prototypes stand for the kinds whose descriptors have a fixed size whatever they refer to.
var prototypes = struct{ pointer, slice, array, channel, mapping, iface, structure reflect.Type }{
	reflect.TypeFor[*int](), reflect.TypeFor[[]int](), reflect.TypeFor[[1]int](), reflect.TypeFor[chan int](),
	reflect.TypeFor[map[int]int](), reflect.TypeFor[any](), reflect.TypeFor[struct{}](),
}

// prototype returns a complete type of the same kind and descriptor size.
func (b *builder) prototype(x types.Type) reflect.Type {
	switch x := x.(type) {
	case *types.Basic:
		return basic(x.Kind())
	case *types.Pointer:
		return prototypes.pointer
	case *types.Slice:
		return prototypes.slice
	case *types.Array:
		return prototypes.array
	case *types.Chan:
		return prototypes.channel
	case *types.Map:
		return prototypes.mapping
	case *types.Interface:
		if x.NumMethods() > 0 {
			return reflect.TypeFor[error]()
		}
		return prototypes.iface
	case *types.Signature:
		return funcPrototype(x)
	case *types.Struct:
		return prototypes.structure
	}
	b.refuse(x, "%T under a name", x)
	return nil
}

// funcPrototype is a func type with as many parameters and results.
func funcPrototype(x *types.Signature) reflect.Type {
	ints := func(n int) []reflect.Type {
		ts := make([]reflect.Type, n)
		for i := range ts {
			ts[i] = reflect.TypeFor[int]()
		}
		return ts
	}
	in := ints(x.Params().Len())
	if x.Variadic() {
		in[len(in)-1] = reflect.TypeFor[[]int]()
	}
	return reflect.FuncOf(in, ints(x.Results().Len()), x.Variadic())
}

// complete gives a shell the layout of its underlying type now and the types that it refers to
// later.
func (b *builder) complete(d descriptor, under types.Type) {
	p := unsafe.Pointer(d.Type)
	switch x := under.(type) {
	case *types.Pointer:
		b.later(func() { (*abiPtr)(p).Elem = b.word(x.Elem()) })
	case *types.Slice:
		b.later(func() { (*abiSlice)(p).Elem = b.word(x.Elem()) })
	case *types.Array:
		b.completeArray(d, x)
	case *types.Chan:
		(*abiChan)(p).Dir = int(chanDir(x.Dir()))
		b.later(func() { (*abiChan)(p).Elem = b.word(x.Elem()) })
	case *types.Map:
		b.later(func() { d.copyKind(reflect.MapOf(b.of(x.Key()), b.of(x.Elem()))) })
	case *types.Signature:
		b.later(func() { copy(d.params, (*abiType)(WordOf(b.signature(x))).Params()) })
	case *types.Interface:
		b.later(func() { b.completeInterface((*abiIface)(p), x) })
	case *types.Struct:
		b.completeStruct(d, x)
	}
}

func (b *builder) word(x types.Type) *abiType { return (*abiType)(WordOf(b.of(x))) }

func (b *builder) completeArray(d descriptor, x *types.Array) {
	a := (*abiArray)(unsafe.Pointer(d.Type))
	a.Len = uintptr(b.length(x))
	a.Elem = (*abiType)(WordOf(b.placeholder(x.Elem())))
	b.setLayout(d.Type, x)
	b.setEqual(d.Type, x)
	b.later(func() {
		elem := b.of(x.Elem())
		a.Elem = (*abiType)(WordOf(elem))
		a.Slice = (*abiType)(WordOf(reflect.SliceOf(elem)))
	})
}

// placeholder returns a type that is complete now and of x's kind, size and equality. It stands
// where package reflect may look while x itself is being made: MapOf asks what its key's fields are
// like.
func (b *builder) placeholder(x types.Type) reflect.Type {
	x = types.Unalias(x)
	switch u := x.Underlying().(type) {
	case *types.Array:
		return reflect.ArrayOf(b.length(u), b.placeholder(u.Elem()))
	case *types.Signature:
		return reflect.TypeFor[func()]()
	case *types.Struct:
		if n, ok := x.(*types.Named); ok {
			return b.of(n) // finite: a struct does not contain itself
		}
		return b.placeholderStruct(u)
	default:
		return b.prototype(u)
	}
}

func (b *builder) placeholderStruct(u *types.Struct) reflect.Type {
	fs := make([]reflect.StructField, u.NumFields())
	for i := range fs {
		fs[i] = reflect.StructField{Name: "F" + u.Field(i).Name(), Type: b.placeholder(u.Field(i).Type())}
		if u.Field(i).Name() == "_" {
			fs[i].Name, fs[i].PkgPath = "_", "main"
		}
	}
	return reflect.StructOf(fs)
}
