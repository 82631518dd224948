package vm

import (
	"math"
	"math/big"
	"math/bits"
)

func hi64(a, b uint64, signed bool) uint64 {
	x, y := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
	if signed {
		x, y = big.NewInt(int64(a)), big.NewInt(int64(b))
	}
	x.Mul(x, y)
	return new(big.Int).And(x.Rsh(x, 64), new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

func clamp32(v int64) uint64 { return u(int32(max(min(v, math.MaxInt32), math.MinInt32))) }

// bfeBits and bfiBits follow the pseudo-code of sections 9.7.1.19 and 9.7.1.20, bit by bit. In 64 bits an
// H200 looks at all of a position and a length, where the pseudo-code takes the low bytes.
func bfeBits(a uint64, b, c uint32, msb uint32, signed bool) (d uint64) {
	pos, length := fieldOf(b, c, msb)
	sbit := uint64(0)
	if signed && length != 0 {
		sbit = a >> min(pos+length-1, msb) & 1
	}
	for i := uint32(0); i <= msb; i++ {
		bit := sbit
		if i < length && pos+i <= msb {
			bit = a >> (pos + i) & 1
		}
		d |= bit << i
	}
	return d
}

func fieldOf(pos, length, msb uint32) (uint32, uint32) {
	if msb == 63 {
		return min(pos, 0xff), min(length, 0xff)
	}
	return pos & 0xff, length & 0xff
}

func bfiBits(f, base uint64, pos, length, msb uint32) uint64 {
	pos, length = fieldOf(pos, length, msb)
	for i := uint32(0); i < length && pos+i <= msb; i++ {
		base = base&^(1<<(pos+i)) | f>>i&1<<(pos+i)
	}
	return base
}

func init() {
	isaRows = append(isaRows,
		row{"add.int", "int", "r", "add.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return u(a + b) }},
		row{"add.sat", "int", "r", "add.sat.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return clamp32(int64(a) + int64(b)) }},
		row{"add.packed16", "int", "r", "add.u16x2 %r, %ra, %rb;", func(l lane) uint64 {
			a, b, _ := l.u32()
			return uint64(uint16(a)+uint16(b)) | uint64(uint16(a>>16)+uint16(b>>16))<<16
		}},
		row{"sub.int", "int", "d", "sub.u64 %d, %a, %b;", func(l lane) uint64 { return l.a - l.b }},
		row{"sub.sat", "int", "r", "sub.sat.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return clamp32(int64(a) - int64(b)) }},
		row{"mul.lohi", "int", "d", "mul.hi.s64 %d, %a, %b;", func(l lane) uint64 { return hi64(l.a, l.b, true) }},
		row{"mul.wide", "int", "d", "mul.wide.s32 %d, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return uint64(int64(a) * int64(b)) }},
		row{"mad.lohi", "int", "r", "mad.lo.s32 %r, %ra, %rb, %rc;", func(l lane) uint64 { a, b, c := l.s32(); return u(a*b + c) }},
		row{"mad.sat", "int", "r", "mad.hi.sat.s32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			a, b, c := l.s32()
			return clamp32(int64(a)*int64(b)>>32 + int64(c))
		}},
		row{"mad.wide", "int", "d", "mad.wide.u32 %d, %ra, %rb, %c;", func(l lane) uint64 { a, b, _ := l.u32(); return uint64(a)*uint64(b) + l.c }},
		row{"mul24", "int", "r", "mul24.lo.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return u(int32(int64(a<<8>>8) * int64(b<<8>>8))) }},
		row{"mad24", "int", "r", "mad24.hi.u32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			a, b, c := l.u32()
			return uint64(uint32(uint64(a&0xffffff)*uint64(b&0xffffff)>>16) + c)
		}},
		row{"sad", "int", "r", "sad.s32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			a, b, c := l.s32()
			return u(int32(int64(max(a, b))-int64(min(a, b))) + c)
		}},
		row{"div.int", "int", "r", "or.b32 %t1, %rb, 1; div.s32 %r, %ra, %t1;", func(l lane) uint64 { a, b, _ := l.s32(); return u(int32(int64(a) / int64(b|1))) }},
		row{"rem", "int", "d", "or.b64 %w1, %b, 1; rem.u64 %d, %a, %w1;", func(l lane) uint64 { return l.a % (l.b | 1) }},
		row{"abs.int", "int", "r", "abs.s32 %r, %ra;", func(l lane) uint64 { a, _, _ := l.s32(); return u(max(a, -a)) }},
		row{"neg.int", "int", "d", "neg.s64 %d, %a;", func(l lane) uint64 { return -l.a }},
		row{"min.int", "int", "r", "min.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return u(min(a, b)) }},
		row{"max.int", "int", "d", "max.u64 %d, %a, %b;", func(l lane) uint64 { return max(l.a, l.b) }},
		row{"popc", "int", "r", "popc.b64 %r, %a;", func(l lane) uint64 { return uint64(bits.OnesCount64(l.a)) }},
		row{"clz", "int", "r", "clz.b32 %r, %ra;", func(l lane) uint64 { return uint64(bits.LeadingZeros32(uint32(l.a))) }},
		row{"bfind", "int", "r", "bfind.s32 %r, %ra;", func(l lane) uint64 {
			a, _, _ := l.s32()
			for i := 31; i >= 0; i-- {
				if a>>i&1 != a>>31&1 {
					return uint64(i)
				}
			}
			return 0xffffffff
		}},
		row{"fns", "int", "r", "and.b32 %t1, %rb, 31; fns.b32 %r, %ra, %t1, 2;", func(l lane) uint64 {
			n := 0
			for i := l.b & 31; i < 32; i++ {
				if n += int(l.a >> i & 1); n == 2 {
					return i
				}
			}
			return 0xffffffff
		}},
		row{"brev", "int", "d", "brev.b64 %d, %a;", func(l lane) uint64 { return bits.Reverse64(l.a) }},
		row{"bfe", "int", "r", "bfe.s32 %r, %ra, %rb, %rc;", func(l lane) uint64 { return bfeBits(l.a&0xffffffff, uint32(l.b), uint32(l.c), 31, true) }},
		row{"bfi", "int", "d", "bfi.b64 %d, %a, %b, %rc, %rb;", func(l lane) uint64 { return bfiBits(l.a, l.b, uint32(l.c), uint32(l.b), 63) }},
		row{"szext", "int", "r", "szext.clamp.s32 %r, %ra, %rb;", func(l lane) uint64 {
			n := min(uint32(l.b), 32)
			if n == 0 {
				return 0
			}
			return u(int32(l.a) << (32 - n) >> (32 - n))
		}},
		row{"bmsk", "int", "r", "bmsk.wrap.b32 %r, %ra, %rb;", func(l lane) uint64 {
			var m uint32
			for i := range l.b & 31 {
				if at := l.a&31 + i; at < 32 {
					m |= 1 << at
				}
			}
			return uint64(m)
		}},
		row{"dp4a", "int", "r", "dp4a.s32.u32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			s := int32(l.c)
			for i := range 4 {
				s += int32(int8(l.a>>(8*i))) * int32(uint8(l.b>>(8*i)))
			}
			return u(s)
		}},
		row{"min.packed16", "int", "r", "min.s16x2 %t1, %ra, %rb; min.u16x2 %t2, %ra, %rb; min.relu.s16x2 %t3, %ra, %rb; xor.b32 %r, %t1, %t2; add.u32 %r, %r, %t3;", func(l lane) uint64 {
			return packedWant(l, func(a, b uint16) (s, u uint16) { return uint16(min(int16(a), int16(b))), min(a, b) })
		}},
		row{"max.packed16", "int", "r", "max.s16x2 %t1, %ra, %rb; max.u16x2 %t2, %ra, %rb; max.relu.s16x2 %t3, %ra, %rb; xor.b32 %r, %t1, %t2; add.u32 %r, %r, %t3;", func(l lane) uint64 {
			return packedWant(l, func(a, b uint16) (s, u uint16) { return uint16(max(int16(a), int16(b))), max(a, b) })
		}},
		row{"vabsdiff2", "int", "r", "vabsdiff2.u32.u32.u32 %t1, %ra, %rb, %rc;\n\tvabsdiff2.s32.s32.u32.add %r, %ra, %rb, %t1;", func(l lane) uint64 {
			var parts, sum uint32
			for i := range 2 {
				a, b := uint16(l.a>>(16*i)), uint16(l.b>>(16*i))
				parts |= uint32(max(a, b)-min(a, b)) << (16 * i)
				d := int32(int16(a)) - int32(b)
				sum += uint32(max(d, -d))
			}
			return uint64(parts + sum)
		}},
		row{"vabsdiff4", "int", "r", "vabsdiff4.u32.u32.u32 %t1, %ra, %rb, %rc;\n\tvabsdiff4.s32.s32.u32.add %r, %ra, %rb, %t1;", func(l lane) uint64 {
			var bytes, sum uint32
			for i := range 4 {
				a, b := uint8(l.a>>(8*i)), uint8(l.b>>(8*i))
				bytes |= uint32(max(a, b)-min(a, b)) << (8 * i)
				d := int32(int8(a)) - int32(b)
				sum += uint32(max(d, -d))
			}
			return uint64(bytes + sum)
		}},
		row{"dp2a", "int", "r", "dp2a.hi.s32.s32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			s := int32(l.c)
			for i := range 2 {
				s += int32(int16(l.a>>(16*i))) * int32(int8(l.b>>(16+8*i)))
			}
			return u(s)
		}},
		row{"add.cc", "int", "r", "add.cc.u32 %t1, %ra, %rb; addc.u32 %r, %rc, 0;", func(l lane) uint64 {
			a, b, c := l.u32()
			return uint64(c + uint32((uint64(a)+uint64(b))>>32))
		}},
		row{"addc", "int", "d", "add.cc.u64 %w1, %a, %b; addc.u64 %d, %c, %a;", func(l lane) uint64 { _, k := bits.Add64(l.a, l.b, 0); return l.c + l.a + k }},
		row{"sub.cc", "int", "r", "sub.cc.u32 %t1, %ra, %rb; subc.u32 %r, %rc, 0;", func(l lane) uint64 {
			a, b, c := l.u32()
			return uint64(c - uint32(yes(a < b)))
		}},
		row{"subc", "int", "d", "sub.cc.u64 %w1, %a, %b; subc.u64 %d, %c, %a;", func(l lane) uint64 { return l.c - l.a - yes(l.a < l.b) }},
		row{"mad.cc", "int", "r", "mad.lo.cc.u32 %t1, %ra, %rb, %rc; addc.u32 %r, 0, 0;", func(l lane) uint64 {
			a, b, c := l.u32()
			return (uint64(a*b) + uint64(c)) >> 32
		}},
		row{"madc", "int", "r", "mad.lo.cc.u32 %t1, %ra, %rb, %rc; madc.hi.u32 %r, %ra, %rb, 0;", func(l lane) uint64 {
			a, b, c := l.u32()
			return (uint64(a)*uint64(b) + uint64(c)) >> 32
		}},
		row{"set", "int", "r", "set.lt.u32.s32 %r, %ra, %rb;", func(l lane) uint64 { a, b, _ := l.s32(); return yes(a < b) * 0xffffffff }},
		row{"setp", "int", "p", "setp.ge.and.s32 %p|%q, %ra, %rb, %pa;", func(l lane) uint64 { a, b, _ := l.s32(); return yes(a >= b && l.a < l.b) }},
		row{"selp", "int", "r", "selp.b32 %r, %ra, %rb, %pa;", func(l lane) uint64 {
			if l.a < l.b {
				return l.a & 0xffffffff
			}
			return l.b & 0xffffffff
		}},
		row{"slct", "int", "d", "slct.u64.s32 %d, %a, %b, %rc;", func(l lane) uint64 {
			if int32(l.c) >= 0 {
				return l.a
			}
			return l.b
		}},
		row{"and", "int", "p", "and.pred %p, %pa, %pb;", func(l lane) uint64 { return yes(l.a < l.b && l.b < l.c) }},
		row{"or", "int", "h", "or.b16 %h, %ha, %hb;", func(l lane) uint64 { return (l.a | l.b) & 0xffff }},
		row{"xor", "int", "d", "xor.b64 %d, %a, %b;", func(l lane) uint64 { return l.a ^ l.b }},
		row{"not", "int", "r", "not.b32 %r, %ra;", func(l lane) uint64 { return ^l.a & 0xffffffff }},
		row{"cnot", "int", "r", "cnot.b32 %r, %ra;", func(l lane) uint64 { return yes(uint32(l.a) == 0) }},
		row{"lop3", "int", "r", "lop3.b32 %r, %ra, %rb, %rc, 0x2d;", func(l lane) uint64 {
			var r uint64
			for i := range 32 {
				r |= 0x2d >> (l.a>>i&1<<2 | l.b>>i&1<<1 | l.c>>i&1) & 1 << i
			}
			return r
		}},
		row{"lop3.bool", "int", "r", "setp.lt.u32 %q, %ra, %rb;\n\tlop3.or.b32 %r|%p, %ra, %rb, %rc, 0x80, %q;\n\tlop3.and.b32 %t0|%q, %r, %rb, %rb, 0x96, %q;\n\tselp.b32 %r, %t0, %r, %p;\n\t@%q add.u32 %r, %r, 1;",
			func(l lane) uint64 {
				a, b, c := l.u32()
				x := a & b & c
				q, y := a < b, x
				if x == 0 && !q {
					y = x
				}
				if q && x != 0 {
					y++
				}
				return uint64(y)
			}},
		row{"shf", "int", "r", "shf.r.clamp.b32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			return (l.b<<32 | l.a&0xffffffff) >> min(uint32(l.c), 32) & 0xffffffff
		}},
		row{"shl", "int", "d", "shl.b64 %d, %a, %rb;", func(l lane) uint64 { return l.a << uint32(l.b) }},
		row{"shr", "int", "r", "shr.s32 %r, %ra, %rb;", func(l lane) uint64 { return u(int32(l.a) >> min(uint32(l.b), 31)) }},
		row{"prmt", "int", "r", "prmt.b32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			var r uint64
			v := l.b<<32 | l.a&0xffffffff
			for i := range 4 {
				n := l.c >> (4 * i) & 15
				by := v >> (8 * (n & 7)) & 0xff
				if n&8 != 0 {
					by = by >> 7 * 0xff
				}
				r |= by << (8 * i)
			}
			return r
		}},
		row{"mov", "int", "d", "mov.b64 {%t1, %t2}, %a; mov.b64 %d, {%t2, %t1};", func(l lane) uint64 { return bits.RotateLeft64(l.a, 32) }},
		row{"cvt", "int", "r", "cvt.sat.s32.s64 %r, %a;", func(l lane) uint64 { return clamp32(int64(l.a)) }},
		row{"cvt.pack", "int", "r", "cvt.pack.sat.s16.s32 %r, %ra, %rb;", func(l lane) uint64 {
			a, b, _ := l.s32()
			c := func(x int32) uint64 { return uint64(uint16(max(min(x, 32767), -32768))) }
			return c(a)<<16 | c(b)
		}},
		row{"cvt.pack4", "int", "r", "cvt.pack.sat.u8.s32.b32 %r, %ra, %rb, %rc;", func(l lane) uint64 {
			a, b, _ := l.s32()
			c := func(x int32) uint64 { return uint64(max(min(x, 255), 0)) }
			return (l.c<<16 | c(a)<<8 | c(b)) & 0xffffffff
		}},
	)
}

// packedWant is what the rows of packed minima and maxima compute of those of the halves, signed and unsigned.
func packedWant(l lane, choose func(a, b uint16) (s, u uint16)) uint64 {
	var signed, unsigned, relu uint32
	for i := range 2 {
		s, u := choose(uint16(l.a>>(16*i)), uint16(l.b>>(16*i)))
		signed |= uint32(s) << (16 * i)
		unsigned |= uint32(u) << (16 * i)
		if int16(s) > 0 {
			relu |= uint32(s) << (16 * i)
		}
	}
	return uint64(signed ^ unsigned + relu)
}
