package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

func buildMakeClosure(c *compiler, in *ssa.MakeClosure) op {
	fn := in.Fn.(*ssa.Function)
	t := c.unit.Target(fn)
	ol := c.unit.objects(t, fn)
	form := c.unit.machine.FuncForm(c.typ(in.Type()).Reflect)
	d := c.dst(in)
	from := make([]uintptr, len(in.Bindings))
	for i, b := range in.Bindings {
		from[i] = c.slot(b)
	}
	if ol.Words {
		return func(fp pointer) {
			o := ol.New(form, t)
			for i, x := range from {
				*o.CaptureWord(i) = *ref[pointer](fp, x)
			}
			*ref[pointer](fp, d) = pointer(o)
		}
	}
	return func(fp pointer) {
		o := ol.New(form, t)
		for i, x := range from {
			ol.Types[i].Move(ol.Captured(o, i), at(fp, x))
		}
		*ref[pointer](fp, d) = pointer(o)
	}
}

// objects is the layout of func objects of a function.
func (u *unit) objects(t *machine.Function, fn *ssa.Function) *machine.ObjectLayout {
	captured := make([]*typ, len(fn.FreeVars))
	for i, v := range fn.FreeVars {
		captured[i] = u.typ(v.Type())
	}
	return t.ObjectLayout(captured)
}

// funcValue is the word of the func value of a function that captures nothing.
func (u *unit) funcValue(fn *ssa.Function) pointer {
	if fn.Blocks == nil && !u.Declared(fn) {
		return u.nativeValue(fn)
	}
	return u.Target(fn).FuncValue(u.typ(fn.Signature).Reflect)
}
