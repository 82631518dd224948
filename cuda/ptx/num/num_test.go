package num_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num/numtest"
)

var modes = []num.Rounding{num.Nearest, num.TowardZero, num.Downward, num.Upward}

// FuzzFMA32 compares the fused multiply-add with what math/big rounds once.
func FuzzFMA32(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, v := range numtest.Operands("f32", 2000, rng) {
		f.Add(uint32(v[0]), uint32(v[1]), uint32(v[2]))
	}
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
		got, want := num.FMA32(x, y, z), num.Canon(numtest.FMA32(x, y, z))
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Errorf("%x * %x + %x: %x, want %x", x, y, z, got, want)
		}
	})
}

// FuzzFormats rounds a number to each format of 16 bits: downward and upward give its neighbours, or itself; the
// others are one of the two, the nearer or the one closer to zero.
func FuzzFormats(f *testing.F) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, v := range numtest.Operands("f64", 500, rng) {
		f.Add(v[0])
	}
	for range 3000 {
		f.Add(math.Float64bits((rng.Float64() - 0.5) * math.Ldexp(1, rng.IntN(300)-150)))
		f.Add(math.Float64bits((rng.Float64() - 0.5) * math.Ldexp(1, rng.IntN(45)-28)))
	}
	f.Fuzz(func(t *testing.T, v uint64) {
		x := math.Float64frombits(v)
		for name, format := range map[string]num.Format{"f16": num.F16, "bf16": num.BF16} {
			checkRounding(t, name, format, x)
		}
	})
}

func checkRounding(t *testing.T, name string, f num.Format, x float64) {
	t.Helper()
	var codes [4]uint16
	var values [4]float64
	for i, r := range modes {
		codes[i] = f.Round(x, r)
		values[i] = f.Decode(codes[i])
	}
	nearest, zero, down, up := values[0], values[1], values[2], values[3]
	switch {
	case x != x:
		if codes != [4]uint16{0x7fff, 0x7fff, 0x7fff, 0x7fff} {
			t.Errorf("%s: a NaN becomes %#x", name, codes)
		}
		return
	case !(down <= x && x <= up):
		t.Fatalf("%s: %v is not between %v and %v", name, x, down, up)
	case down != up && ordinal(codes[3]) != ordinal(codes[2])+1 && !(down == 0 && up == 0):
		t.Fatalf("%s: %v has the neighbours %v and %v, which are none", name, x, down, up)
	case zero != down && x > 0 || zero != up && x < 0:
		t.Errorf("%s: %v toward zero is %v", name, x, zero)
	}
	if down == up {
		if nearest != down {
			t.Errorf("%s: %v is exact, the nearest is %v", name, x, nearest)
		}
		return
	}
	if want := nearer(f, x, codes[2], codes[3]); codes[0] != want {
		t.Errorf("%s: the nearest to %v is %#x, want %#x", name, x, codes[0], want)
	}
}

// ordinal numbers codes in the order of their values.
func ordinal(code uint16) int {
	if code&0x8000 != 0 {
		return -int(code & 0x7fff)
	}
	return int(code)
}

// nearer chooses between neighbours; an infinity stands for the number that it would be with one exponent more.
func nearer(f num.Format, x float64, down, up uint16) uint16 {
	value := func(code, other uint16) *big.Float {
		v := f.Decode(code)
		if math.IsInf(v, 0) {
			top := f.Decode(other)
			_, e := math.Frexp(top)
			return new(big.Float).SetPrec(2000).SetFloat64(math.Copysign(math.Ldexp(1, e), v))
		}
		return new(big.Float).SetPrec(2000).SetFloat64(v)
	}
	at := new(big.Float).SetPrec(2000).SetFloat64(x)
	below := new(big.Float).Sub(at, value(down, up))
	above := new(big.Float).Sub(value(up, down), at)
	switch c := below.Cmp(above); {
	case c < 0 || c == 0 && down&1 == 0:
		return down
	}
	return up
}

// TestCodes decodes all codes of each format and encodes what they mean.
func TestCodes(t *testing.T) {
	for name, f := range map[string]num.Format{"f16": num.F16, "bf16": num.BF16} {
		for i := range 1 << 16 {
			code := uint16(i)
			if got, want := f.Round(f.Decode(code), num.Nearest), f.Canon(code); got != want {
				t.Errorf("%s: %#x decodes to %v and is encoded as %#x", name, code, f.Decode(code), got)
			}
		}
	}
	for i := range 1 << 8 {
		code := uint8(i)
		if v := num.DecodeE4M3(code); v == v && num.EncodeE4M3(v) != code {
			t.Errorf("e4m3: %#x decodes to %v and is encoded as %#x", code, v, num.EncodeE4M3(v))
		}
		v := num.DecodeE5M2(code)
		want := code
		if math.IsInf(v, 0) {
			want-- // the largest number
		}
		if v == v && num.EncodeE5M2(v) != want {
			t.Errorf("e5m2: %#x decodes to %v and is encoded as %#x", code, v, num.EncodeE5M2(v))
		}
	}
	for i, v := range num.HalfTable() {
		if w := num.F16.Decode(uint16(i)); float64(v) != w && w == w {
			t.Errorf("the table has %v for %#x, which is %v", v, i, w)
		}
	}
}

// FuzzBits compares operations on bits with what they are bit by bit.
func FuzzBits(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, v := range numtest.Operands("int", 3000, rng) {
		f.Add(v[0], v[1], uint32(v[2]), uint32(v[2]>>32))
		f.Add(v[0], v[1], uint32(v[2])%70, uint32(v[0])%70)
	}
	f.Fuzz(func(t *testing.T, a, b uint64, n, m uint32) {
		for name, pair := range bitPairs(a, b, n, m) {
			if pair[0] != pair[1] {
				t.Errorf("%s of %#x, %#x, %d, %d: %#x, want %#x", name, a, b, n, m, pair[0], pair[1])
			}
		}
	})
}

func bitPairs(a, b uint64, n, m uint32) map[string][2]uint64 {
	x, y := uint32(a), uint32(b)
	pairs := map[string][2]uint64{
		"lop3": {uint64(num.Lop3(x, y, n, m&255)), gather(32, func(i int) bool {
			return m>>(x>>i&1<<2|y>>i&1<<1|n>>i&1)&1 != 0
		})},
		"bfe.u32": {uint64(num.BfeU32(x, n, m)), gather(int(min(m&255, 32)), func(i int) bool {
			return bit(uint64(x), int(n&255)+i, false)
		})},
		"bfe.s32": {uint64(uint32(num.BfeS32(int32(x), n, m))),
			signedField(uint64(int64(int32(x))), n&255, m&255, 32) & math.MaxUint32},
		"bfe.u64": {num.BfeU64(a, n, m), gather(int(min(m, 64)), func(i int) bool { return bit(a, at(n, i), false) })},
		"bfi": {uint64(num.Bfi(x, y, n, m)), gather(32, func(i int) bool {
			if k := i - int(n&255); k >= 0 && k < int(m&255) {
				return x>>k&1 != 0
			}
			return y>>i&1 != 0
		})},
		"prmt": {uint64(num.Prmt(x, y, n)), gather(32, func(i int) bool {
			sel := n >> (i / 8 * 4)
			place := i % 8
			if sel&8 != 0 {
				place = 7
			}
			return (b<<32|uint64(x))>>(sel&7*8+uint32(place))&1 != 0
		})},
		"shf.l": {uint64(num.Funnel(true, false)(x, y, n)), gather(32, func(i int) bool {
			return bit(b<<32|uint64(x), 32+i-int(n&31), false)
		})},
		"shf.r.clamp": {uint64(num.Funnel(false, true)(x, y, n)), gather(32, func(i int) bool {
			return bit(b<<32|uint64(x), i+int(min(n, 32)), false)
		})},
		"mul.hi.u64": {num.MulHiU64(a, b), high(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))},
		"mul.hi.s64": {uint64(num.MulHiS64(int64(a), int64(b))), high(big.NewInt(int64(a)), big.NewInt(int64(b)))},
	}
	sum, carry := num.AddCarry32(x, y, 0, uint64(n&1))
	pairs["add.cc"] = [2]uint64{carry<<32 | uint64(sum), uint64(x) + uint64(y) + uint64(n&1)}
	return pairs
}

func at(n uint32, i int) int { return int(min(n, 1<<20)) + i }

// gather makes a number of its bits.
func gather(n int, f func(i int) bool) (v uint64) {
	for i := range n {
		if f(i) {
			v |= 1 << i
		}
	}
	return v
}

// bit gives a bit of a number that goes on with a fill above.
func bit(v uint64, i int, fill bool) bool {
	if i < 0 || i > 63 {
		return fill && i > 0
	}
	return v>>i&1 != 0
}

// signedField is bfe of a signed number of so many bits, which is given sign-extended.
func signedField(v uint64, pos, length, width uint32) uint64 {
	if length == 0 {
		return 0
	}
	sign := bit(v, int(min(pos+length-1, width-1)), false)
	return gather(64, func(i int) bool {
		if i >= int(length) || int(pos)+i >= int(width) {
			return sign
		}
		return bit(v, int(pos)+i, false)
	})
}

func high(x, y *big.Int) uint64 {
	p := new(big.Int).Mul(x, y)
	p.Rsh(p, 64)
	return new(big.Int).And(p, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// FuzzConversions compares conversions between integers and double precision with math/big.
func FuzzConversions(f *testing.F) {
	rng := rand.New(rand.NewPCG(4, 9))
	for _, v := range numtest.Operands("int", 1000, rng) {
		f.Add(v[0], math.Float64bits(float64(int64(v[1]))))
	}
	for _, v := range numtest.Operands("f64", 1000, rng) {
		f.Add(v[0], v[1])
	}
	f.Fuzz(func(t *testing.T, i, v uint64) {
		for _, r := range modes {
			for _, unsigned := range []bool{false, true} {
				z := new(big.Float).SetPrec(64).SetInt64(int64(i))
				if unsigned {
					z.SetUint64(i)
				}
				want, _ := new(big.Float).SetMode(bigModes[r]).SetPrec(53).Set(z).Float64()
				if got := num.Int64ToFloat64(i, unsigned, r); got != want {
					t.Errorf("%#x to %d, unsigned %v: %v, want %v", i, r, unsigned, got, want)
				}
			}
		}
		x := math.Trunc(math.Float64frombits(v))
		if x != x {
			return
		}
		for _, size := range []int{1, 2, 4, 8} {
			for _, signed := range []bool{false, true} {
				r := num.IntRange{Signed: signed, Size: size}
				mask := uint64(math.MaxUint64) >> (64 - 8*size)
				if got, want := r.FromFloat(x, true)&mask, clamped(x, signed, 8*size)&mask; got != want {
					t.Errorf("%v as an integer of %d bits, signed %v: %#x, want %#x", x, 8*size, signed, got, want)
				}
			}
		}
	})
}

// clamped is the integer of so many bits next to x.
func clamped(x float64, signed bool, size int) uint64 {
	one := big.NewInt(1)
	least, most := new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(size)), one)
	if signed {
		most.Sub(new(big.Int).Lsh(one, uint(size-1)), one)
		least.Neg(new(big.Int).Lsh(one, uint(size-1)))
	}
	switch {
	case math.IsInf(x, 1):
		x = 0x1p80
	case math.IsInf(x, -1):
		x = -0x1p80
	}
	v, _ := new(big.Float).SetFloat64(x).Int(nil)
	if v.Cmp(most) > 0 {
		v = most
	}
	if v.Cmp(least) < 0 {
		v = least
	}
	return v.And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}
