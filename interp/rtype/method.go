package rtype

import (
	"errors"
	"go/types"
	"reflect"
	"sort"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// methodSet returns x's methods, declared and promoted, in the order of descriptors. Left out are
// those with type parameters, which no interface has, and unexported methods of compiled packages
// that mention types which the binary does not lead to: only that package could call them.
func (b *builder) methodSet(x types.Type) []*types.Selection {
	set := types.NewMethodSet(x)
	ms := make([]*types.Selection, 0, set.Len())
	for s := range set.Methods() {
		if s.Type().(*types.Signature).TypeParams().Len() > 0 {
			continue
		}
		if s.Obj().Exported() || b.hasSignature(s.Obj()) {
			ms = append(ms, s)
		}
	}
	sort.SliceStable(ms, func(i, j int) bool { return methodLess(ms[i].Obj(), ms[j].Obj()) })
	return ms
}

// hasSignature tries to make the types that an unexported method of a compiled package mentions.
func (b *builder) hasSignature(m types.Object) (ok bool) {
	path := packagePath(m.Pkg())
	if b.natives == nil || path == "main" || !b.natives.Compiled(path) {
		return true
	}
	defer func() {
		if e := recover(); e != nil {
			if _, missing := e.(*TypeError); !missing {
				panic(e)
			}
			ok = false
		}
	}()
	b.signature(m.Type().(*types.Signature))
	return true
}

// A family is a type that has methods, or may gain some, and its pointer type.
type family struct {
	of             types.Type
	value, pointer descriptor
	methods        methodList
	ptrMethods     methodList
}

// sources calls f for the declared types of cells that the family has its methods from: its own and
// those that are embedded in it, the generic ones of instances.
func (f *family) sources(yield func(*types.TypeName)) {
	seen := map[*types.TypeName]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name := n.Origin().Obj()
			if seen[name] || packagePath(name.Pkg()) != "main" {
				return
			}
			seen[name] = true
			yield(name)
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for v := range s.Fields() {
			if v.Embedded() {
				walk(v.Type())
			}
		}
	}
	walk(f.of)
}

// A methodList is what stands in a descriptor's table, in its order.
type methodList struct {
	objects []types.Object
	entries []abiMethod
}

func (l methodList) find(o types.Object) (abiMethod, bool) {
	for i, x := range l.objects {
		if x == o {
			return l.entries[i], true
		}
	}
	return abiMethod{}, false
}

func (l methodList) exported() (n int) {
	for _, o := range l.objects {
		if o.Exported() {
			n++
		}
	}
	return n
}

// withMethods fills the tables of a new family, when the types that the methods mention can be
// made.
func (b *builder) withMethods(f *family, methods, ptrMethods []*types.Selection) {
	b.families[unsafe.Pointer(f.value.Type)] = f
	b.later(func() {
		f.methods, f.ptrMethods = b.methodTables(f, methods, ptrMethods)
		f.value.setMethods(f.methods)
		f.pointer.setMethods(f.ptrMethods)
	})
}

// setMethods fills the table of a descriptor that nobody has seen.
func (d descriptor) setMethods(l methodList) {
	if d.gains {
		fill(d.methods, l)
	} else {
		copy(d.methods, l.entries)
	}
	d.uncommon.Mcount, d.uncommon.Xcount = uint16(len(d.methods)), uint16(l.exported())
}

// methodTables makes the tables of a type x and of *x; what the family has already stays. A
// descriptor holds two code addresses a method: what interfaces call, with the data word as
// receiver, and what reflect.Type.Method gives, with the receiver as an ordinary parameter. For
// pointers the two are one, and an interface that holds an x behind its data word calls the
// pointer's method.
func (b *builder) methodTables(f *family, methods, ptrMethods []*types.Selection) (value, pointer methodList) {
	ptr := gorelease.ToType(unsafe.Pointer(f.pointer.Type))
	byID := map[string]int32{}
	for _, s := range ptrMethods {
		e, ok := f.ptrMethods.find(s.Obj())
		if !ok {
			m := b.method(ptr, types.NewPointer(f.of), s)
			code := b.wordCode(m)
			e = newMethod(s, m, code, code)
		}
		byID[s.Obj().Id()] = e.Ifn
		pointer.objects, pointer.entries = append(pointer.objects, s.Obj()), append(pointer.entries, e)
	}
	for _, s := range methods {
		e, ok := f.methods.find(s.Obj())
		if !ok {
			e = b.valueMethod(f, s, byID[s.Obj().Id()])
		}
		value.objects, value.entries = append(value.objects, s.Obj()), append(value.entries, e)
	}
	return value, pointer
}

// valueMethod makes the entry of a method of a value; code is the pointer's method.
func (b *builder) valueMethod(f *family, s *types.Selection, code int32) abiMethod {
	m := b.method(gorelease.ToType(unsafe.Pointer(f.value.Type)), f.of, s)
	word, plain := code, code
	switch {
	case Direct(unsafe.Pointer(f.value.Type)):
		word = b.wordCode(m)
		plain = word // one pointer is passed alike, whatever it is wrapped in
	case s.Obj().Exported(): // reflect does not show others
		plain = b.plainCode(m)
	}
	return newMethod(s, m, word, plain)
}

func (b *builder) method(recv reflect.Type, x types.Type, s *types.Selection) *Method {
	return &Method{Recv: recv, RecvType: x, Selection: s, Type: b.signature(s.Type().(*types.Signature))}
}

// wordCode returns the offset of a stub that takes the receiver as a data word.
func (b *builder) wordCode(m *Method) int32 {
	if fast, ok := b.methods.(FastMethodSource); ok {
		if fv := fast.WordMethod(m); fv != nil {
			return gorelease.AddReflectOff(newStub(fv))
		}
	}
	bound := b.bind(m)
	t := withReceiver(reflect.TypeFor[unsafe.Pointer](), m.Type)
	return gorelease.AddReflectOff(newStub(MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		args[0] = receiver(m.Recv, args[0].UnsafePointer())
		return bound()(args)
	})))
}

// plainCode returns the offset of a stub that takes the receiver as a value.
func (b *builder) plainCode(m *Method) int32 {
	bound := b.bind(m)
	t := withReceiver(m.Recv, m.Type)
	return gorelease.AddReflectOff(newStub(MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		return bound()(args)
	})))
}

// receiver makes a value of type t from an interface's data word.
func receiver(t reflect.Type, word unsafe.Pointer) reflect.Value {
	if !Direct(WordOf(t)) {
		return reflect.NewAt(t, word).Elem()
	}
	v := reflect.New(t)
	*(*unsafe.Pointer)(v.UnsafePointer()) = word
	return v.Elem()
}

func withReceiver(recv, method reflect.Type) reflect.Type {
	in := []reflect.Type{recv}
	for p := range method.Ins() {
		in = append(in, p)
	}
	var out []reflect.Type
	for r := range method.Outs() {
		out = append(out, r)
	}
	return reflect.FuncOf(in, out, method.IsVariadic())
}

// bind returns a function that finds the method's code when it is first called.
func (b *builder) bind(m *Method) func() func([]reflect.Value) []reflect.Value {
	source := b.methods
	find := sync.OnceValues(func() (func([]reflect.Value) []reflect.Value, error) {
		if source == nil {
			return nil, errors.New("rtype: this table has no source of methods")
		}
		return source.Method(m)
	})
	return func() func([]reflect.Value) []reflect.Value {
		code, err := find()
		if err != nil {
			panic(err)
		}
		return code
	}
}

// newMethod is the entry of a method: word is the code that takes a data word as receiver, plain
// the code that takes the receiver as it is.
func newMethod(s *types.Selection, m *Method, word, plain int32) abiMethod {
	name := methodName(s.Obj().(*types.Func))
	return abiMethod{Name: name, Mtyp: gorelease.AddReflectOff(WordOf(m.Type)), Ifn: word, Tfn: plain}
}
