package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Extended-precision arithmetic (section 9.7.2): each lane has a carry flag, CC.CF,
// which .cc writes and addc, subc, madc read. It is a predicate slot of the code.
//
// The flag is the carry of the addition that a subtraction is on the hardware, x + ^y + 1:
// 0 where there is a borrow. Chains of subtractions cannot tell that from a flag that is the
// borrow, but an addc behind a subc.cc can, and nvcc's division of 128-bit integers looks
// at the borrow so.

// carrySlot gives the slot of the carry flag, which outlives the instruction.
func (c *compiler) carrySlot() slot {
	if s, ok := c.special["CC.CF"]; ok {
		return s
	}
	s := c.newSlots(1, 1)
	c.special["CC.CF"] = s
	return s
}

// carryOp gives result and carry out from operands and carry in.
type carryOp[T uint32 | uint64] func(x, y, z T, carry uint64) (T, uint64)

func mad32(hi func(x, y uint32) uint32) carryOp[uint32] {
	return func(x, y, z uint32, carry uint64) (uint32, uint64) { return num.AddCarry32(hi(x, y), z, 0, carry) }
}

func mad64(hi func(x, y uint64) uint64) carryOp[uint64] {
	return func(x, y, z uint64, carry uint64) (uint64, uint64) { return num.AddCarry64(hi(x, y), z, 0, carry) }
}

func lowProduct[T uint32 | uint64](x, y T) T { return x * y }

var (
	carry32 = map[string]carryOp[uint32]{
		"add": num.AddCarry32, "sub": num.SubCarry32, "mad.lo": mad32(lowProduct[uint32]), "mad.hi.u": mad32(num.MulHiU32),
		"mad.hi.s": mad32(func(x, y uint32) uint32 { return uint32(num.MulHiS32(int32(x), int32(y))) }),
	}
	carry64 = map[string]carryOp[uint64]{
		"add": num.AddCarry64, "sub": num.SubCarry64, "mad.lo": mad64(lowProduct[uint64]), "mad.hi.u": mad64(num.MulHiU64),
		"mad.hi.s": mad64(func(x, y uint64) uint64 { return uint64(num.MulHiS64(int64(x), int64(y))) }),
	}
)

func buildCarry(c *compiler) error {
	t := c.lastType()
	name, reads := c.in.Op, false
	if len(name) == 4 {
		name, reads = name[:3], true
	}
	if name == "mad" {
		switch {
		case !c.in.Has("hi"):
			name = "mad.lo"
		case t.Kind() == ptx.Signed:
			name = "mad.hi.s"
		default:
			name = "mad.hi.u"
		}
	}
	var first uint64 // the carry of what reads none
	if name == "sub" {
		first = 1
	}
	if t.Size() == 4 {
		return applyCarry(c, carry32[name], t, reads, first)
	}
	return applyCarry(c, carry64[name], t, reads, first)
}

func applyCarry[T uint32 | uint64](c *compiler, f carryOp[T], t ptx.Type, reads bool, first uint64) error {
	x, err := c.src(1, t)
	if err != nil {
		return err
	}
	y, err := c.src(2, t)
	if err != nil {
		return err
	}
	z := c.constant(t.Size(), 0, 0)
	if len(c.in.Operands) > 3 {
		if z, err = c.src(3, t); err != nil {
			return err
		}
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	flag, writes := c.carrySlot(), c.in.Has("cc")
	c.emit(func(b *block) {
		o, xs, ys, zs, cf := out[T](b, d), in[T](b, x, 0), in[T](b, y, 1), in[T](b, z, 2), in[uint8](b, flag, 3)
		for i := range o {
			carry := first
			if reads {
				carry = uint64(cf[i])
			}
			o[i], carry = f(xs[i], ys[i], zs[i], carry)
			if writes {
				cf[i] = uint8(carry)
			}
		}
		put(b, d, o)
		if writes {
			put(b, flag, cf)
		}
	})
	return nil
}
