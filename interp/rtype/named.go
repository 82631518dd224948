package rtype

import (
	"go/types"
	"reflect"
)

func (b *builder) named(x *types.Named) reflect.Type {
	if x.Obj().Pkg() == nil { // error
		return b.set(x, reflect.TypeFor[error]())
	}
	b.refuse(x, "named types are on their way")
	return nil
}
func (b *builder) pointer(x *types.Pointer) reflect.Type {
	return b.set(x, reflect.PointerTo(b.of(x.Elem())))
}
func (b *builder) structType(x *types.Struct) reflect.Type {
	var fs []reflect.StructField
	for i := range x.NumFields() {
		f := x.Field(i)
		sf := reflect.StructField{Name: f.Name(), Type: b.of(f.Type()), Tag: reflect.StructTag(x.Tag(i))}
		if !f.Exported() {
			sf.PkgPath = f.Pkg().Path()
		}
		fs = append(fs, sf)
	}
	return b.set(x, reflect.StructOf(fs))
}
func (b *builder) interfaceType(x *types.Interface) reflect.Type {
	if x.NumMethods() > 0 {
		b.refuse(x, "interfaces with methods are on their way")
	}
	return b.set(x, reflect.TypeFor[any]())
}
