package rtype

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A LayoutError says that this binary was built by a Go release whose runtime differs from what this package knows.
type LayoutError struct{ What, Want, Found string }

func (e *LayoutError) Error() string {
	return fmt.Sprintf("rtype: %s: want %s, found %s (built by %s; build with %s)", e.What, e.Want, e.Found,
		runtime.Version(), gorelease.Name)
}

// Selfcheck compares the runtime of this binary with what the package rests on, once. The error is a *LayoutError.
func Selfcheck() error { return selfcheck() }

var selfcheck = sync.OnceValue(func() error {
	v := runtime.Version()
	if v != gorelease.Name && !strings.HasPrefix(v, gorelease.Name+".") && !strings.Contains(v, "devel "+gorelease.Name) {
		return &LayoutError{"the Go release", gorelease.Name, v}
	}
	for _, c := range layoutChecks() {
		if fmt.Sprint(c.want) != fmt.Sprint(c.found) {
			return &LayoutError{c.what, fmt.Sprint(c.want), fmt.Sprint(c.found)}
		}
	}
	for _, i := range []int{0, 1, 2, 12345, stubBlock - 1, stubBlock, stubBlock + 54321, StubCount - 1} {
		if err := checkStub(i); err != nil {
			return err
		}
	}
	return checkDispatch()
})

// A probe is a compiled type with something in every field of its descriptor.
type probe struct {
	A int8
	B *probe `tag:"x"`
	C [3]string
	_ int32
}

// Probe is exported so that the linker keeps it.
func (*probe) Probe(int, ...string) error { return nil }

// compiledWord is WordOf, opaque to the compiler, which else reads descriptors itself while it compiles and leaves references that its
// linker does not accept.
//
//go:noinline
func compiledWord(t reflect.Type) Word { return WordOf(t) }

type layoutCheck struct {
	what        string
	want, found any
}

// layoutChecks reads descriptors that the compiler wrote through the structs of abi.go.
func layoutChecks() []layoutCheck {
	s := (*abiStruct)(compiledWord(reflect.TypeFor[probe]()))
	u := (*abiUncommon)(unsafe.Add(unsafe.Pointer(s), unsafe.Sizeof(*s)))
	cs := []layoutCheck{
		{"struct size", unsafe.Sizeof(probe{}), s.Size},
		{"struct pointer bytes", unsafe.Offsetof(probe{}.C) + 2*unsafe.Sizeof("") + wordSize, s.PtrBytes},
		{"struct pointer bitmap", 0b1010110, *s.GCData},
		{"struct flags", flagUncommon | flagExtraStar | flagNamed, s.TFlag},
		{"struct alignment", 8, s.Align},
		{"struct kind", int(reflect.Struct), s.Kind},
		{"struct equality", true, s.Equal(unsafe.Pointer(&probe{A: 1}), unsafe.Pointer(&probe{A: 1}))},
		{"struct name", "*rtype.probe", nameOf((*byte)(gorelease.ResolveNameOff(unsafe.Pointer(s), s.Str)))},
		{"struct fields", 4, len(s.Fields)},
		{"package path", reflect.TypeFor[probe]().PkgPath(),
			nameOf((*byte)(gorelease.ResolveNameOff(unsafe.Pointer(s), u.PkgPath)))},
		{"package of fields", reflect.TypeFor[probe]().PkgPath(), nameOf(s.PkgPath)},
	}
	if len(s.Fields) == 4 {
		cs = append(cs,
			layoutCheck{"field name and tag", "B" + "\x07" + `tag:"x"`, nameOf(s.Fields[1].Name) + string(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s.Fields[1].Name), 3)), 8))},
			layoutCheck{"field offset", unsafe.Offsetof(probe{}.C), s.Fields[2].Offset},
			layoutCheck{"field type", reflect.TypeFor[[3]string](), typeOf(s.Fields[2].Type)})
	}
	cs = append(cs, kindChecks()...)
	cs = append(cs, moduleChecks()...)
	return append(cs, methodChecks()...)
}

func kindChecks() []layoutCheck {
	array := (*abiArray)(compiledWord(reflect.TypeFor[[3]string]()))
	channel := (*abiChan)(compiledWord(reflect.TypeFor[<-chan int]()))
	mapping := (*abiMap)(compiledWord(reflect.TypeFor[map[string]probe]()))
	fn := (*abiType)(compiledWord(reflect.TypeFor[func(int8, ...string) error]()))
	iface := (*abiIface)(compiledWord(reflect.TypeFor[error]()))
	ins := fmt.Sprint((*abiFunc)(unsafe.Pointer(fn)).In, (*abiFunc)(unsafe.Pointer(fn)).Out)
	cs := []layoutCheck{
		{"array", "3 string []string", fmt.Sprint(array.Len, typeOf(array.Elem), typeOf(array.Slice))},
		{"channel", "int 1", fmt.Sprint(typeOf(channel.Elem), channel.Dir)},
		{"map", "string rtype.probe", fmt.Sprint(typeOf(mapping.Key), typeOf(mapping.Elem))},
		{"map element offset", groupElem(mapping.Group), mapping.FirstElem()},
		{"func counts", "2 32769", ins},
		{"interface methods", 1, len(iface.Methods)},
		{"direct interface flag", true, Direct(compiledWord(reflect.TypeFor[*int]())) && !Direct(compiledWord(reflect.TypeFor[int]()))},
		{"regular memory flag", true, Regular(compiledWord(reflect.TypeFor[int]())) && !Regular(compiledWord(reflect.TypeFor[string]()))},
	}
	if ins == "2 32769" {
		cs = append(cs, layoutCheck{"func parameters", reflect.TypeFor[[]string](), typeOf(funcParams(fn)[1])})
	}
	return cs
}

// groupElem is the offset of the first element in a group: of the first slot's, or of the array of
// elements.
func groupElem(group *abiType) uintptr {
	t := typeOf(group)
	slots := t.Field(1)
	if slots.Type.Kind() == reflect.Array && slots.Type.Elem().Kind() == reflect.Struct {
		return slots.Offset + slots.Type.Elem().Field(1).Offset
	}
	return t.Field(2).Offset
}

// inData is a variable that the compiler gives its value.
var inData = &emptyCache

// moduleChecks look for things of the binary where its module says that such things are.
func moduleChecks() []layoutCheck {
	m := theModule
	within := func(p unsafe.Pointer, from, to uintptr) bool { return uintptr(p) >= from && uintptr(p) < to }
	return []layoutCheck{
		{"the module's code", true, within(stubAddress(0), m.Text, m.EText)},
		{"the module's types", true, within(compiledWord(reflect.TypeFor[probe]()), m.Types, m.ETypes)},
		{"the module's data", true, within(unsafe.Pointer(&inData), m.Data, m.EData)},
		{"the module's zeroed data", true, within(unsafe.Pointer(&kept), m.BSS, m.EBSS)},
	}
}

func methodChecks() []layoutCheck {
	var i interface {
		Probe(int, ...string) error
	} = &probe{}
	p := (*abiPtr)(compiledWord(reflect.TypeFor[*probe]()))
	u := (*abiUncommon)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p)))
	cs := []layoutCheck{
		{"itab type", reflect.TypeFor[*probe](), gorelease.ToType(ItabType((*Iface)(unsafe.Pointer(&i)).Tab))},
		{"pointer element", reflect.TypeFor[probe](), typeOf(p.Elem)},
		{"method counts", "1 1", fmt.Sprint(u.Mcount, u.Xcount)},
	}
	if u.Mcount != 1 {
		return cs
	}
	m := (*abiMethod)(unsafe.Add(unsafe.Pointer(u), u.Moff))
	return append(cs,
		layoutCheck{"method name", "Probe", nameOf((*byte)(gorelease.ResolveNameOff(unsafe.Pointer(p), m.Name)))},
		layoutCheck{"method type", reflect.TypeFor[func(int, ...string) error](),
			gorelease.ToType(gorelease.ResolveTypeOff(unsafe.Pointer(p), m.Mtyp))},
		layoutCheck{"method code", true, gorelease.ResolveTextOff(unsafe.Pointer(p), m.Ifn) != nil})
}

// checkDispatch calls a func value through the first stub of each block: arguments and results must come through.
func checkDispatch() error {
	for _, i := range []int{0, stubBlock} {
		add := 7
		target := func(a int, s string, f float64) (string, float64, int) { return s, f, a + add }
		old := stubFuncs[i]
		stubFuncs[i] = uintptr(FuncWord(reflect.ValueOf(target)))
		word := stubAddress(i)
		fv := unsafe.Pointer(&word)
		call := *(*func(int, string, float64) (string, float64, int))(unsafe.Pointer(&fv))
		s, f, n := call(35, "x", 0.5)
		stubFuncs[i] = old
		runtime.KeepAlive(target)
		if s != "x" || f != 0.5 || n != 42 {
			return &LayoutError{fmt.Sprintf("a call through method stub %d", i), "x 0.5 42", fmt.Sprint(s, f, n)}
		}
	}
	return nil
}

func typeOf(a *abiType) reflect.Type { return gorelease.ToType(unsafe.Pointer(a)) }
