package gorelease

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// NamedTypes is the fact that types gain methods from later cells on.
var NamedTypes = &Fact{
	Name: "go/types.Named",
	Why: "a type that a later cell declares methods of has them, as all its instances do; a cell that fails takes " +
		"them back",
	Without: "methods declared in a later cell than their type",
	check:   checkInstances,
}

// MethodsOf is where go/types keeps the methods of a declared type: it can add to them, and not
// take one back.
func MethodsOf(t *types.Named) *[]*types.Func {
	return (*[]*types.Func)(unsafe.Add(unsafe.Pointer(t), methodsField.Offset))
}

var methodsField, methodsKnown = reflect.TypeFor[types.Named]().FieldByName("methods")

// Underlying is the underlying type of an instance as far as go/types has made it; nil: not yet.
func Underlying(t *types.Named) types.Type { return *fieldsOf(t).underlying }

// ExpandedMethods is how many methods of an instance go/types has made.
func ExpandedMethods(t *types.Named) int { return *fieldsOf(t).expanded() }

// InstanceContext is the context that more of an instance is made in; nil: none yet.
func InstanceContext(t *types.Named) *types.Context { return *fieldsOf(t).context() }

// Grow makes room for a method more in an instance.
func Grow(t *types.Named) {
	f := fieldsOf(t)
	if *f.state&isUnpacked == 0 {
		return // it will look at its generic type
	}
	if len(*f.methods) > 0 {
		*f.methods = append(slices.Clip(*f.methods), nil)
	}
	*f.state &^= hasMethods
	if c := f.context(); *c == nil {
		*c = types.NewContext()
	}
}

// Shrink takes the room of method i of an instance away.
func Shrink(t *types.Named, i int) {
	f := fieldsOf(t)
	if i >= len(*f.methods) {
		return
	}
	if (*f.methods)[i] != nil {
		*f.expanded()--
	}
	*f.methods = slices.Delete(slices.Clone(*f.methods), i, i+1)
}

// Fields of a types.Named, and of what it says of an instance.
type namedFields struct {
	state      *uint32
	underlying *types.Type
	methods    *[]*types.Func
	inst       unsafe.Pointer // nil: no instance
}

func fieldsOf(t *types.Named) namedFields {
	p, l := unsafe.Pointer(t), &namedLayout
	return namedFields{
		(*uint32)(unsafe.Add(p, l.state.Offset)), (*types.Type)(unsafe.Add(p, l.underlying.Offset)),
		MethodsOf(t), *(*unsafe.Pointer)(unsafe.Add(p, l.inst.Offset)),
	}
}

func (f namedFields) context() **types.Context {
	return (**types.Context)(unsafe.Add(f.inst, namedLayout.context.Offset))
}

func (f namedFields) expanded() *int {
	return (*int)(unsafe.Add(f.inst, namedLayout.expanded.Offset))
}

// Bits of a types.Named's state.
const (
	isUnpacked = 1 << 1
	hasMethods = 1 << 2
)

// Keys is how many different instances a context has, as it tells them apart.
func Keys(c *types.Context) int {
	entries := (*map[string]struct{})(unsafe.Add(unsafe.Pointer(c), namedLayout.typeMap.Offset))
	return len(*entries) // which does not depend on what the elements are
}

// EachInstance calls f for the named types of a context.
func EachInstance(c *types.Context, f func(*types.Named)) {
	entries := reflect.NewAt(namedLayout.typeMap.Type, unsafe.Add(unsafe.Pointer(c), namedLayout.typeMap.Offset)).Elem()
	if entries.Len() == 0 {
		return
	}
	for it := entries.MapRange(); it.Next(); {
		list := it.Value()
		for i := range list.Len() {
			if t, ok := (*(*types.Type)(unsafe.Add(list.Index(i).Addr().UnsafePointer(),
				namedLayout.entry.Offset))).(*types.Named); ok {
				f(t)
			}
		}
	}
}

// ProgramContext is where go/ssa makes instances.
func ProgramContext(p *ssa.Program) *types.Context {
	return *(**types.Context)(unsafe.Add(unsafe.Pointer(p), namedLayout.program.Offset))
}

// namedLayout is where go/types and go/ssa keep what this file reads and writes; missing names what
// is not there.
var namedLayout = func() (l struct {
	state, underlying, inst, context, expanded, typeMap, entry, program reflect.StructField
	missing                                                             string
}) {
	field := func(t reflect.Type, name string, want reflect.Type) reflect.StructField {
		f, ok := t.FieldByName(name)
		if !ok || want != nil && f.Type != want {
			l.missing = t.String() + "." + name
		}
		return f
	}
	named, context := reflect.TypeFor[types.Named](), reflect.TypeFor[*types.Context]()
	l.state = field(named, "state_", reflect.TypeFor[uint32]())
	l.underlying = field(named, "underlying", reflect.TypeFor[types.Type]())
	if l.inst = field(named, "inst", nil); l.missing != "" || l.inst.Type.Kind() != reflect.Pointer {
		return l
	}
	l.context = field(l.inst.Type.Elem(), "ctxt", context)
	l.expanded = field(l.inst.Type.Elem(), "expandedMethods", reflect.TypeFor[int]())
	l.typeMap = field(context.Elem(), "typeMap", nil)
	if l.missing != "" || l.typeMap.Type.Kind() != reflect.Map || l.typeMap.Type.Elem().Kind() != reflect.Slice {
		return l
	}
	l.entry = field(l.typeMap.Type.Elem().Elem(), "instance", reflect.TypeFor[types.Type]())
	l.program = field(reflect.TypeFor[ssa.Program](), "ctxt", context)
	return l
}()

// checkInstances adds a method to a generic type that has an instance with all methods made, and
// takes it back.
func checkInstances() error {
	if !methodsKnown || methodsField.Type != reflect.TypeFor[[]*types.Func]() {
		return errors.New("it has no methods as it should")
	}
	if namedLayout.missing != "" {
		return fmt.Errorf("this Go release has no %s as it should be: build with the release that go.mod names",
			namedLayout.missing)
	}
	pkg, context := types.NewPackage("main", "main"), types.NewContext()
	param := func() *types.TypeParam {
		return types.NewTypeParam(types.NewTypeName(token.NoPos, pkg, "P", nil), types.Universe.Lookup("any").Type())
	}
	origin := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), types.NewStruct(nil, nil), nil)
	origin.SetTypeParams([]*types.TypeParam{param()})
	method := func(name string) *types.Func {
		p := param()
		recv, _ := types.Instantiate(nil, origin, []types.Type{p}, false)
		result := types.NewTuple(types.NewParam(token.NoPos, pkg, "", p))
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(types.NewParam(token.NoPos, pkg, "", recv),
			[]*types.TypeParam{p}, nil, nil, result, false))
	}
	has := func(t types.Type, name string) bool {
		m, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		f, ok := m.(*types.Func)
		return ok && f.Signature().Results().At(0).Type() == types.Typ[types.Int]
	}
	origin.AddMethod(method("A"))
	t, err := types.Instantiate(context, origin, []types.Type{types.Typ[types.Int]}, false)
	if err != nil || !has(t, "A") {
		return fmt.Errorf("go/types of this Go release does not instantiate types as it should: build with the release " +
			"that go.mod names")
	}
	found := 0
	EachInstance(context, func(n *types.Named) {
		if n == t {
			found++
			Grow(n)
		}
	})
	b := method("B")
	origin.AddMethod(b)
	gained := found == 1 && has(t, "A") && has(t, "B") && types.NewMethodSet(t).Len() == 2
	list := MethodsOf(origin)
	*list = (*list)[:1]
	Shrink(t.(*types.Named), 1)
	if !gained || !has(t, "A") || types.NewMethodSet(t).Len() != 1 {
		return fmt.Errorf("go/types of this Go release keeps the methods of instances elsewhere: build with the release " +
			"that go.mod names")
	}
	return nil
}
