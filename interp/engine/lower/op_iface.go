package lower

import (
	"go/constant"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// firstWord is the first word of an interface of type iface that holds a value of type t.
func firstWord(iface, t *typ) pointer {
	if iface.Reflect.NumMethod() == 0 {
		return t.Word
	}
	tab := rtype.Itab(iface.Word, t.Word)
	if tab == nil {
		panic(machine.Internal("%s does not implement %s: missing method %s", t.Reflect, iface.Reflect,
			rtype.MissingMethod(iface.Word, t.Word)))
	}
	return tab
}

func buildMakeInterface(c *compiler, in *ssa.MakeInterface) op {
	t, iface := c.typ(in.X.Type()), c.typ(in.Type())
	if c.unit.Gaining() && iface.Reflect.NumMethod() > 0 && rtype.Itab(iface.Word, t.Word) == nil {
		return c.lateInterface(in, iface, t)
	}
	d, x := c.dst(in), c.slot(in.X)
	w := firstWord(iface, t)
	if rtype.Direct(t.Word) {
		return func(fp pointer) { *ref[pair](fp, d) = pair{Tab: w, Data: *ref[pointer](fp, x)} }
	}
	if _, ok := in.X.(*ssa.Const); ok { // what a constant is boxed in need not be new each time
		return c.boxConstant(in, t, d, w)
	}
	switch t.Shape {
	case machine.Shape64:
		return func(fp pointer) {
			n := *ref[uint64](fp, x)
			if n < uint64(len(small)) {
				*ref[pair](fp, d) = pair{Tab: w, Data: pointer(&small[n])}
				return
			}
			p := rtype.New(t.Word)
			*(*uint64)(p) = n
			*ref[pair](fp, d) = pair{Tab: w, Data: p}
		}
	case machine.ShapeString:
		return func(fp pointer) {
			p := new(string)
			*p = *ref[string](fp, x)
			*ref[pair](fp, d) = pair{Tab: w, Data: pointer(p)}
		}
	}
	return func(fp pointer) {
		p := rtype.New(t.Word)
		t.Move(p, at(fp, x))
		*ref[pair](fp, d) = pair{Tab: w, Data: p}
	}
}

// small are the numbers that are boxed once, as the runtime has them.
var small = func() (all [256]uint64) {
	for i := range all {
		all[i] = uint64(i)
	}
	return all
}()

// A lateWord is the first word of an interface, known when the types of the unit have their new
// methods.
func (u *unit) lateWord(iface, t *typ) *pointer {
	w := new(pointer)
	u.late = append(u.late, func() { *w = firstWord(iface, t) })
	return w
}

// lateInterface converts to an interface that the type does not implement before the unit is loaded
// whole.
func (c *compiler) lateInterface(in *ssa.MakeInterface, iface, t *typ) op {
	d, x := c.dst(in), c.slot(in.X)
	w := c.unit.lateWord(iface, t)
	if rtype.Direct(t.Word) {
		return func(fp pointer) { *ref[pair](fp, d) = pair{Tab: *w, Data: *ref[pointer](fp, x)} }
	}
	return func(fp pointer) {
		p := rtype.New(t.Word)
		t.Move(p, at(fp, x))
		*ref[pair](fp, d) = pair{Tab: *w, Data: p}
	}
}

func (c *compiler) boxConstant(in *ssa.MakeInterface, t *typ, d uintptr, w pointer) op {
	p := rtype.New(t.Word)
	if k, ok := constOf(in.X); ok {
		p = boxed(c.unit.machine, t, k)
	}
	return func(fp pointer) { *ref[pair](fp, d) = pair{Tab: w, Data: p} }
}

// A boxKey is a constant of a type.
type boxKey struct {
	word  rtype.Word
	value string
}

// maxBoxed bounds the texts that are boxed once: what boxes them is kept.
const maxBoxed = 256

// boxed is memory that holds a constant, the same one for the same constant, as in compiled
// programs: a panic that is recovered and panics anew with the same constant is told as one.
func boxed(v *machine.Machine, t *typ, k constant.Value) pointer {
	key := boxKey{t.Word, k.ExactString()}
	if len(key.value) > maxBoxed {
		return constantMemory(t, k)
	}
	if p, ok := v.Boxes.Load(key); ok {
		return p.(pointer)
	}
	p, _ := v.Boxes.LoadOrStore(key, constantMemory(t, k))
	return p.(pointer)
}

func buildChangeInterface(c *compiler, in *ssa.ChangeInterface) op {
	d, x := c.dst(in), c.slot(in.X)
	from, to := c.typ(in.X.Type()), c.typ(in.Type())
	if from.Reflect == to.Reflect {
		return moveSlot[pair](d, x)
	}
	if to.Reflect.NumMethod() == 0 {
		return func(fp pointer) {
			p := at(fp, x)
			*ref[pair](fp, d) = pair{Tab: rtype.DynamicType(from.Word, p), Data: (*pair)(p).Data}
		}
	}
	var cache itabCache
	return func(fp pointer) {
		p := at(fp, x)
		w := rtype.DynamicType(from.Word, p)
		if w == nil {
			*ref[pair](fp, d) = pair{}
			return
		}
		*ref[pair](fp, d) = pair{Tab: cache.get(to.Word, w), Data: (*pair)(p).Data}
	}
}
