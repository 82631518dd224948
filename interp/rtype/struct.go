package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// structType makes an unnamed struct: through package reflect, so that there is one for each with
// the compiled ones, unless it has embedded fields, whose methods reflect cannot promote, or blank
// ones, which reflect compares.
func (b *builder) structType(x *types.Struct) reflect.Type {
	fs := b.structFields(x)
	own := false
	for _, f := range fs {
		own = own || f.Anonymous || f.Name == "_"
	}
	if !own {
		return b.set(x, reflect.StructOf(fs))
	}
	key := structKey(fs)
	if r := b.Table.structs[key]; r != nil {
		return b.set(x, r)
	}
	if r := b.structs[key]; r != nil {
		return b.set(x, r)
	}
	r := b.ownStruct(x)
	b.structs[key] = r
	return r
}

func (b *builder) structFields(x *types.Struct) []reflect.StructField {
	b.walkOrigins(x)
	fs := make([]reflect.StructField, x.NumFields())
	for i := range fs {
		f := x.Field(i)
		fs[i] = reflect.StructField{
			Name: f.Name(), Type: b.of(f.Type()), Tag: reflect.StructTag(x.Tag(i)), Anonymous: f.Embedded(),
		}
		if !f.Exported() {
			fs[i].PkgPath = packagePath(f.Pkg())
		}
	}
	return fs
}

// structKey is equal for identical structs.
func structKey(fs []reflect.StructField) string {
	var k strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&k, "%q %q %q %t %p;", f.Name, f.PkgPath, f.Tag, f.Anonymous, WordOf(f.Type))
	}
	return k.String()
}

// ownStruct makes the descriptor of an unnamed struct here.
func (b *builder) ownStruct(x *types.Struct) reflect.Type {
	methods, ptrMethods := b.methodSet(x), b.methodSet(types.NewPointer(x))
	gains := embeds(x)
	d := newDescriptor(prototypes.structure, len(methods), gains)
	d.setName(b.descriptorName(x))
	if len(methods) > 0 || gains {
		d.TFlag |= flagUncommon
	}
	self := b.own(x, d.Type)
	b.completeStruct(d, x)
	if len(ptrMethods) > 0 || gains {
		p := b.pointerShell(x, self, len(ptrMethods), gains)
		p.TFlag |= flagUncommon
		b.withMethods(&family{of: x, value: d, pointer: p}, methods, ptrMethods)
	}
	return self
}

// completeStruct gives a struct descriptor its layout and field names now, and the fields' types
// later.
func (b *builder) completeStruct(d descriptor, x *types.Struct) {
	b.walkOrigins(x)
	s := (*abiStruct)(unsafe.Pointer(d.Type))
	offs := b.fieldOffsets(x)
	fields := make([]abiField, x.NumFields())
	keepAlive(unsafe.Pointer(unsafe.SliceData(fields)))
	s.Fields = fields
	for i := range s.Fields {
		f := x.Field(i)
		s.Fields[i] = abiField{
			Name:   gorelease.EncodeName(f.Name(), x.Tag(i), f.Exported(), f.Embedded(), ""),
			Type:   (*abiType)(WordOf(b.placeholder(f.Type()))),
			Offset: offs[i],
		}
		if !f.Exported() {
			s.PkgPath = keptName(packagePath(f.Pkg()))
		}
	}
	b.setLayout(d.Type, x)
	b.setEqual(d.Type, x)
	b.later(func() {
		for i := range s.Fields {
			s.Fields[i].Type = b.word(x.Field(i).Type())
		}
	})
}

// StructOf is reflect.StructOf for programs that run on this table: where they ask for a struct
// that the table has made, they get that one, with its methods.
func (t *Table) StructOf(fs []reflect.StructField) reflect.Type {
	t.mu.RLock()
	r := t.structs[structKey(fs)]
	t.mu.RUnlock()
	if r != nil {
		return r
	}
	return t.withPlainTables(fs, func() reflect.Type { return reflect.StructOf(fs) })
}

// withPlainTables calls f while the types of embedded fields look as compiled ones do, whose method
// tables have methods only, and which have no table where they have no name and no methods.
func (t *Table) withPlainTables(fs []reflect.StructField, f func() reflect.Type) reflect.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, field := range fs {
		if !field.Anonymous || field.Type == nil {
			continue
		}
		elem := field.Type
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		if x := t.families[WordOf(elem)]; x != nil {
			defer x.value.plain(x.methods)()
			defer x.pointer.plain(x.ptrMethods)()
		}
	}
	return f()
}

// plain makes the descriptor look so, and returns what undoes it.
func (d descriptor) plain(l methodList) func() {
	count, flags := d.uncommon.Mcount, d.TFlag
	d.uncommon.Mcount = uint16(len(l.entries))
	if len(l.entries) == 0 && flags&flagNamed == 0 {
		d.TFlag &^= flagUncommon
	}
	return func() { d.uncommon.Mcount, d.TFlag = count, flags }
}
