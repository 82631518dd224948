package lower

import (
	"reflect"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// An itabCache remembers the last itab of one interface type. That there is none is not remembered:
// types gain methods.
type itabCache struct{ last atomic.Pointer[itabEntry] }

type itabEntry struct{ concrete, tab pointer }

func (c *itabCache) get(iface, concrete rtype.Word) pointer {
	if e := c.last.Load(); e != nil && e.concrete == concrete {
		return e.tab
	}
	tab := rtype.Itab(iface, concrete)
	if tab != nil {
		c.last.Store(&itabEntry{concrete, tab})
	}
	return tab
}

// An assertion moves the operand's value to dst if it has the asserted type.
type assertion func(fp, dst pointer) bool

func buildTypeAssert(c *compiler, in *ssa.TypeAssert) op {
	from, to := c.typ(in.X.Type()), c.typ(in.AssertedType)
	x, ip := c.slot(in.X), c.ip(in)
	try := concreteAssertion(from, to, x)
	if to.Kind == reflect.Interface {
		try = interfaceAssertion(from, to, x)
	}
	if in.CommaOk {
		return assertOk(try, c.parts[in], c.temp(to), to)
	}
	d := c.dst(in)
	if link.NilCheck(in) {
		return func(fp pointer) {
			if *ref[pointer](fp, x) == nil {
				machine.FailNil(fp, ip)
			}
		}
	}
	return func(fp pointer) {
		if !try(fp, at(fp, d)) {
			machine.Mark(fp, ip)
			failAssertion(from, to, at(fp, x))
		}
	}
}

func assertOk(try assertion, parts []part, scratch uintptr, to *typ) op {
	value, ok := parts[0], parts[1]
	if !value.used {
		value.at = scratch
	}
	return func(fp pointer) {
		p := at(fp, value.at)
		done := try(fp, p)
		if !done {
			to.Zero(p)
		}
		if ok.used {
			*ref[bool](fp, ok.at) = done
		}
	}
}

// assertBranch does a type switch's case: an assertion whose only use of ok is the branch that
// follows it.
func (c *compiler) assertBranch(in *ssa.If) term {
	ok, isPart := in.Cond.(*ssa.Extract)
	if !isPart || ok.Index != 1 || len(*ok.Referrers()) != 1 {
		return nil
	}
	assert, isAssert := ok.Tuple.(*ssa.TypeAssert)
	if !isAssert || c.newest != assert {
		return nil
	}
	out := c.blocks[in.Block().Index]
	out.Ops = out.Ops[:len(out.Ops)-1]
	from, to, x, value := c.typ(assert.X.Type()), c.typ(assert.AssertedType), c.slot(assert.X), c.parts[assert][0]
	cleared := value.used && !usedIn(assert, in.Block().Succs[0])
	yes, no := c.successors(in.Block())
	if to.Kind != reflect.Interface {
		return concreteCase(from, to, x, value, cleared, yes, no)
	}
	if !value.used {
		value.at = c.temp(to)
	}
	try := interfaceAssertion(from, to, x)
	return func(fp pointer) *block {
		p := at(fp, value.at)
		if try(fp, p) {
			return yes
		}
		if cleared {
			to.Zero(p)
		}
		return no
	}
}

// usedIn reports whether what was asserted is used in b alone, which only the assertion leads to.
func usedIn(assert *ssa.TypeAssert, b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	for _, in := range *assert.Referrers() {
		value, ok := in.(*ssa.Extract)
		if !ok || value.Index != 0 {
			continue
		}
		for _, user := range *value.Referrers() {
			if _, isPhi := user.(*ssa.Phi); isPhi || user.Block() != b {
				return false
			}
		}
	}
	return true
}

// concreteCase is the case of a type that is no interface.
func concreteCase(from, to *typ, x uintptr, value part, cleared bool, yes, no *block) term {
	direct, empty, word, v := rtype.Direct(to.Word), from.Reflect.NumMethod() == 0, to.Word, value.at
	return func(fp pointer) *block {
		p := ref[pair](fp, x)
		w := p.Tab
		if !empty && w != nil {
			w = rtype.ItabType(w)
		}
		switch {
		case w != word:
			if cleared {
				to.Zero(at(fp, v))
			}
			return no
		case !value.used:
		case direct:
			*ref[pointer](fp, v) = p.Data
		default:
			to.Move(at(fp, v), p.Data)
		}
		return yes
	}
}

func concreteAssertion(from, to *typ, x uintptr) assertion {
	direct := rtype.Direct(to.Word)
	empty := from.Reflect.NumMethod() == 0
	return func(fp, dst pointer) bool {
		p := ref[pair](fp, x)
		w := p.Tab
		if !empty && w != nil {
			w = rtype.ItabType(w)
		}
		if w != to.Word {
			return false
		}
		if direct {
			*(*pointer)(dst) = p.Data
		} else {
			to.Move(dst, p.Data)
		}
		return true
	}
}

func interfaceAssertion(from, to *typ, x uintptr) assertion {
	if to.Reflect.NumMethod() == 0 {
		return func(fp, dst pointer) bool {
			p := at(fp, x)
			w := rtype.DynamicType(from.Word, p)
			*(*pair)(dst) = pair{Tab: w, Data: (*pair)(p).Data}
			return w != nil
		}
	}
	cache := &itabCache{}
	return func(fp, dst pointer) bool {
		p := at(fp, x)
		w := rtype.DynamicType(from.Word, p)
		if w == nil {
			return false
		}
		tab := cache.get(to.Word, w)
		if tab == nil {
			return false
		}
		*(*pair)(dst) = pair{Tab: tab, Data: (*pair)(p).Data}
		return true
	}
}

// failAssertion panics with the runtime's error for the value in the interface at p.
func failAssertion(from, to *typ, p pointer) {
	w := rtype.DynamicType(from.Word, p)
	if to.Kind != reflect.Interface {
		panic(gorelease.AssertionError(from.Word, w, to.Word, ""))
	}
	if w == nil {
		panic(gorelease.AssertionError(nil, nil, to.Word, ""))
	}
	panic(gorelease.AssertionError(nil, w, to.Word, rtype.MissingMethod(to.Word, w)))
}
