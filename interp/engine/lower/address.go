package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A base says how an address begins.
type base uint8

const (
	inFrame   base = iota // slot is a variable in the frame
	fixed                 // a package-level variable
	through               // slot holds a pointer, which may be nil
	ofElement             // of a slice whose header lies in slot
	reached               // f computes it, and fails where there is none
)

// An address is where a load or a store goes, computed in its op.
type address struct {
	base  base
	slot  uintptr
	p     pointer
	off   uintptr // to be added
	index operand[int]
	size  uintptr // of an element
	f     value[pointer]
	ip    uint32
	// unsigned is what the index is in the text of a failure.
	unsigned bool
}

// address is what v, a pointer, points to.
func (c *compiler) address(v ssa.Value, user ssa.Instruction) address {
	if m, ok := c.frameAddress(v); ok {
		return address{base: inFrame, slot: m}
	}
	if g, ok := v.(*ssa.Global); ok {
		return address{base: fixed, p: c.unit.Global(g)}
	}
	if !c.folded[v] {
		return address{base: through, slot: c.slot(v), ip: c.ip(user)}
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		a := c.address(v.X, v)
		a.off += c.fieldOffset(v.X.Type(), v.Field)
		return a
	case *ssa.IndexAddr:
		return c.elementAddress(v)
	}
	f, ip := exprOf[pointer](c, v), c.ip(user)
	return address{base: reached, f: func(fp pointer) pointer {
		p := f(fp)
		if p == nil {
			machine.FailNil(fp, ip)
		}
		return p
	}}
}

// elementAddress is that of x[i], x a slice or a pointer to an array.
func (c *compiler) elementAddress(in *ssa.IndexAddr) address {
	index, unsigned := c.indexOperand(in.Index)
	if p, ok := under(in.X).(*types.Pointer); ok {
		a := p.Elem().Underlying().(*types.Array)
		return c.arrayElement(in, c.address(in.X, in), index, unsigned, c.typ(a.Elem()).Size, int(a.Len()))
	}
	size := c.typ(under(in.X).(*types.Slice).Elem()).Size
	if !c.folded[in.X] {
		return address{base: ofElement, slot: c.slot(in.X), index: index, size: size, ip: c.ip(in), unsigned: unsigned}
	}
	load := in.X.(*ssa.UnOp)
	return address{base: reached, f: elementOfLoaded(c.address(load.X, load), index, size, c.ip(in), unsigned)}
}

// elementOfLoaded is the address of an element of a slice that is itself in memory.
func elementOfLoaded(slice address, index operand[int], size uintptr, ip uint32, unsigned bool) value[pointer] {
	element := func(fp pointer, s *rtype.Slice, k int) pointer {
		if uint(k) >= uint(s.Len) {
			machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, s.Len, unsigned)
		}
		return unsafeAdd(s.Array, uintptr(k)*size)
	}
	i, j := index.value(), index.slot
	switch {
	case slice.base == fixed && index.form == fromSlot:
		s := (*rtype.Slice)(unsafeAdd(slice.p, slice.off))
		return func(fp pointer) pointer { return element(fp, s, *ref[int](fp, j)) }
	case slice.base == fixed:
		s := (*rtype.Slice)(unsafeAdd(slice.p, slice.off))
		return func(fp pointer) pointer { return element(fp, s, i(fp)) }
	case slice.base == ofElement && slice.index.form == fromSlot && index.form == fromSlot && slice.off == 0:
		outer, at, of, outerIP, outerUnsigned := slice.slot, slice.index.slot, slice.size, slice.ip, slice.unsigned
		return func(fp pointer) pointer {
			rows, k := ref[rtype.Slice](fp, outer), *ref[int](fp, at)
			if uint(k) >= uint(rows.Len) {
				machine.FailBounds(fp, outerIP, gorelease.BoundsIndex, k, rows.Len, outerUnsigned)
			}
			return element(fp, (*rtype.Slice)(unsafeAdd(rows.Array, uintptr(k)*of)), *ref[int](fp, j))
		}
	}
	from := slice.value()
	if index.form == fromSlot {
		return func(fp pointer) pointer { return element(fp, (*rtype.Slice)(from(fp)), *ref[int](fp, j)) }
	}
	return func(fp pointer) pointer {
		s := (*rtype.Slice)(from(fp))
		return element(fp, s, i(fp))
	}
}

// arrayElement is that of element index of an array of n.
func (c *compiler) arrayElement(in *ssa.IndexAddr, array address, index operand[int], unsigned bool, size uintptr,
	n int) address {
	ip := c.ip(in)
	if index.form == isConstant && uint(index.k) < uint(n) && array.base != through {
		array.off += uintptr(index.k) * size
		return array
	}
	i, j := index.value(), index.slot
	slot := index.form == fromSlot
	fail := func(fp pointer, k int) { machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, n, unsigned) }
	switch m, off := array.slot+array.off, array.off; {
	case array.base == inFrame && slot:
		return address{base: reached, f: func(fp pointer) pointer {
			k := *ref[int](fp, j)
			if uint(k) >= uint(n) {
				fail(fp, k)
			}
			return at(fp, m+uintptr(k)*size)
		}}
	case array.base == inFrame:
		return address{base: reached, f: func(fp pointer) pointer {
			k := i(fp)
			if uint(k) >= uint(n) {
				fail(fp, k)
			}
			return at(fp, m+uintptr(k)*size)
		}}
	case array.base == through:
		x, nilIP := array.slot, array.ip
		return address{base: reached, f: func(fp pointer) pointer {
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, nilIP)
			}
			k := i(fp)
			if uint(k) >= uint(n) {
				fail(fp, k)
			}
			return unsafeAdd(p, off+uintptr(k)*size)
		}}
	}
	from := array.value()
	if slot {
		return address{base: reached, f: func(fp pointer) pointer {
			p, k := from(fp), *ref[int](fp, j)
			if uint(k) >= uint(n) {
				fail(fp, k)
			}
			return unsafeAdd(p, uintptr(k)*size)
		}}
	}
	return address{base: reached, f: func(fp pointer) pointer {
		p := from(fp)
		k := i(fp)
		if uint(k) >= uint(n) {
			fail(fp, k)
		}
		return unsafeAdd(p, uintptr(k)*size)
	}}
}

// value computes the address.
func (a address) value() value[pointer] {
	off := a.off
	switch a.base {
	case inFrame:
		m := a.slot + off
		return func(fp pointer) pointer { return at(fp, m) }
	case fixed:
		p := unsafeAdd(a.p, off)
		return func(pointer) pointer { return p }
	case through:
		x, ip := a.slot, a.ip
		return func(fp pointer) pointer {
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, ip)
			}
			return unsafeAdd(p, off)
		}
	case ofElement:
		return a.elementValue()
	}
	f := a.f
	if off == 0 {
		return f
	}
	return func(fp pointer) pointer { return unsafeAdd(f(fp), off) }
}

func (a address) elementValue() value[pointer] {
	x, j, size, off, ip, unsigned := a.slot, a.index.slot, a.size, a.off, a.ip, a.unsigned
	if a.index.form == fromSlot {
		return func(fp pointer) pointer {
			s, k := ref[rtype.Slice](fp, x), *ref[int](fp, j)
			if uint(k) >= uint(s.Len) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, s.Len, unsigned)
			}
			return unsafeAdd(s.Array, uintptr(k)*size+off)
		}
	}
	i := a.index.value()
	return func(fp pointer) pointer {
		k := i(fp)
		s := ref[rtype.Slice](fp, x)
		if uint(k) >= uint(s.Len) {
			machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, s.Len, unsigned)
		}
		return unsafeAdd(s.Array, uintptr(k)*size+off)
	}
}
