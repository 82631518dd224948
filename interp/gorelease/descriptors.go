package gorelease

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// Release is the fact that all others are of this release.
var Release = &Fact{
	Name:    "runtime.Version",
	Why:     "facts are known of one release",
	Without: "cells: their types are made as another release has them",
	Vital:   true,
	check: func() error {
		v := runtime.Version()
		if v == Name || strings.HasPrefix(v, Name+".") || strings.Contains(v, "devel "+Name) {
			return nil
		}
		return fmt.Errorf("it is %s", v)
	},
}

// Descriptors is the fact that types of cells rest on.
var Descriptors = &Fact{
	Name:    "internal/abi.Type",
	Why:     "types that cells declare are the runtime's own types",
	Without: "cells: their types cannot be made",
	Vital:   true,
	check: func() error {
		for _, c := range layoutChecks() {
			if want, found := fmt.Sprint(c.want), fmt.Sprint(c.found); want != found {
				return fmt.Errorf("%s: want %s, found %s", c.what, want, found)
			}
		}
		return nil
	},
}

// A described is a compiled type with something in every field of its descriptor.
type described struct {
	A int8
	B *described `tag:"x"`
	C [3]string
	_ int32
}

// Probe is exported so that the linker keeps it.
func (*described) Probe(int, ...string) error { return nil }

// layoutChecks reads descriptors that the compiler wrote through the structs of abi.go.
func layoutChecks() []layoutCheck {
	s := (*Struct)(compiledWord(reflect.TypeFor[described]()))
	u := (*Uncommon)(unsafe.Add(unsafe.Pointer(s), unsafe.Sizeof(*s)))
	cs := []layoutCheck{
		{"struct size", unsafe.Sizeof(described{}), s.Size},
		{"struct pointer bytes", unsafe.Offsetof(described{}.C) + 2*unsafe.Sizeof("") + WordSize, s.PtrBytes},
		{"struct pointer bitmap", 0b1010110, *s.GCData},
		{"struct flags", FlagUncommon | FlagExtraStar | FlagNamed, s.TFlag},
		{"struct alignment", 8, s.Align},
		{"struct kind", int(reflect.Struct), s.Kind},
		{"struct equality", true, s.Equal(unsafe.Pointer(&described{A: 1}), unsafe.Pointer(&described{A: 1}))},
		{"struct name", "*gorelease.described", NameOf((*byte)(ResolveNameOff(unsafe.Pointer(s), s.Str)))},
		{"struct fields", 4, len(s.Fields)},
		{"package path", reflect.TypeFor[described]().PkgPath(),
			NameOf((*byte)(ResolveNameOff(unsafe.Pointer(s), u.PkgPath)))},
		{"package of fields", reflect.TypeFor[described]().PkgPath(), NameOf(s.PkgPath)},
	}
	if len(s.Fields) == 4 {
		cs = append(cs,
			layoutCheck{"field name and tag", "B" + "\x07" + `tag:"x"`, NameOf(s.Fields[1].Name) +
				string(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s.Fields[1].Name), 3)), 8))},
			layoutCheck{"field offset", unsafe.Offsetof(described{}.C), s.Fields[2].Offset},
			layoutCheck{"field type", reflect.TypeFor[[3]string](), typeOf(s.Fields[2].Type)})
	}
	cs = append(cs, kindChecks()...)
	return append(cs, methodChecks()...)
}

// A layoutCheck is what a descriptor should say and what is read in it.
type layoutCheck struct {
	what        string
	want, found any
}

func kindChecks() []layoutCheck {
	array := (*Array)(compiledWord(reflect.TypeFor[[3]string]()))
	channel := (*Chan)(compiledWord(reflect.TypeFor[<-chan int]()))
	mapping := (*Map)(compiledWord(reflect.TypeFor[map[string]described]()))
	fn := (*Type)(compiledWord(reflect.TypeFor[func(int8, ...string) error]()))
	iface := (*Interface)(compiledWord(reflect.TypeFor[error]()))
	ins := fmt.Sprint((*FuncType)(unsafe.Pointer(fn)).In, (*FuncType)(unsafe.Pointer(fn)).Out)
	cs := []layoutCheck{
		{"array", "3 string []string", fmt.Sprint(array.Len, typeOf(array.Elem), typeOf(array.Slice))},
		{"channel", "int 1", fmt.Sprint(typeOf(channel.Elem), channel.Dir)},
		{"map", "string gorelease.described", fmt.Sprint(typeOf(mapping.Key), typeOf(mapping.Elem))},
		{"map element offset", groupElem(mapping.Group), mapping.FirstElem()},
		{"func counts", "2 32769", ins},
		{"interface methods", 1, len(iface.Methods)},
		{"direct interface flag", true, has(FlagDirectIface, reflect.TypeFor[*int](), reflect.TypeFor[int]())},
		{"regular memory flag", true, has(FlagRegular, reflect.TypeFor[int](), reflect.TypeFor[string]())},
	}
	if ins == "2 32769" {
		cs = append(cs, layoutCheck{"func parameters", reflect.TypeFor[[]string](), typeOf(fn.Params()[1])})
	}
	return cs
}

// groupElem is the offset of the first element in a group: of the first slot's, or of the array of
// elements.
func groupElem(group *Type) uintptr {
	t := typeOf(group)
	slots := t.Field(1)
	if slots.Type.Kind() == reflect.Array && slots.Type.Elem().Kind() == reflect.Struct {
		return slots.Offset + slots.Type.Elem().Field(1).Offset
	}
	return t.Field(2).Offset
}

func methodChecks() []layoutCheck {
	var i interface {
		Probe(int, ...string) error
	} = &described{}
	p := (*Pointer)(compiledWord(reflect.TypeFor[*described]()))
	u := (*Uncommon)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p)))
	cs := []layoutCheck{
		{"itab type", reflect.TypeFor[*described](), typeOf((*ITab)((*Iface)(unsafe.Pointer(&i)).Tab).Type)},
		{"pointer element", reflect.TypeFor[described](), typeOf(p.Elem)},
		{"method counts", "1 1", fmt.Sprint(u.Mcount, u.Xcount)},
	}
	if u.Mcount != 1 {
		return cs
	}
	m := (*Method)(unsafe.Add(unsafe.Pointer(u), u.Moff))
	return append(cs,
		layoutCheck{"method name", "Probe", NameOf((*byte)(ResolveNameOff(unsafe.Pointer(p), m.Name)))},
		layoutCheck{"method type", reflect.TypeFor[func(int, ...string) error](),
			ToType(ResolveTypeOff(unsafe.Pointer(p), m.Mtyp))},
		layoutCheck{"method code", true, ResolveTextOff(unsafe.Pointer(p), m.Ifn) != nil})
}

func typeOf(a *Type) reflect.Type { return ToType(unsafe.Pointer(a)) }

// has reports whether a flag is set in the descriptor of a type and not in that of another.
func has(flag uint8, t, u reflect.Type) bool {
	return (*Type)(compiledWord(t)).TFlag&flag != 0 && (*Type)(compiledWord(u)).TFlag&flag == 0
}
