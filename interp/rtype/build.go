package rtype

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/types/typeutil"
)

// A builder is one call of Of that found nothing ready: everything it makes becomes visible
// together, when all of it is complete, or not at all. Recursion ends at named types: theirs is a
// shell with its final size, pointer bitmap and equality, all computed from go/types, and what
// refers to other types is patched in by the tasks.
type builder struct {
	*Table
	made    typeutil.Map
	back    map[Word]types.Type
	structs map[string]reflect.Type
	ifaces  map[string]reflect.Type
	locals  map[string]reflect.Type
	tasks   []func()

	families map[Word]*family
}

func (t *Table) builder() *builder {
	return &builder{
		Table: t, back: map[Word]types.Type{}, families: map[Word]*family{},
		structs: map[string]reflect.Type{}, ifaces: map[string]reflect.Type{}, locals: map[string]reflect.Type{},
	}
}

// make is Of under the lock.
func (t *Table) make(x types.Type) (r reflect.Type, err error) {
	b := t.builder()
	defer func() {
		if e := recover(); e != nil {
			r, err = nil, asError(x, e)
		}
	}()
	r = b.of(x)
	b.finish()
	return r, nil
}

// finish completes what was made, and makes it visible.
func (b *builder) finish() {
	for len(b.tasks) > 0 {
		task := b.tasks[0]
		b.tasks = b.tasks[1:]
		task()
	}
	b.publish()
}

// asError tells refusals, the builder's own and package reflect's, from faults of this package.
func asError(x types.Type, e any) error {
	switch e := e.(type) {
	case *TypeError:
		return e
	case *StubError:
		return e
	case *RoomError:
		return e
	case string: // reflect.XxxOf: too many arguments, element size too large, ...
		return &TypeError{x, e}
	}
	panic(e)
}

func (b *builder) publish() {
	b.made.Iterate(func(k types.Type, v any) {
		b.done.Set(k, v)
		b.Table.news = append(b.Table.news, k)
	})
	for w, x := range b.back {
		b.Table.back[w] = x
		b.Table.news = append(b.Table.news, x)
	}
	for w, f := range b.families {
		b.Table.families[w] = f
		f.sources(func(n *types.TypeName) { b.having[n] = append(b.having[n], f) })
	}
	maps.Copy(b.Table.structs, b.structs)
	maps.Copy(b.Table.locals, b.locals)
	maps.Copy(b.Table.ifaces, b.ifaces)
	if b.journal != nil {
		b.journal.add(b)
	}
}

func (b *builder) refuse(x types.Type, format string, args ...any) {
	panic(&TypeError{x, fmt.Sprintf(format, args...)})
}

func (b *builder) set(x types.Type, r reflect.Type) reflect.Type {
	b.made.Set(x, r)
	return r
}

// own remembers a descriptor made here.
func (b *builder) own(x types.Type, a *abiType) reflect.Type {
	b.back[unsafe.Pointer(a)] = x
	return b.set(x, gorelease.ToType(unsafe.Pointer(a)))
}

func (b *builder) later(task func()) { b.tasks = append(b.tasks, task) }

// of returns the runtime type of x; of a named type that is being made, its shell.
func (b *builder) of(x types.Type) reflect.Type {
	x = types.Unalias(x)
	if r, ok := b.done.At(x).(reflect.Type); ok {
		return r
	}
	if r, ok := b.made.At(x).(reflect.Type); ok {
		return r
	}
	switch x := x.(type) {
	case *types.Basic:
		if r := basic(x.Kind()); r != nil {
			return r
		}
	case *types.Named:
		return b.named(x)
	case *types.Pointer:
		return b.pointer(x)
	case *types.Slice:
		return b.set(x, reflect.SliceOf(b.of(x.Elem())))
	case *types.Array:
		return b.set(x, reflect.ArrayOf(b.length(x), b.of(x.Elem())))
	case *types.Chan:
		return b.set(x, reflect.ChanOf(chanDir(x.Dir()), b.of(x.Elem())))
	case *types.Map:
		return b.set(x, reflect.MapOf(b.of(x.Key()), b.of(x.Elem())))
	case *types.Signature:
		return b.set(x, b.signature(x))
	case *types.Interface:
		return b.interfaceType(x)
	case *types.Struct:
		return b.structType(x)
	case *types.Tuple:
		return b.set(x, b.tuple(x))
	case *types.TypeParam:
		b.refuse(x, "a type parameter has none before it is instantiated")
	}
	b.refuse(x, "%T", x)
	return nil
}

func (b *builder) length(x *types.Array) int {
	if x.Len() < 0 || int64(int(x.Len())) != x.Len() {
		b.refuse(x, "array length %d", x.Len())
	}
	b.size(x)
	return int(x.Len())
}

// signature returns the func type without the receiver.
func (b *builder) signature(x *types.Signature) reflect.Type {
	return reflect.FuncOf(b.vars(x.Params()), b.vars(x.Results()), x.Variadic())
}

func (b *builder) vars(x *types.Tuple) (rs []reflect.Type) {
	for v := range x.Variables() {
		rs = append(rs, b.of(v.Type()))
	}
	return rs
}

// tuple gives the results of a call the memory of a struct with fields F0, F1, ...
func (b *builder) tuple(x *types.Tuple) reflect.Type {
	var fs []reflect.StructField
	for i, r := range b.vars(x) {
		fs = append(fs, reflect.StructField{Name: fmt.Sprint("F", i), Type: r})
	}
	return reflect.StructOf(fs)
}

func chanDir(d types.ChanDir) reflect.ChanDir {
	switch d {
	case types.SendOnly:
		return reflect.SendDir
	case types.RecvOnly:
		return reflect.RecvDir
	}
	return reflect.BothDir
}
