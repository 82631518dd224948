package rtype

import (
	"go/types"
	"reflect"
)

// Bind teaches the table that r is the compiled type of x, which may be the type of a compiled
// function or variable: every unnamed struct and interface and every named type inside becomes
// known. Engines call it for what they take from the binary, before they ask Of for the same types;
// a part that has a type already keeps it. The error is a *TypeError where x and r differ in form.
func (t *Table) Bind(x types.Type, r reflect.Type) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := binder{Table: t}
	w.walk(x, r)
	if w.failed != nil {
		return w.failed
	}
	return nil
}

// A binder walks a go/types type and its compiled twin in step.
type binder struct {
	*Table
	inside *types.Package // walk into the declarations of this package's types
	failed *TypeError
}

func (w *binder) walk(x types.Type, r reflect.Type) {
	x = types.Unalias(x)
	if w.failed != nil || w.done.At(x) != nil {
		return
	}
	switch x := x.(type) {
	case *types.Basic:
		w.expect(x, r, basic(x.Kind()) == r)
	case *types.Named:
		w.named(x, r)
	case *types.Pointer:
		if w.expect(x, r, r.Kind() == reflect.Pointer) {
			w.walk(x.Elem(), r.Elem())
		}
	case *types.Slice:
		if w.expect(x, r, r.Kind() == reflect.Slice) {
			w.walk(x.Elem(), r.Elem())
		}
	case *types.Array:
		if w.expect(x, r, r.Kind() == reflect.Array && int64(r.Len()) == x.Len()) {
			w.walk(x.Elem(), r.Elem())
		}
	case *types.Chan:
		if w.expect(x, r, r.Kind() == reflect.Chan) {
			w.walk(x.Elem(), r.Elem())
		}
	case *types.Map:
		if w.expect(x, r, r.Kind() == reflect.Map) {
			w.walk(x.Key(), r.Key())
			w.walk(x.Elem(), r.Elem())
		}
	case *types.Signature:
		w.signature(x, r)
	case *types.Struct:
		if w.fields(x, r) {
			w.done.Set(x, r)
		}
	case *types.Interface:
		if w.methodsOf(x, r) {
			w.done.Set(x, r)
		}
	}
}

// expect notes a difference between x and r.
func (w *binder) expect(x types.Type, r reflect.Type, same bool) bool {
	if !same && w.failed == nil {
		w.failed = &TypeError{x, "the binary has " + r.String() + " in its place"}
	}
	return same
}

func (w *binder) named(x *types.Named, r reflect.Type) {
	if x.Obj().Pkg() == nil || !w.expect(x, r, r.Name() != "" && r.PkgPath() == packagePath(x.Obj().Pkg())) {
		return
	}
	w.done.Set(x, r)
	if x.Obj().Pkg() == w.inside || w.inside != nil && x.TypeArgs().Len() > 0 {
		w.underlying(x, r) // an instance leads to its type arguments
	}
}

// underlying walks what a type declaration mentions: fields, elements, methods.
func (w *binder) underlying(x *types.Named, r reflect.Type) {
	switch u := x.Underlying().(type) {
	case *types.Struct:
		w.fields(u, r)
	case *types.Interface:
		w.methodsOf(u, r)
	case *types.Basic:
	default:
		if w.done.At(u) == nil {
			w.walk(u, r)
			w.done.Delete(u) // r is x's type, not that of the type literal
		}
	}
	for i := range x.NumMethods() {
		m := x.Method(i)
		for _, recv := range []reflect.Type{r, reflect.PointerTo(r)} {
			if rm, ok := recv.MethodByName(m.Name()); ok && r.Kind() != reflect.Interface && m.Exported() {
				w.params(m.Signature(), rm.Type, 1)
			}
		}
	}
}

func (w *binder) fields(x *types.Struct, r reflect.Type) bool {
	if !w.expect(x, r, r.Kind() == reflect.Struct && r.NumField() == x.NumFields()) {
		return false
	}
	for i := range x.NumFields() {
		if w.expect(x, r, sameName(x.Field(i), r.Field(i).Name, r.Field(i).PkgPath)) {
			w.walk(x.Field(i).Type(), r.Field(i).Type)
		}
	}
	return w.failed == nil
}

func (w *binder) methodsOf(x *types.Interface, r reflect.Type) bool {
	if !w.expect(x, r, r.Kind() == reflect.Interface && r.NumMethod() == x.NumMethods()) {
		return false
	}
	for i, m := range interfaceMethods(x) {
		if w.expect(x, r, sameName(m, r.Method(i).Name, r.Method(i).PkgPath)) {
			w.signature(m.Signature(), r.Method(i).Type)
		}
	}
	return w.failed == nil
}

func (w *binder) signature(x *types.Signature, r reflect.Type) {
	if w.expect(x, r, r.Kind() == reflect.Func) {
		w.params(x, r, 0)
	}
}

// params walks parameters and results; r has skip more parameters in front.
func (w *binder) params(x *types.Signature, r reflect.Type, skip int) {
	if !w.expect(x, r, r.NumIn() == x.Params().Len()+skip && r.NumOut() == x.Results().Len()) {
		return
	}
	for i := range x.Params().Len() {
		w.walk(x.Params().At(i).Type(), r.In(i+skip))
	}
	for i := range x.Results().Len() {
		w.walk(x.Results().At(i).Type(), r.Out(i))
	}
}

// sameName reports whether a field or method is obj; unexported names of different packages are
// different names.
func sameName(obj types.Object, name, pkgPath string) bool {
	return name == obj.Name() && (obj.Exported() || pkgPath == packagePath(obj.Pkg()))
}
