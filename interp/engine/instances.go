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

// An instance of a generic type has methods of its own, which go/types makes of those of the
// generic type when they are asked for, into a list whose length is decided the first time. When
// the generic type gains a method, all its instances that are alive need room for one more, and
// room less when the method is taken back. go/types does not keep them in one place: they are noted
// here, weakly, where they come into being, with the contexts into which go/types and go/ssa put
// more. What was made since is found without walking through all types again: of each it is known
// how far it had been made when it was looked at.

// instances are the instances of cells' generic types, and the contexts that more may come into.
// MethodSets must be held.
var instances = struct {
	known    map[weak.Pointer[types.Named]]extent
	contexts map[weak.Pointer[types.Context]]int // how many keys each had
	noted    int                                 // since those that are no more were dropped
}{map[weak.Pointer[types.Named]]extent{}, map[weak.Pointer[types.Context]]int{}, 0}

// An extent is how much of an instance was there when it was looked at.
type extent struct {
	underlying bool
	methods    int
}

// NoteInstances notes the context of a run of go/types that is over: where it made no instance,
// none can come. MethodSets must be held.
func NoteInstances(made *types.Context) {
	if keysOf(made) > 0 {
		noteContext(made)
	}
	prune()
}

// NoteProgram notes a program, which makes instances whenever code is built. MethodSets must be
// held.
func NoteProgram(p *ssa.Program) {
	noteContext(contextOf(p))
	prune()
}

// NoteTypes notes the instances of which types are made. MethodSets must be held.
func NoteTypes(list ...types.Type) {
	var w instanceWalk
	for _, t := range list {
		w.walk(t)
	}
}

func noteContext(c *types.Context) {
	p := weak.Make(c)
	if _, ok := instances.contexts[p]; !ok {
		instances.contexts[p] = 0
		instances.noted++
	}
	news(p, c)
}

// news looks at what has come into a context.
func news(p weak.Pointer[types.Context], c *types.Context) {
	n := keysOf(c)
	if n == instances.contexts[p] {
		return
	}
	instances.contexts[p] = n
	var w instanceWalk
	eachInstance(c, func(t *types.Named) { w.walk(t) })
}

func ofCells(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && pkg.Path() == "main"
}

// prune drops those that are no more, now and then: how many of them the collector has seen by then
// depends on how busy the machine is.
func prune() {
	if instances.noted < 256 {
		return
	}
	instances.known, instances.contexts, instances.noted = alive(instances.known), alive(instances.contexts), 0
}

// alive is a map of those that are: one that things were deleted from would keep its size.
func alive[T, V any](of map[weak.Pointer[T]]V) map[weak.Pointer[T]]V {
	left := map[weak.Pointer[T]]V{}
	for p, v := range of {
		if p.Value() != nil {
			left[p] = v
		}
	}
	return left
}

// instancesOf are the instances of a generic type of cells that are alive. MethodSets must be held.
func instancesOf(origin *types.Named) (list []*types.Named) {
	NoteTypes(origin)
	for p := range instances.contexts {
		if c := p.Value(); c != nil {
			news(p, c)
		}
	}
	for n := -1; n != len(instances.known); { // what has been made of one is another
		n = len(instances.known)
		for p := range instances.known {
			if t := p.Value(); t != nil && !looked(t) {
				(&instanceWalk{}).walk(t)
			}
		}
	}
	for p := range instances.known {
		if t := p.Value(); t != nil && t.Origin() == origin {
			list = append(list, t)
		}
	}
	return list
}

// An instanceWalk visits what types are made of as far as go/types has made it, and notes the
// instances of cells' generic types: nothing is made by looking.
type instanceWalk struct {
	seen map[types.Type]bool
	part bool // something was not there yet
}

func (w *instanceWalk) walk(t types.Type) {
	t = types.Unalias(t)
	if t == nil {
		w.part = true
		return
	}
	if w.seen[t] {
		return
	}
	if n, ok := t.(*types.Named); ok && looked(n) {
		return
	}
	if w.seen == nil {
		w.seen = map[types.Type]bool{}
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
		w.part = true // of a method that is not checked yet
		return
	}
	for p := range s.TypeParams().TypeParams() {
		w.walk(p.Constraint())
	}
	if s.Recv() != nil {
		w.walk(s.Recv().Type())
	}
	Parts(s, w.walk)
}

// looked reports whether an instance is as it was when it was looked at.
func looked(t *types.Named) bool {
	if !ofCells(t) || t.Origin() == t {
		return false
	}
	was, ok := instances.known[weak.Make(t)]
	return ok && was == extentOf(t)
}

func extentOf(t *types.Named) extent {
	f := fieldsOf(t)
	return extent{*f.underlying != nil, *f.expanded()}
}

func (w *instanceWalk) named(t *types.Named) {
	now := extent{methods: -1}
	outer := w.part
	w.part = false
	for a := range t.TypeArgs().Types() {
		w.walk(a)
	}
	if ofCells(t) && t.Origin() != t { // what others are made of is noted with the cells that declare it
		now = w.instance(t)
		if w.part {
			now.methods = -1 // it is to be looked at again
		}
		p := weak.Make(t)
		if _, ok := instances.known[p]; !ok {
			instances.noted++
		}
		instances.known[p] = now
	}
	w.part = w.part || outer
}

// instance visits what is made of an instance, and notes where more of it will come into.
func (w *instanceWalk) instance(t *types.Named) extent {
	f, now := fieldsOf(t), extentOf(t)
	if now.underlying {
		w.walk(*f.underlying)
	}
	for _, m := range *f.methods {
		if m != nil {
			w.walk(m.Type())
		}
	}
	if c := *f.context(); c != nil {
		noteContext(c)
	}
	return now
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

// keysOf is how many different instances a context has, as it tells them apart.
func keysOf(c *types.Context) int {
	entries := (*map[string]struct{})(unsafe.Add(unsafe.Pointer(c), namedLayout.typeMap.Offset))
	return len(*entries) // which does not depend on what the elements are
}

// eachInstance calls f for the named types of a context.
func eachInstance(c *types.Context, f func(*types.Named)) {
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

func contextOf(p *ssa.Program) *types.Context {
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
		return fmt.Errorf("go/types of this Go release keeps the methods of instances elsewhere: build with the release " +
			"that go.mod names")
	}
	return nil
}
