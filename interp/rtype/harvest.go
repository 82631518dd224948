package rtype

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// native returns the compiled type of x, nil if x is to be made here. Unexported types and
// instances of generic ones are not in anybody's
// list: they are found in the linker's, or by walking the package's exported declarations once.
func (b *builder) native(x *types.Named) reflect.Type {
	pkg := x.Obj().Pkg()
	path := packagePath(pkg)
	if b.natives == nil || path == "main" || declaredInside(x.Origin().Obj()) {
		return nil
	}
	if r, ok := b.natives.NativeType(path, instanceName(x)); ok {
		b.checkNative(x, r)
		b.done.Set(x, r)
		return r
	}
	if r := b.linked(x); r != nil {
		b.done.Set(x, r)
		return r
	}
	if x.TypeArgs().Len() > 0 || !b.natives.Compiled(path) {
		return nil
	}
	b.walkPackage(pkg)
	if r, ok := b.done.At(x).(reflect.Type); ok {
		b.checkNative(x, r)
		return r
	}
	b.refuse(x, "package %s is compiled into this binary, but this type is not reachable in it", path)
	return nil
}

// linked finds a type in the list of pointer types that the linker left in the binary for package
// reflect: iter.Seq[string] is there because compiled functions return it. One that looks otherwise
// than x, as where the engine executes other source, is not x.
func (b *builder) linked(x *types.Named) reflect.Type {
	if mentionsCells(x.TypeArgs()) {
		return nil // a cell's main.T is not the main.T of this binary
	}
	path, name := packagePath(x.Obj().Pkg()), instanceName(x)
	for _, w := range gorelease.TypesByString("*" + b.descriptorName(x)) {
		p := gorelease.ToType(w)
		if p.Kind() != reflect.Pointer {
			continue
		}
		if r := p.Elem(); r.PkgPath() == path && r.Name() == name && b.sameForm(x, r) {
			return r
		}
	}
	return nil
}

// sameForm compares kind, size and the names of fields.
func (b *builder) sameForm(x *types.Named, r reflect.Type) bool {
	if r.Size() != b.size(x) || r.Kind() != b.prototype(x.Underlying()).Kind() {
		return false
	}
	s, ok := x.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	same := s.NumFields() == r.NumField()
	for i := 0; same && i < s.NumFields(); i++ {
		same = s.Field(i).Name() == r.Field(i).Name
	}
	return same
}

// mentionsCells reports whether a type argument is, or is made of, a type that a cell or a function
// declares.
func mentionsCells(args *types.TypeList) bool {
	for x := range args.Types() {
		n := namer{byPath: true}
		n.write(x)
		if s := n.String(); strings.Contains(s, "main.") || strings.Contains(s, "·") {
			return true
		}
	}
	return false
}

// declaredInside reports whether a type is local to a function.
func declaredInside(obj *types.TypeName) bool {
	return obj.Pkg().Scope().Lookup(obj.Name()) != obj
}

// instanceName is the type's name as reflect.Type.Name gives it.
func instanceName(x *types.Named) string {
	if x.TypeArgs().Len() == 0 {
		return x.Obj().Name()
	}
	var n namer
	n.arguments(nil, x.TypeArgs())
	return x.Obj().Name() + n.String()
}

// checkNative refuses a compiled type that export data describes otherwise.
func (b *builder) checkNative(x *types.Named, r reflect.Type) {
	if size := b.size(x); r.Size() != size {
		b.refuse(x, "the binary's type has %d bytes where its export data says %d: they are of different releases", r.Size(),
			size)
	}
}

// walkOrigins walks the packages whose structs x copies: type M sync.Mutex has fields of types that
// only package sync leads to.
func (b *builder) walkOrigins(x *types.Struct) {
	for f := range x.Fields() {
		if p := f.Pkg(); b.natives != nil && p != nil && packagePath(p) != "main" && b.natives.Compiled(p.Path()) {
			b.walkPackage(p)
		}
	}
}

// walkPackage binds what the exported declarations of a compiled package mention.
func (t *Table) walkPackage(pkg *types.Package) {
	if t.harvest[pkg] {
		return
	}
	t.harvest[pkg] = true
	values, _ := t.natives.(NativeValues)
	path := packagePath(pkg)
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		w := binder{Table: t, inside: pkg} // a difference in one declaration does not spoil the next
		switch obj := obj.(type) {
		case *types.TypeName:
			w.declared(obj, path)
		case *types.Func, *types.Var:
			if values == nil || !obj.Exported() {
				continue
			}
			if v, ok := values.NativeValue(path, name); ok && v.IsValid() {
				w.walk(obj.Type(), v.Type())
			}
		}
	}
}

func (w *binder) declared(obj *types.TypeName, path string) {
	x, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() || x.TypeParams().Len() > 0 {
		return
	}
	if r, ok := w.natives.NativeType(path, obj.Name()); ok {
		if w.done.At(x) == nil {
			w.done.Set(x, r)
		}
		w.underlying(x, r)
	}
}
