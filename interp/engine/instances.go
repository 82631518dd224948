package engine

import (
	"go/types"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
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
	if !gorelease.NamedTypes.Holds() {
		return
	}
	if gorelease.Keys(made) > 0 {
		noteContext(made)
	}
	prune()
}

// NoteProgram notes a program, which makes instances whenever code is built. MethodSets must be
// held.
func NoteProgram(p *ssa.Program) {
	if !gorelease.NamedTypes.Holds() {
		return
	}
	noteContext(gorelease.ProgramContext(p))
	prune()
}

// NoteTypes notes the instances of which types are made. MethodSets must be held.
func NoteTypes(list ...types.Type) {
	if !gorelease.NamedTypes.Holds() {
		return
	}
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
	n := gorelease.Keys(c)
	if n == instances.contexts[p] {
		return
	}
	instances.contexts[p] = n
	var w instanceWalk
	gorelease.EachInstance(c, func(t *types.Named) { w.walk(t) })
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
	return extent{gorelease.Underlying(t) != nil, gorelease.ExpandedMethods(t)}
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
	now := extentOf(t)
	if now.underlying {
		w.walk(gorelease.Underlying(t))
	}
	for _, m := range *gorelease.MethodsOf(t) {
		if m != nil {
			w.walk(m.Type())
		}
	}
	if c := gorelease.InstanceContext(t); c != nil {
		noteContext(c)
	}
	return now
}
