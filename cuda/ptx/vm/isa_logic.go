package vm

import (
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Logic, shifts and bit fields (sections 9.7.1.14 to 9.7.1.24 and 9.7.8).

type word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

func andLanes[T word](d, a, b []T) { map2(d, a, b, func(x, y T) T { return x & y }) }
func orLanes[T word](d, a, b []T)  { map2(d, a, b, func(x, y T) T { return x | y }) }
func notLanes[T word](d, a []T)    { map1(d, a, func(x T) T { return ^x }) }

func cnotLanes[T word](d, a []T) {
	map1(d, a, func(x T) T {
		if x == 0 {
			return 1
		}
		return 0
	})
}

// Go's shifts by the width or more give what PTX clamps to.
func shlLanes[T word](d, a []T, n []uint32) { map2(d, a, n, func(x T, y uint32) T { return x << y }) }

func shrLanes[T integer](d, a []T, n []uint32) {
	map2(d, a, n, func(x T, y uint32) T { return x >> y })
}

// withPred adds the predicate form, one byte a lane.
func withPred(t byType[binaryOp], p binaryOp) byType[binaryOp] {
	t[ptx.Pred] = p
	return t
}

var (
	logicAnd = withPred(byWidth(lift2(andLanes[uint16]), lift2(andLanes[uint32]), lift2(andLanes[uint64])), lift2(andLanes[uint8]))
	logicOr  = withPred(byWidth(lift2(orLanes[uint16]), lift2(orLanes[uint32]), lift2(orLanes[uint64])), lift2(orLanes[uint8]))
	logicXor = withPred(byWidth(lift2(xorLanes[uint16]), lift2(xorLanes[uint32]), lift2(xorLanes[uint64])), lift2(xorLanes[uint8]))
	logicNot = byType[unaryOp]{ptx.B16: lift1(notLanes[uint16]), ptx.B32: lift1(notLanes[uint32]), ptx.B64: lift1(notLanes[uint64]),
		ptx.Pred: each1(func(x uint8) uint8 { return x ^ 1 })}
	logicCnot = byWidth(lift1(cnotLanes[uint16]), lift1(cnotLanes[uint32]), lift1(cnotLanes[uint64]))
	shiftL    = byWidth(lift2(shlLanes[uint16]), lift2(shlLanes[uint32]), lift2(shlLanes[uint64]))
	shiftR    = byType[binaryOp]{
		ptx.B16: lift2(shrLanes[uint16]), ptx.U16: lift2(shrLanes[uint16]), ptx.S16: lift2(shrLanes[int16]),
		ptx.B32: lift2(shrLanes[uint32]), ptx.U32: lift2(shrLanes[uint32]), ptx.S32: lift2(shrLanes[int32]),
		ptx.B64: lift2(shrLanes[uint64]), ptx.U64: lift2(shrLanes[uint64]), ptx.S64: lift2(shrLanes[int64]),
	}
	bfe = byType[ternaryOp]{ptx.U32: each3(num.BfeU32), ptx.S32: each3(num.BfeS32),
		ptx.U64: each3(num.BfeU64), ptx.S64: each3(num.BfeS64)}
)

// lop3 computes any function of three inputs; lut is its truth table.
func lop3Lanes(lut uint32, general bool) func(d, a, b, c []uint32) {
	if f := lop3Common[lut]; f != nil && !general {
		return f
	}
	return func(d, a, b, c []uint32) {
		map3(d, a, b, c, func(x, y, z uint32) uint32 { return num.Lop3(x, y, z, lut) })
	}
}

var lop3Common = map[uint32]func(d, a, b, c []uint32){
	0x96: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x ^ y ^ z }) },
	0xe8: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x&y | x&z | y&z }) },
	0xca: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x&y | ^x&z }) },
	0x80: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x & y & z }) },
	0xfe: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x | y | z }) },
	0xf8: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x | y&z }) },
	0x78: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x ^ y&z }) },
	0x6a: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x&y ^ z }) },
	0xea: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x&y | z }) },
	0x60: func(d, a, b, c []uint32) { map3(d, a, b, c, func(x, y, z uint32) uint32 { return x & (y ^ z) }) },
}

func init() {
	register(map[string]builder{
		"and": build2(logicAnd), "or": build2(logicOr), "xor": build2(logicXor), "not": build1(logicNot), "cnot": build1(logicCnot),
		"shl": buildShift(shiftL), "shr": buildShift(shiftR), "shf": buildShf, "lop3": buildLop3, "prmt": buildPrmt,
		"popc":  buildBits(each1(func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }), each1(func(x uint64) uint32 { return uint32(bits.OnesCount64(x)) })),
		"clz":   buildBits(each1(func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }), each1(func(x uint64) uint32 { return uint32(bits.LeadingZeros64(x)) })),
		"brev":  build1(byType[unaryOp]{ptx.B32: each1(bits.Reverse32), ptx.B64: each1(bits.Reverse64)}),
		"bfind": buildBfind, "bfe": buildBfe, "bfi": buildBfi, "fns": buildFns, "szext": buildSzext, "bmsk": buildBmsk,
		"dp4a": buildDp4a, "dp2a": buildDp2a, "vabsdiff4": buildVabsdiff(8), "vabsdiff2": buildVabsdiff(16),
	})
}

func buildShift(table byType[binaryOp]) builder {
	return func(c *compiler) error {
		t := c.lastType()
		return c.apply2(table[t], t, t, ptx.U32)
	}
}

func buildShf(c *compiler) error {
	f := each3(num.Funnel(c.in.Has("l"), c.in.Has("clamp")))
	return c.apply3(f, ptx.B32, ptx.B32, ptx.B32, ptx.U32)
}

func buildLop3(c *compiler) error {
	lut := &c.in.Operands[4]
	if lut.Kind != ptx.OpInt || lut.Int > 255 {
		return c.refuse("the last operand is not a constant from 0 to 255")
	}
	f := lift3(lop3Lanes(uint32(lut.Int), c.general()))
	for name, join := range map[string]binaryOp{"or": logicOr[ptx.Pred], "and": logicAnd[ptx.Pred]} {
		if c.in.Has(name) {
			return buildLop3Bool(c, f, join)
		}
	}
	return c.apply3(f, ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}

var isNotZero = each1(func(x uint32) uint8 {
	if x != 0 {
		return 1
	}
	return 0
})

// buildLop3Bool has a second result: whether the first is not 0, joined with a predicate.
func buildLop3Bool(c *compiler, f ternaryOp, join binaryOp) error {
	first := &c.in.Operands[0]
	if first.Kind != ptx.OpPair {
		return c.refuse("there is no pair of results d|p")
	}
	var in [3]slot
	for i := range in {
		var err error
		if in[i], err = c.src(i+1, ptx.B32); err != nil {
			return err
		}
	}
	q, err := c.src(5, ptx.Pred)
	if err != nil {
		return err
	}
	d, err := c.target(&first.Elems[0], ptx.B32)
	if err != nil {
		return err
	}
	p, err := c.target(&first.Elems[1], ptx.Pred)
	if err != nil {
		return err
	}
	some := c.temp(1)
	c.emit(f(d, in[0], in[1], in[2]))
	c.emit(isNotZero(some, d))
	c.emit(join(p, some, q))
	return nil
}

func buildBits(w32, w64 unaryOp) builder {
	return func(c *compiler) error {
		if c.lastType() == ptx.B64 {
			return c.apply1(w64, ptx.U32, ptx.B64)
		}
		return c.apply1(w32, ptx.U32, ptx.B32)
	}
}

func buildBfind(c *compiler) error {
	t := c.lastType()
	msb := uint32(t.Size()*8 - 1)
	shift := c.in.Has("shiftamt")
	finish := func(pos uint32) uint32 {
		if shift {
			return num.ShiftAmount(pos, msb)
		}
		return pos
	}
	table := byType[unaryOp]{
		ptx.U32: each1(func(x uint32) uint32 { return finish(num.BfindU32(x)) }),
		ptx.S32: each1(func(x int32) uint32 { return finish(num.BfindS32(x)) }),
		ptx.U64: each1(func(x uint64) uint32 { return finish(num.BfindU64(x)) }),
		ptx.S64: each1(func(x int64) uint32 { return finish(num.BfindS64(x)) }),
	}
	return c.apply1(table[t], ptx.U32, t)
}

func buildBfe(c *compiler) error {
	t := c.lastType()
	return c.apply3(bfe[t], t, t, ptx.U32, ptx.U32)
}

func buildFns(c *compiler) error {
	return c.apply3(each3(num.Fns), ptx.B32, ptx.B32, ptx.B32, ptx.S32)
}

func buildBfi(c *compiler) error {
	if c.lastType() == ptx.B64 {
		return emit4(c, num.Bfi[uint64], ptx.B64, [4]ptx.Type{ptx.B64, ptx.B64, ptx.U32, ptx.U32})
	}
	return emit4(c, num.Bfi[uint32], ptx.B32, [4]ptx.Type{ptx.B32, ptx.B32, ptx.U32, ptx.U32})
}

// emit4 is for the few instructions of four sources.
func emit4[R, A, B, C, D any](c *compiler, f func(A, B, C, D) R, r ptx.Type, types [4]ptx.Type) error {
	var s [4]slot
	for i := range s {
		var err error
		if s[i], err = c.src(i+1, types[i]); err != nil {
			return err
		}
	}
	d, err := c.dst(0, r)
	if err != nil {
		return err
	}
	c.emit(func(b *block) {
		o := out[R](b, d)
		w, x, y, z := in[A](b, s[0], 0), in[B](b, s[1], 1), in[C](b, s[2], 2), in[D](b, s[3], 3)
		for i := range o {
			o[i] = f(w[i], x[i], y[i], z[i])
		}
		put(b, d, o)
	})
	return nil
}

func buildSzext(c *compiler) error {
	t, clamp := c.lastType(), c.in.Has("clamp")
	return c.apply2(each2(func(a, n uint32) uint32 {
		if !clamp {
			n &= 31
		}
		switch {
		case n == 0:
			return 0
		case n >= 32:
			return a
		case t == ptx.S32:
			return uint32(int32(a<<(32-n)) >> (32 - n))
		}
		return a & (1<<n - 1)
	}), t, t, ptx.U32)
}

func buildBmsk(c *compiler) error {
	clamp := c.in.Has("clamp")
	return c.apply2(each2(func(a, n uint32) uint32 {
		if !clamp {
			a, n = a&31, n&31
		}
		return (1<<n - 1) << a
	}), ptx.B32, ptx.U32, ptx.U32)
}
