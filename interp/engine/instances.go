package engine

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"
	"weak"

	"golang.org/x/tools/go/ssa"
)

// An instance of a generic type has methods of its own, which go/types makes of those of the generic type when they are asked for, into a
// list whose length is decided the first time. When the generic type gains a method, all its instances that are alive need room for
// one more, and room less when the method is taken back. go/types does not keep them in one place: they are noted here, weakly, where they
// come into being, and what was made of them since is found from them.

// instances are the instances of cells' generic types, and the programs that may make more. MethodSets must be held.
var instances = struct {
	known    map[weak.Pointer[types.Named]]bool
	programs map[weak.Pointer[ssa.Program]]bool
	noted    int // since those that are no more were dropped
}{map[weak.Pointer[types.Named]]bool{}, map[weak.Pointer[ssa.Program]]bool{}, 0}

// NoteInstances notes the instances that a run of go/types made in its context. MethodSets must be held.
func NoteInstances(made *types.Context) {
	eachInstance(made, note)
	prune()
}

// NoteProgram notes a program, which makes instances whenever code is built. MethodSets must be held.
func NoteProgram(p *ssa.Program) {
	instances.programs[weak.Make(p)] = true
	instances.noted++
	eachInstance(contextOf(p), note)
	prune()
}

// NoteTypes notes the instances of which types are made. MethodSets must be held.
func NoteTypes(list ...types.Type) {
	w := instanceWalk{seen: map[types.Type]bool{}}
	for _, t := range list {
		w.walk(t)
	}
	for _, n := range w.found {
		note(n)
	}
}

func note(t *types.Named) {
	if ofCells(t) {
		instances.known[weak.Make(t)] = true
		instances.noted++
	}
}

func ofCells(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && pkg.Path() == "main"
}

// prune drops those that are no more, now and then: how many of them the collector has seen by then depends on how busy the machine is.
func prune() {
	if instances.noted < 256 {
		return
	}
	instances.known, instances.programs, instances.noted = alive(instances.known), alive(instances.programs), 0
}

// alive is a map of those that are: one that things were deleted from would keep its size.
func alive[T any](of map[weak.Pointer[T]]bool) map[weak.Pointer[T]]bool {
	left := map[weak.Pointer[T]]bool{}
	for p := range of {
		if p.Value() != nil {
			left[p] = true
		}
	}
	return left
}

// instancesOf are the instances of a generic type of cells that are alive. MethodSets must be held.
func instancesOf(origin *types.Named) (list []*types.Named) {
	w := instanceWalk{seen: map[types.Type]bool{}}
	for p := range instances.known {
		if t := p.Value(); t != nil {
			w.walk(t)
		}
	}
	for p := range instances.programs {
		if prog := p.Value(); prog != nil {
			eachInstance(contextOf(prog), func(t *types.Named) { w.walk(t) })
		}
	}
	w.walk(origin)
	for _, t := range w.found {
		note(t)
		if t.Origin() == origin {
			list = append(list, t)
		}
	}
	return list
}

// An instanceWalk visits what types are made of as far as go/types has made it: nothing is made by looking.
type instanceWalk struct {
	seen  map[types.Type]bool
	found []*types.Named // instances of cells' generic types
}

func (w *instanceWalk) walk(t types.Type) {
	t = types.Unalias(t)
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.named(t)
	case *types.Signature:
		w.signature(t)
	default:
		Parts(t, w.walk)
	}
}

func (w *instanceWalk) signature(s *types.Signature) {
	if s == nil {
		return // of a method that is not checked yet
	}
	for p := range s.TypeParams().TypeParams() {
		w.walk(p.Constraint())
	}
	if s.Recv() != nil {
		w.walk(s.Recv().Type())
	}
	Parts(s, w.walk)
}

func (w *instanceWalk) named(t *types.Named) {
	for a := range t.TypeArgs().Types() {
		w.walk(a)
	}
	if !ofCells(t) || t.Origin() == t {
		return // what it is made of no cell declares, or it was noted with the cell that does
	}
	f := fieldsOf(t)
	w.walk(*f.underlying)
	for _, m := range *f.methods {
		if m != nil && m.Type() != nil {
			w.walk(m.Type())
		}
	}
	w.found = append(w.found, t)
	if c := *f.context(); c != nil {
		eachInstance(c, func(t *types.Named) { w.walk(t) })
	}
}

// grow makes room for a method more.
func grow(t *types.Named) {
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

// shrink takes the room of method i away.
func shrink(t *types.Named, i int) {
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
		methodsOf(t), *(*unsafe.Pointer)(unsafe.Add(p, l.inst.Offset)),
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

// eachInstance calls f for the named types of a context.
func eachInstance(c *types.Context, f func(*types.Named)) {
	entries := reflect.NewAt(namedLayout.typeMap.Type, unsafe.Add(unsafe.Pointer(c), namedLayout.typeMap.Offset)).Elem()
	if entries.Len() == 0 {
		return
	}
	for it := entries.MapRange(); it.Next(); {
		list := it.Value()
		for i := range list.Len() {
			if t, ok := (*(*types.Type)(unsafe.Add(list.Index(i).Addr().UnsafePointer(), namedLayout.entry.Offset))).(*types.Named); ok {
				f(t)
			}
		}
	}
}

func contextOf(p *ssa.Program) *types.Context {
	return *(**types.Context)(unsafe.Add(unsafe.Pointer(p), namedLayout.program.Offset))
}

// namedLayout is where go/types and go/ssa keep what this file reads and writes; missing names what is not there.
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

// checkInstances adds a method to a generic type that has an instance with all methods made, and takes it back.
func checkInstances() error {
	if namedLayout.missing != "" {
		return fmt.Errorf("this Go release has no %s as it should be: build with the release that go.mod names", namedLayout.missing)
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
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(types.NewParam(token.NoPos, pkg, "", recv), []*types.TypeParam{p}, nil, nil, result, false))
	}
	has := func(t types.Type, name string) bool {
		m, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		f, ok := m.(*types.Func)
		return ok && f.Signature().Results().At(0).Type() == types.Typ[types.Int]
	}
	origin.AddMethod(method("A"))
	t, err := types.Instantiate(context, origin, []types.Type{types.Typ[types.Int]}, false)
	if err != nil || !has(t, "A") {
		return fmt.Errorf("go/types of this Go release does not instantiate types as it should: build with the release that go.mod names")
	}
	found := 0
	eachInstance(context, func(n *types.Named) {
		if n == t {
			found++
			grow(n)
		}
	})
	b := method("B")
	origin.AddMethod(b)
	gained := found == 1 && has(t, "A") && has(t, "B") && types.NewMethodSet(t).Len() == 2
	list := methodsOf(origin)
	*list = (*list)[:1]
	shrink(t.(*types.Named), 1)
	if !gained || !has(t, "A") || types.NewMethodSet(t).Len() != 1 {
		return fmt.Errorf("go/types of this Go release keeps the methods of instances elsewhere: build with the release that go.mod names")
	}
	return nil
}
