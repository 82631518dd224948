package machine

import (
	"go/types"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A BoundMethod is what a method call on an interface finds for one dynamic type.
type BoundMethod struct {
	word     rtype.Word // the dynamic type
	Recv     *Type
	Direct   bool
	Function *Function // cell code, or
	OnNil    *Function // of a pointer whose value's method is Function: what a nil one calls, which says so
	Compiled reflect.Value
	Params   []*Type // of native, receiver included
	Stale    atomic.Bool
}

// A methodKey names a method of a type.
type methodKey struct {
	word rtype.Word
	id   string
}

// Bind finds the method that m of an interface is on values of type w.
func (v *Machine) Bind(w rtype.Word, m *types.Func) *BoundMethod {
	key := methodKey{w, m.Id()}
	if b, ok := v.methods.Load(key); ok {
		return b.(*BoundMethod)
	}
	rt := rtype.TypeOf(w)
	b := &BoundMethod{word: w, Recv: NewType(rt), Direct: rtype.Direct(w)}
	if t, ok := v.Table.Lookup(w); ok {
		s := MethodNamed(t, m)
		if p, ok := t.(*types.Pointer); ok && DeclaredOnValue(p.Elem(), s) {
			b.OnNil, b.Recv, b.Direct = v.Method(t, s), NewType(rt.Elem()), false
			t, s = p.Elem(), MethodNamed(p.Elem(), m)
		}
		b.Function = v.Method(t, s)
	} else {
		nm, ok := rt.MethodByName(m.Name())
		if !ok {
			panic(Internal("no compiled method %s on %s", m.Name(), rt))
		}
		b.Compiled = nm.Func
		v.KnownWakers.Method(rt, m)
		if r, ok := v.Options.ReplacedMethod(rt, m.Name()); ok {
			b.Compiled = r
		}
		for i := range nm.Type.NumIn() {
			b.Params = append(b.Params, NewType(nm.Type.In(i)))
		}
	}
	v.methods.Store(key, b)
	return b
}

// ForgetMethods forgets what was found for types that have other methods now.
func (v *Machine) ForgetMethods(altered []rtype.Word) {
	if len(altered) == 0 {
		return
	}
	v.methods.Range(func(key, b any) bool {
		if slices.Contains(altered, key.(methodKey).word) {
			v.methods.Delete(key)
			b.(*BoundMethod).Stale.Store(true)
		}
		return true
	})
}

// MethodNamed is the method of t with m's name.
func MethodNamed(t types.Type, m *types.Func) *types.Selection {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		panic(Internal("no method %s on %s: a later cell has declared one that makes it ambiguous", m.Name(), t))
	}
	return sel
}

// CallNil calls the method on a nil pointer, which has no value to copy: it panics.
func (b *BoundMethod) CallNil(fp pointer, ip uint32) {
	code := b.OnNil.Code()
	nf := code.Push(fp, ip)
	*ref[pointer](nf, code.Signature.Params[0].At) = nil
	code.Run(nf)
}

// Receiver is where the interface at p keeps the value that the method is called on.
func (b *BoundMethod) Receiver(p pointer) pointer {
	if b.Direct {
		return pointer(&(*Pair)(p).Data)
	}
	return (*Pair)(p).Data
}

// DeclaredOnValue reports whether the method of *t is that of t, and not one of an embedded field.
// Instances of generic types are left out.
func DeclaredOnValue(t types.Type, s *types.Selection) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 || len(s.Index()) != 1 {
		return false
	}
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return !pointer
}
