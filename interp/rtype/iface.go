package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// interfaceType makes an unnamed interface. Package reflect has no way to, so identity with
// compiled ones comes from Bind.
func (b *builder) interfaceType(x *types.Interface) reflect.Type {
	if !x.IsMethodSet() {
		b.refuse(x, "a constraint is not the type of any value")
	}
	if x.NumMethods() == 0 {
		return b.set(x, reflect.TypeFor[any]())
	}
	key := b.ifaceKey(x)
	if r := b.Table.ifaces[key]; r != nil {
		return b.set(x, r)
	}
	if r := b.ifaces[key]; r != nil {
		return b.set(x, r)
	}
	d := newDescriptor(reflect.TypeFor[error](), 0, false)
	d.setName(b.descriptorName(x))
	r := b.own(x, d.Type)
	b.ifaces[key] = r
	b.completeInterface((*abiIface)(unsafe.Pointer(d.Type)), x)
	if m := firstUnexported(x); m != nil {
		(*abiIface)(unsafe.Pointer(d.Type)).PkgPath = keptName(packagePath(m.Pkg()))
	}
	return r
}

// ifaceKey is equal for identical interfaces.
func (b *builder) ifaceKey(x *types.Interface) string {
	var k strings.Builder
	for _, m := range interfaceMethods(x) {
		pkg := ""
		if !m.Exported() {
			pkg = packagePath(m.Pkg())
		}
		fmt.Fprintf(&k, "%s %q %p;", m.Name(), pkg, WordOf(b.signature(m.Signature())))
	}
	return k.String()
}

func firstUnexported(x *types.Interface) *types.Func {
	for m := range x.Methods() {
		if !m.Exported() {
			return m
		}
	}
	return nil
}

// completeInterface fills the methods; for a named interface it is a task, for they may mention it.
func (b *builder) completeInterface(a *abiIface, x *types.Interface) {
	if !x.IsMethodSet() {
		return // a named constraint: its descriptor is never used for a value
	}
	ms := interfaceMethods(x)
	methods := make([]abiImethod, len(ms))
	keepAlive(unsafe.Pointer(unsafe.SliceData(methods)))
	a.Methods = methods
	for i, m := range ms {
		a.Methods[i] = abiImethod{Name: methodName(m), Typ: gorelease.AddReflectOff(WordOf(b.signature(m.Signature())))}
	}
	if a.TFlag&flagNamed != 0 {
		u := (*abiUncommon)(unsafe.Add(unsafe.Pointer(a), unsafe.Sizeof(abiIface{})))
		a.PkgPath = (*byte)(gorelease.ResolveNameOff(unsafe.Pointer(a), u.PkgPath))
	}
}

// methodName encodes a method's name, with its package where that matters.
func methodName(m *types.Func) int32 {
	pkg := ""
	if !m.Exported() {
		pkg = packagePath(m.Pkg())
	}
	return nameOffset(m.Name(), m.Exported(), pkg)
}
