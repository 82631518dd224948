package vm

import (
	"fmt"
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Rows of the tensor instructions. Where an element lies is written here the other way
// round than in the device: from row and column to lane, register and part.

// word gives 32-bit word w of a lane's operands: a in 0 and 1, b in 2 and 3, c in 4 and 5.
func (l lane) word(w int) uint32 { return uint32([]uint64{l.a, l.b, l.c}[w/2] >> (32 * (w % 2))) }

// words is a prologue that puts the six words into %t0 to %t5.
const words = "mov.b64 {%t0, %t1}, %a; mov.b64 {%t2, %t3}, %b; mov.b64 {%t4, %t5}, %c; "

// fold4 joins four words into one result, fold4Body does so in PTX.
func fold4(x [4]uint32) uint64 {
	return (uint64(x[0]) | uint64(x[1])<<32) ^ (uint64(x[2])|uint64(x[3])<<32)*3
}

func fold4Body(a, b, c, d string) string {
	return fmt.Sprintf(" mov.b64 %%d, {%s, %s}; mov.b64 %%w0, {%s, %s}; mul.lo.u64 %%w0, %%w0, 3; xor.b64 %%d, %%d, %%w0;", a, b, c, d)
}

// factors say which lane, word and part of it holds an element of a and of b.
type factors struct {
	k     int
	a, b  func(row, col int) (lane, word, part int)
	value func(word uint32, part int) float64
	c     func(row, col int) float64
}

// dot is one element of the product and what is added to it.
func (f factors) dot(all []lane, row, col int) float64 {
	s := f.c(row, col)
	for k := range f.k {
		la, wa, pa := f.a(row, k)
		lb, wb, pb := f.b(k, col)
		s += f.value(all[la].word(wa), pa) * f.value(all[lb].word(wb), pb)
	}
	return s
}

// accumulators gives a lane's four elements of a 16×8 result.
func (f factors) accumulators(l lane, bits func(float64) uint32) (out [4]uint32) {
	for i := range out {
		out[i] = bits(f.dot(l.all, l.i/4+8*(i/2), l.i%4*2+i%2))
	}
	return out
}

func halfOfWord(w uint32, part int) float64 { return halfValue(uint16(w >> (16 * part))) }

// halfValue decodes by the formula of IEEE 754; there are no special values here.
func halfValue(h uint16) float64 {
	e, m := int(h>>10&31), float64(h&1023)/1024
	v := math.Pow(2, float64(e-15)) * (1 + m)
	if e == 0 {
		v = math.Pow(2, -14) * m
	}
	if h>>15 != 0 {
		return -v
	}
	return v
}

func one(int, int) float64  { return 1 }
func none(int, int) float64 { return 0 }

func a16(row, col int) (int, int, int) { return row%8*4 + col%8/2, row/8 + 2*(col/8), col % 2 }
func b16at(w int) func(k, n int) (int, int, int) {
	return func(k, n int) (int, int, int) { return n*4 + k%8/2, w + k/8, k % 2 }
}
func a8(row, col int) (int, int, int) { return row%8*4 + col%16/4, row/8 + 2*(col/16), col % 4 }
func b8(k, n int) (int, int, int)     { return n*4 + k%16/4, 4 + k/16, k % 4 }
func a32(row, col int) (int, int, int) {
	return row%8*4 + col%4, row/8 + 2*(col/4), 0
}
func b32(k, n int) (int, int, int) { return n*4 + k%4, 4 + k/4, 0 }

func float32Bits(x float64) uint32 { return math.Float32bits(float32(x)) }
func int32Bits(x float64) uint32   { return uint32(int32(int64(x))) }

func byteValue(w uint32, part int) float64 { return float64(int8(w >> (8 * part))) }

// f8Value has the codes that the operands of class f8 use.
func f8Value(w uint32, part int) float64 {
	return map[uint8]float64{0: 0, 0x30: 0.5, 0x38: 1, 0xb8: -1, 0x40: 2, 0x44: 3, 0xc8: -4}[uint8(w>>(8*part))]
}

const floats4 = "{%x0, %x1, %x2, %x3}"

func mmaRow(name, vals, body string, f factors, bits func(float64) uint32) row {
	return row{name, vals, "d", words + body, func(l lane) uint64 { return fold4(f.accumulators(l, bits)) }}
}

var ones = "mov.b32 %x0, 0f3F800000; mov.b32 %x1, 0f3F800000; mov.b32 %x2, 0f3F800000; mov.b32 %x3, 0f3F800000; "

func init() {
	isaRows = append(isaRows,
		mmaRow("mma.f16.f32", "h2", ones+"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "+floats4+", {%t0, %t1, %t2, %t3}, {%t4, %t5}, "+floats4+";"+fold4Body("%x0", "%x1", "%x2", "%x3"),
			factors{16, a16, b16at(4), halfOfWord, one}, float32Bits),
		row{"mma.f16.f16", "h2", "d", words + "mov.b32 %t6, 0; mov.b32 %t7, 0; mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%t6, %t7}, {%t0, %t1}, {%t2}, {%t6, %t7}; mov.b64 %d, {%t6, %t7};", func(l lane) uint64 {
			f := factors{8, a16, b16at(2), halfOfWord, none}
			var v uint64
			for i := range 4 {
				v |= uint64(num.F16.Round(f.dot(l.all, l.i/4+8*(i/2), l.i%4*2+i%2), num.Nearest)) << (16 * i)
			}
			return v
		}},
		mmaRow("mma.tf32", "f32pair", ones+"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "+floats4+", {%t0, %t1, %t2, %t3}, {%t4, %t5}, "+floats4+";"+fold4Body("%x0", "%x1", "%x2", "%x3"),
			factors{8, a32, b32, func(w uint32, _ int) float64 { return float64(math.Float32frombits(w)) }, one}, float32Bits),
		mmaRow("mma.int8", "int", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%t0, %t1, %t2, %t3}, {%t0, %t1, %t2, %t3}, {%t4, %t5}, {0, 0, 0, 0};"+fold4Body("%t0", "%t1", "%t2", "%t3"),
			factors{32, a8, b8, byteValue, none}, int32Bits),
		mmaRow("mma.f8", "f8", ones+"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "+floats4+", {%t0, %t1, %t2, %t3}, {%t4, %t5}, "+floats4+";"+fold4Body("%x0", "%x1", "%x2", "%x3"),
			factors{32, a8, b8, f8Value, one}, float32Bits),
		row{"mma.f64", "f64small", "d", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g, %dc}, {%da}, {%db}, {%dc, %dc}; mov.b64 %d, %g; mov.b64 %w0, %dc; mul.lo.u64 %w0, %w0, 3; xor.b64 %d, %d, %w0;", func(l lane) uint64 {
			var v [2]uint64
			for i := range v {
				_, _, s := l.f64()
				for k := range 4 {
					x, _, _ := l.all[l.i/4*4+k].f64()
					_, y, _ := l.all[(l.i%4*2+i)*4+k].f64()
					s += x * y
				}
				v[i] = math.Float64bits(s)
			}
			return v[0] ^ v[1]*3
		}},
		wmmaRow("wmma.half", "h2", "f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
		wmmaRow("wmma.load", "h2", "f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
		wmmaRow("wmma.store", "h2", "f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
		row{"wmma.mma", "int", "r", mine + "st.shared.v2.b64 [%t7], {%a, %b}; bar.warp.sync -1; wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%t0, %t1}, [tile], 16; wmma.load.b.sync.aligned.col.m16n16k16.shared.s8 {%t2, %t3}, [tile+256], 16; " +
			"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%y0, %y1, %y2, %y3, %t0, %t1, %t4, %t5}, {%t0, %t1}, {%t2, %t3}, {0, 0, 0, 0, 0, 0, 0, 0}; bar.warp.sync -1; " +
			"wmma.store.d.sync.aligned.row.m16n16k16.shared.s32 [tile], {%y0, %y1, %y2, %y3, %t0, %t1, %t4, %t5}, 16; bar.warp.sync -1; ld.shared.u32 %r, [%t7];", func(l lane) uint64 {
			// Lanes 0 to 15 hold the rows of a, the others the columns of b.
			s := 0.0
			for k := range 16 {
				s += byteValue(l.all[l.i/4].word(k/4), k%4) * byteValue(l.all[16+l.i%4*4].word(k/4), k%4)
			}
			return uint64(int32Bits(s))
		}},
	)
}

// wmmaRow multiplies two tiles that the lanes put into shared memory: a row-major, b by
// columns, and gives the first element that a lane finds in the stored result.
func wmmaRow(name, vals, typ, mma string) row {
	a := "{%t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7}"
	b := "{%ra, %rb, %rc, %lane, %y0, %y1, %y2, %y3}"
	d := "{%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}"
	body := "mov.u32 %t0, tile; shl.b32 %t1, %lane, 4; add.u32 %t0, %t0, %t1; st.shared.v2.b64 [%t0], {%a, %b}; " +
		"st.shared.v2.b64 [%t0+512], {%b, %c}; bar.warp.sync -1; mov.u32 %t1, tile; cvt.u64.u32 %w1, %t0; " +
		"wmma.load.b.sync.aligned.col.m16n16k16.shared." + typ + " " + b + ", [tile+512], 16; " +
		"wmma.load.a.sync.aligned.row.m16n16k16.shared." + typ + " " + a + ", [tile], 16; " +
		"mov.f32 %x0, 0f00000000; mov.f32 %x1, %x0; mov.f32 %x2, %x0; mov.f32 %x3, %x0; mov.f32 %x4, %x0; mov.f32 %x5, %x0; mov.f32 %x6, %x0; mov.f32 %x7, %x0; " +
		mma + " " + d + ", " + a + ", " + b + ", " + d + "; bar.warp.sync -1; " +
		"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [tile], " + d + ", 16; bar.warp.sync -1; cvt.u32.u64 %t0, %w1; ld.shared.b32 %r, [%t0];"
	return row{name, vals, "r", body, func(l lane) uint64 {
		// Lane l's 16 bytes of the result begin at element 4*l.
		row, col := l.i/4, l.i%4*4
		s := 0.0
		for k := range 16 {
			// Row r of a is in lanes 2r and 2r+1, eight halves each; so is column r of b.
			x, y := l.all[row*2+k/8], l.all[col*2+k/8]
			av := halfValue(uint16([]uint64{x.a, x.b}[k%8/4] >> (16 * (k % 4))))
			bv := halfValue(uint16([]uint64{y.b, y.c}[k%8/4] >> (16 * (k % 4))))
			s += av * bv
		}
		return uint64(float32Bits(s))
	}}
}
