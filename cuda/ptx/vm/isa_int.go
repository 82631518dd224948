package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Integer arithmetic (section 9.7.1). Addition and its like wrap; only .sat clamps.

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func subLanes[T integer](d, a, b []T)  { map2(d, a, b, func(x, y T) T { return x - y }) }
func mulLanes[T integer](d, a, b []T)  { map2(d, a, b, func(x, y T) T { return x * y }) }
func minLanes[T integer](d, a, b []T)  { map2(d, a, b, func(x, y T) T { return min(x, y) }) }
func maxLanes_[T integer](d, a, b []T) { map2(d, a, b, func(x, y T) T { return max(x, y) }) }
func negLanes[T integer](d, a []T)     { map1(d, a, func(x T) T { return -x }) }
func absLanes[T integer](d, a []T)     { map1(d, a, func(x T) T { return max(x, -x) }) }

func madLanes[T integer](d, a, b, c []T) {
	map3(d, a, b, c, func(x, y, z T) T { return x*y + z })
}

// divLanes and remLanes: a division by zero is undefined in PTX; hardware gives
// all ones for the quotient and the dividend for the remainder. The most negative
// number by -1 wraps, as Go's does.
func divLanes[T integer](d, a, b []T) {
	map2(d, a, b, func(x, y T) T {
		if y == 0 {
			return ^T(0)
		}
		return x / y
	})
}

func remLanes[T integer](d, a, b []T) {
	map2(d, a, b, func(x, y T) T {
		if y == 0 {
			return x
		}
		return x % y
	})
}

func sadLanes[T integer](d, a, b, c []T) {
	map3(d, a, b, c, func(x, y, z T) T {
		if x < y {
			return z + (y - x)
		}
		return z + (x - y)
	})
}

func hiAdd[T integer](hi func(x, y T) T) func(x, y, z T) T {
	return func(x, y, z T) T { return hi(x, y) + z }
}

// wide multiplies into twice the width.
func wideLanes[W, N integer](d []W, a, b []N) {
	map2(d, a, b, func(x, y N) W { return W(x) * W(y) })
}

func wideAddLanes[W, N integer](d []W, a, b []N, c []W) {
	map3(d, a, b, c, func(x, y N, z W) W { return W(x)*W(y) + z })
}

var (
	intAdd = byWidth(lift2(addLanes[uint16]), lift2(addLanes[uint32]), lift2(addLanes[uint64]))
	intSub = byWidth(lift2(subLanes[uint16]), lift2(subLanes[uint32]), lift2(subLanes[uint64]))
	intMul = byWidth(lift2(mulLanes[uint16]), lift2(mulLanes[uint32]), lift2(mulLanes[uint64]))
	intMad = byWidth(lift3(madLanes[uint16]), lift3(madLanes[uint32]), lift3(madLanes[uint64]))
	mulHi  = bySign(each2(num.MulHiU16), each2(num.MulHiU32), each2(num.MulHiU64),
		each2(num.MulHiS16), each2(num.MulHiS32), each2(num.MulHiS64))
	madHi = bySign(each3(hiAdd(num.MulHiU16)), each3(hiAdd(num.MulHiU32)), each3(hiAdd(num.MulHiU64)),
		each3(hiAdd(num.MulHiS16)), each3(hiAdd(num.MulHiS32)), each3(hiAdd(num.MulHiS64)))
	intDiv = bySign(lift2(divLanes[uint16]), lift2(divLanes[uint32]), lift2(divLanes[uint64]), lift2(divLanes[int16]), lift2(divLanes[int32]), lift2(divLanes[int64]))
	intRem = bySign(lift2(remLanes[uint16]), lift2(remLanes[uint32]), lift2(remLanes[uint64]), lift2(remLanes[int16]), lift2(remLanes[int32]), lift2(remLanes[int64]))
	intMin = bySign(lift2(minLanes[uint16]), lift2(minLanes[uint32]), lift2(minLanes[uint64]), lift2(minLanes[int16]), lift2(minLanes[int32]), lift2(minLanes[int64]))
	intMax = bySign(lift2(maxLanes_[uint16]), lift2(maxLanes_[uint32]), lift2(maxLanes_[uint64]), lift2(maxLanes_[int16]), lift2(maxLanes_[int32]), lift2(maxLanes_[int64]))
	intSad = bySign(lift3(sadLanes[uint16]), lift3(sadLanes[uint32]), lift3(sadLanes[uint64]), lift3(sadLanes[int16]), lift3(sadLanes[int32]), lift3(sadLanes[int64]))
	intNeg = byType[unaryOp]{ptx.S16: lift1(negLanes[int16]), ptx.S32: lift1(negLanes[int32]), ptx.S64: lift1(negLanes[int64])}
	intAbs = byType[unaryOp]{ptx.S16: lift1(absLanes[int16]), ptx.S32: lift1(absLanes[int32]), ptx.S64: lift1(absLanes[int64])}

	mulWide = byType[binaryOp]{ptx.U16: lift2(wideLanes[uint32, uint16]), ptx.S16: lift2(wideLanes[int32, int16]),
		ptx.U32: lift2(wideLanes[uint64, uint32]), ptx.S32: lift2(wideLanes[int64, int32])}
	madWide = byType[ternaryOp]{ptx.U16: lift3(wideAddLanes[uint32, uint16]), ptx.S16: lift3(wideAddLanes[int32, int16]),
		ptx.U32: lift3(wideAddLanes[uint64, uint32]), ptx.S32: lift3(wideAddLanes[int64, int32])}

	mul24Lo = byType[binaryOp]{ptx.U32: each2(num.Mul24LoU), ptx.S32: each2(num.Mul24LoS)}
	mul24Hi = byType[binaryOp]{ptx.U32: each2(num.Mul24HiU), ptx.S32: each2(num.Mul24HiS)}
	mad24Lo = byType[ternaryOp]{ptx.U32: each3(hiAdd(num.Mul24LoU)), ptx.S32: each3(hiAdd(num.Mul24LoS))}
	mad24Hi = byType[ternaryOp]{ptx.U32: each3(hiAdd(num.Mul24HiU)), ptx.S32: each3(hiAdd(num.Mul24HiS))}

	addSat = each2(func(x, y int32) int32 { return num.SatS32(int64(x) + int64(y)) })
	subSat = each2(func(x, y int32) int32 { return num.SatS32(int64(x) - int64(y)) })
	madSat = each3(func(x, y, z int32) int32 { return num.SatS32(int64(num.MulHiS32(x, y)) + int64(z)) })
)

// wider gives the destination type of .wide.
var wider = map[ptx.Type]ptx.Type{ptx.U16: ptx.U32, ptx.S16: ptx.S32, ptx.U32: ptx.U64, ptx.S32: ptx.S64}

func init() {
	register(map[string]builder{
		"add": buildAdd, "sub": buildSub, "mul": buildMul, "mad": buildMad, "div": buildDiv, "rem": build2(intRem),
		"sad": build3(intSad), "neg": buildNeg, "abs": buildAbs, "min": buildMin, "max": buildMax,
		"mul24": pickMod("hi", build2(mul24Hi), build2(mul24Lo)),
		"mad24": pickMod("hi", build3(mad24Hi), build3(mad24Lo)),
		"addc":  buildCarry, "subc": buildCarry, "madc": buildCarry,
	})
}

// pickMod chooses by a modifier.
func pickMod(mod string, with, without builder) builder {
	return func(c *compiler) error {
		if c.in.Has(mod) {
			return with(c)
		}
		return without(c)
	}
}

func isFloat(t ptx.Type) bool { return t.Kind() == ptx.Floating }

func buildAdd(c *compiler) error {
	switch t := c.lastType(); {
	case c.in.Has("cc"):
		return buildCarry(c)
	case isFloat(t):
		return buildFloat2(c, floatAdd)
	case t == ptx.U16x2, t == ptx.S16x2:
		return c.apply2(each2(func(x, y uint32) uint32 { return (x+y)&0xffff | (x&^0xffff + y&^0xffff) }), t, t, t)
	case c.in.Has("sat"):
		return c.apply2(addSat, t, t, t)
	}
	return build2(intAdd)(c)
}

func buildSub(c *compiler) error {
	switch t := c.lastType(); {
	case c.in.Has("cc"):
		return buildCarry(c)
	case isFloat(t):
		return buildFloat2(c, floatSub)
	case c.in.Has("sat"):
		return c.apply2(subSat, t, t, t)
	}
	return build2(intSub)(c)
}

func buildMul(c *compiler) error {
	t := c.lastType()
	switch {
	case isFloat(t):
		return buildFloat2(c, floatMul)
	case c.in.Has("wide"):
		return c.apply2(mulWide[t], wider[t], t, t)
	case c.in.Has("hi"):
		return build2(mulHi)(c)
	}
	return build2(intMul)(c)
}

func buildMad(c *compiler) error {
	t := c.lastType()
	switch {
	case isFloat(t):
		return buildFma(c)
	case c.in.Has("cc"):
		return buildCarry(c)
	case c.in.Has("wide"):
		return c.apply3(madWide[t], wider[t], t, t, wider[t])
	case c.in.Has("sat"):
		return c.apply3(madSat, t, t, t, t)
	case c.in.Has("hi"):
		return build3(madHi)(c)
	}
	if k := &c.in.Operands[2]; k.Kind == ptx.OpInt && t.Size() == 4 && !c.general() {
		return c.apply3(lift3(func(d, a, _, z []uint32) { madConst(d, a, uint32(k.Int), z) }), t, t, t, t)
	}
	return build3(intMad)(c)
}

func buildDiv(c *compiler) error {
	switch t := c.lastType(); {
	case t == ptx.F32 && c.in.Has("approx"):
		m := c.modifiers()
		return c.apply2(each2(func(x, y float32) float32 { return m.Out(num.DivApprox(m.In(x), m.In(y))) }), t, t, t)
	case isFloat(t):
		return buildFloat2(c, floatDiv)
	}
	return build2(intDiv)(c)
}

func buildNeg(c *compiler) error {
	if isFloat(c.lastType()) {
		return buildFloat1(c, floatNeg)
	}
	return build1(intNeg)(c)
}

func buildAbs(c *compiler) error {
	if isFloat(c.lastType()) {
		return buildFloat1(c, floatAbs)
	}
	return build1(intAbs)(c)
}

func buildMin(c *compiler) error {
	if isFloat(c.lastType()) {
		return buildFloatMinMax(c, false)
	}
	if f := packedMinMax(c.in.Has("relu"), func(x, y int64) int64 { return min(x, y) }, c.lastType()); f != nil {
		return c.apply2(f, ptx.B32, ptx.B32, ptx.B32)
	}
	return build2(intMin)(c)
}

func buildMax(c *compiler) error {
	if isFloat(c.lastType()) {
		return buildFloatMinMax(c, true)
	}
	if f := packedMinMax(c.in.Has("relu"), func(x, y int64) int64 { return max(x, y) }, c.lastType()); f != nil {
		return c.apply2(f, ptx.B32, ptx.B32, ptx.B32)
	}
	return build2(intMax)(c)
}

// packedMinMax chooses in each half of a word; relu makes of what is below 0 a 0. nil for types that are not packed.
func packedMinMax(relu bool, choose func(x, y int64) int64, t ptx.Type) binaryOp {
	if t != ptx.U16x2 && t != ptx.S16x2 {
		return nil
	}
	signed := t == ptx.S16x2
	return each2(func(a, b uint32) uint32 {
		var r uint32
		for i := range 2 {
			v := choose(int64(num.Field(a, i, 16, signed)), int64(num.Field(b, i, 16, signed)))
			if relu {
				v = max(v, 0)
			}
			r |= uint32(v) & 0xffff << (16 * i)
		}
		return r
	})
}
