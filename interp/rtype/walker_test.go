package rtype_test

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A walker compares a made type with its compiled twin in all that package reflect and the garbage collector see.
type walker struct {
	t    testing.TB
	seen map[[2]rtype.Word]bool
	pair func(made, compiled reflect.Type)
}

func (w *walker) eq(path, what string, made, compiled any) {
	if fmt.Sprint(made) != fmt.Sprint(compiled) {
		w.t.Errorf("%s: %s: made %v, compiled %v", path, what, made, compiled)
	}
}

func (w *walker) same(path string, a, b reflect.Type) {
	if a == b || w.seen[[2]rtype.Word{rtype.WordOf(a), rtype.WordOf(b)}] {
		return
	}
	w.seen[[2]rtype.Word{rtype.WordOf(a), rtype.WordOf(b)}] = true
	w.pair(a, b)
	w.eq(path, "kind", a.Kind(), b.Kind())
	if a.Kind() != b.Kind() {
		return
	}
	w.eq(path, "string", a.String(), b.String())
	w.eq(path, "name", a.Name(), b.Name())
	w.eq(path, "package", a.PkgPath(), b.PkgPath())
	w.eq(path, "memory", memory(a), memory(b))
	w.eq(path, "pointers", rtype.PointerOffsets(nil, limit(a), 0), rtype.PointerOffsets(nil, limit(b), 0))
	w.eq(path, "methods", a.NumMethod(), b.NumMethod())
	for i := range min(a.NumMethod(), b.NumMethod()) {
		x, y := a.Method(i), b.Method(i)
		w.eq(path, "method", fmt.Sprint(x.Name, x.PkgPath, x.Index, x.Type), fmt.Sprint(y.Name, y.PkgPath, y.Index, y.Type))
		w.same(path+"."+x.Name, x.Type, y.Type)
	}
	w.parts(path, a, b)
	if a.Kind() != reflect.Pointer {
		w.same("*"+path, reflect.PointerTo(a), reflect.PointerTo(b))
	}
}

// limit keeps the offsets of huge arrays out of the comparison; memory compares their bitmaps' kind.
func limit(t reflect.Type) reflect.Type {
	if t.Size() > 1<<16 {
		return reflect.TypeFor[int]()
	}
	return t
}

func (w *walker) parts(path string, a, b reflect.Type) {
	switch a.Kind() {
	case reflect.Array:
		w.eq(path, "length", a.Len(), b.Len())
		w.same(path+"[]", a.Elem(), b.Elem())
	case reflect.Slice, reflect.Pointer:
		w.same(path+"[]", a.Elem(), b.Elem())
	case reflect.Chan:
		w.eq(path, "direction", a.ChanDir(), b.ChanDir())
		w.same(path+"<-", a.Elem(), b.Elem())
	case reflect.Map:
		w.same(path+"[k]", a.Key(), b.Key())
		w.same(path+"[v]", a.Elem(), b.Elem())
	case reflect.Func:
		w.eq(path, "params", fmt.Sprint(a.NumIn(), a.NumOut(), a.IsVariadic()), fmt.Sprint(b.NumIn(), b.NumOut(), b.IsVariadic()))
		for i := range min(a.NumIn(), b.NumIn()) {
			w.same(fmt.Sprint(path, "(", i), a.In(i), b.In(i))
		}
		for i := range min(a.NumOut(), b.NumOut()) {
			w.same(fmt.Sprint(path, ")", i), a.Out(i), b.Out(i))
		}
	case reflect.Struct:
		w.eq(path, "fields", a.NumField(), b.NumField())
		for i := range min(a.NumField(), b.NumField()) {
			x, y := a.Field(i), b.Field(i)
			w.eq(path, "field", fmt.Sprint(x.Name, " ", x.PkgPath, x.Tag, x.Offset, x.Index, x.Anonymous), fmt.Sprint(y.Name, " ", y.PkgPath, y.Tag, y.Offset, y.Index, y.Anonymous))
			w.same(path+"."+x.Name, x.Type, y.Type)
		}
	}
}

// memory describes what the runtime knows of a type's memory: the head of its descriptor.
func memory(t reflect.Type) string {
	d := (*struct {
		size, ptrBytes   uintptr
		hash             uint32
		flags            uint8
		align, falign, k uint8
		equal            unsafe.Pointer
		gcdata           *byte
	})(rtype.WordOf(t))
	s := fmt.Sprint(d.size, d.ptrBytes, d.flags&^3, d.align, d.falign, d.k, d.equal != nil)
	if d.ptrBytes > 0 && d.flags&16 == 0 {
		words := d.ptrBytes / 8
		mask := unsafe.Slice(d.gcdata, (words+7)/8)
		s += fmt.Sprintf(" %x", mask)
	}
	return s
}

func TestTwinsAreTheSameTypes(t *testing.T) { newTwins(t) }
