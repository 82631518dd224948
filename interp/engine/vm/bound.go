package vm

import (
	"go/types"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A boundMethod is what a method call on an interface finds for one dynamic type.
type boundMethod struct {
	word   rtype.Word // the dynamic type
	recv   *typ
	direct bool
	target *target // cell code, or
	onNil  *target // of a pointer whose value's method is target: what a nil one calls, which says so
	native reflect.Value
	params []*typ // of native, receiver included
	stale  atomic.Bool
}

// A methodKey names a method of a type.
type methodKey struct {
	word rtype.Word
	id   string
}

// method finds the method that m of an interface is on values of type w.
func (v *vm) method(w rtype.Word, m *types.Func) *boundMethod {
	key := methodKey{w, m.Id()}
	if b, ok := v.methods.Load(key); ok {
		return b.(*boundMethod)
	}
	rt := rtype.TypeOf(w)
	b := &boundMethod{word: w, recv: newTyp(rt), direct: rtype.Direct(w)}
	if t, ok := v.Table.Lookup(w); ok {
		s := methodNamed(t, m)
		if p, ok := t.(*types.Pointer); ok && declaredOnValue(p.Elem(), s) {
			b.onNil, b.recv, b.direct = v.Method(t, s), newTyp(rt.Elem()), false
			t, s = p.Elem(), methodNamed(p.Elem(), m)
		}
		b.target = v.Method(t, s)
	} else {
		nm, ok := rt.MethodByName(m.Name())
		if !ok {
			panic(internal("no compiled method %s on %s", m.Name(), rt))
		}
		b.native = nm.Func
		v.wakers.Method(rt, m)
		if r, ok := v.options.ReplacedMethod(rt, m.Name()); ok {
			b.native = r
		}
		for i := range nm.Type.NumIn() {
			b.params = append(b.params, newTyp(nm.Type.In(i)))
		}
	}
	v.methods.Store(key, b)
	return b
}

// forgetMethods forgets what was found for types that have other methods now.
func (v *vm) forgetMethods(altered []rtype.Word) {
	if len(altered) == 0 {
		return
	}
	v.methods.Range(func(key, b any) bool {
		if slices.Contains(altered, key.(methodKey).word) {
			v.methods.Delete(key)
			b.(*boundMethod).stale.Store(true)
		}
		return true
	})
}

// methodNamed is the method of t with m's name.
func methodNamed(t types.Type, m *types.Func) *types.Selection {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		panic(internal("no method %s on %s: a later cell has declared one that makes it ambiguous", m.Name(), t))
	}
	return sel
}

// callNil calls the method on a nil pointer, which has no value to copy: it panics.
func (b *boundMethod) callNil(fp pointer, ip uint32) {
	code := b.onNil.code()
	nf := code.push(fp, ip)
	*ref[pointer](nf, code.sig.params[0].at) = nil
	code.run(nf)
}

// receiver is where the interface at p keeps the value that the method is called on.
func (b *boundMethod) receiver(p pointer) pointer {
	if b.direct {
		return pointer(&(*pair)(p).b)
	}
	return (*pair)(p).b
}

// declaredOnValue reports whether the method of *t is that of t, and not one of an embedded field.
// Instances of generic types are left out.
func declaredOnValue(t types.Type, s *types.Selection) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 || len(s.Index()) != 1 {
		return false
	}
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return !pointer
}
