package num_test

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num/numtest"
)

var roundingCases = flag.Int("rounding.n", 20_000,
	"random operands of TestDirectedRoundings for each operation, precision and direction")

// The oracle computes with as many bits as it takes, in math/big, and rounds once.

var bigModes = map[num.Rounding]big.RoundingMode{num.Nearest: big.ToNearestEven, num.TowardZero: big.ToZero,
	num.Downward: big.ToNegativeInf, num.Upward: big.ToPositiveInf}

// precision is a format: digits, exponents of the least number and of the first one beyond all.
type precision struct {
	digits, least, most int
	largest             float64
}

var single, double = precision{24, -149, 128, math.MaxFloat32}, precision{53, -1074, 1024, math.MaxFloat64}

// round rounds a number that is not zero.
func (p precision) round(z *big.Float, r num.Rounding) float64 {
	neg := z.Sign() < 0
	v := 0.0
	if bits := min(p.digits, z.MantExp(nil)-p.least); bits > 0 {
		q := new(big.Float).SetMode(bigModes[r]).SetPrec(uint(bits)).Set(z)
		if q.MantExp(nil) > p.most {
			return p.beyond(r, neg)
		}
		v, _ = q.Float64()
		return v
	}
	half := new(big.Float).SetMantExp(big.NewFloat(1), p.least-1)
	if r == num.Upward && !neg || r == num.Downward && neg || r == num.Nearest && new(big.Float).Abs(z).Cmp(half) > 0 {
		v = math.Ldexp(1, p.least)
	}
	return math.Copysign(v, float64(z.Sign()))
}

func (p precision) beyond(r num.Rounding, neg bool) float64 {
	v := p.largest
	if r == num.Nearest || r == num.Upward && !neg || r == num.Downward && neg {
		v = math.Inf(1)
	}
	if neg {
		return -v
	}
	return v
}

// want gives a result by math/big; plain is the host's, which is right for what is not finite and
// for zeros.
func (p precision) want(r num.Rounding, plain float64, f func(z *big.Float)) float64 {
	z := new(big.Float).SetPrec(4500)
	f(z)
	if z.Sign() != 0 {
		return p.round(z, r)
	}
	if plain != 0 || r != num.Downward {
		return 0
	}
	return math.Copysign(0, -1)
}

func bigProduct(x, y float64) *big.Float {
	return new(big.Float).SetPrec(4500).Mul(big.NewFloat(x), big.NewFloat(y))
}

// operations are the oracle and the two forms of each.
var operations = map[string]struct {
	want   func(p precision, x, y, z float64, r num.Rounding) float64
	single func(x, y, z float32, r num.Rounding) float32
	double func(x, y, z float64, r num.Rounding) float64
}{
	"add": {bigAdd, func(x, y, _ float32, r num.Rounding) float32 {
		s, e := num.Sum32(x, y, r)
		return num.Round32(s, e, r)
	},
		func(x, y, _ float64, r num.Rounding) float64 { return num.Add64(x, y, r) }},
	"mul": {func(p precision, x, y, _ float64, r num.Rounding) float64 {
		if !finite(x, y) || x == 0 || y == 0 {
			return x * y
		}
		return p.round(bigProduct(x, y), r)
	}, func(x, y, _ float32, r num.Rounding) float32 {
		s, e := num.Product32(x, y, r)
		return num.Round32(s, e, r)
	},
		func(x, y, _ float64, r num.Rounding) float64 { return num.Mul64(x, y, r) }},
	"div": {func(p precision, x, y, _ float64, r num.Rounding) float64 {
		if !finite(x, y) || x == 0 || y == 0 {
			return x / y
		}
		return p.round(new(big.Float).SetPrec(256).Quo(big.NewFloat(x), big.NewFloat(y)), r)
	}, func(x, y, _ float32, r num.Rounding) float32 {
		s, e := num.Quotient32(x, y, r)
		return num.Round32(s, e, r)
	},
		func(x, y, _ float64, r num.Rounding) float64 { return num.Div64(x, y, r) }},
	"sqrt": {func(p precision, x, _, _ float64, r num.Rounding) float64 {
		if !finite(x) || x <= 0 {
			return math.Sqrt(x)
		}
		return p.round(new(big.Float).SetPrec(256).Sqrt(big.NewFloat(x)), r)
	}, func(x, _, _ float32, r num.Rounding) float32 { return num.Sqrt32(x, r) },
		func(x, _, _ float64, r num.Rounding) float64 { return num.Sqrt64(x, r) }},
	"fma": {func(p precision, x, y, z float64, r num.Rounding) float64 {
		switch {
		case !finite(x, y, z):
			return math.FMA(x, y, z)
		case x == 0 || y == 0:
			return bigAdd(p, x*y, z, 0, r)
		}
		return p.want(r, 0, func(q *big.Float) { q.Add(bigProduct(x, y), big.NewFloat(z)) })
	}, func(x, y, z float32, r num.Rounding) float32 {
		s, e := num.Fused32(x, y, z, r)
		return num.Round32(s, e, r)
	}, num.FMA64},
}

func bigAdd(p precision, x, y, _ float64, r num.Rounding) float64 {
	if !finite(x, y) || x == 0 && y == 0 && math.Signbit(x) == math.Signbit(y) {
		return x + y
	}
	return p.want(r, 0, func(z *big.Float) { z.Add(big.NewFloat(x), big.NewFloat(y)) })
}

// triples draws operands: edges against each other, random bits, and sums and quotients that nearly
// cancel or are exact.
func triples(class string, n int, rng *rand.Rand) [][3]float64 {
	decode := math.Float64frombits
	if class == "f32" {
		decode = func(b uint64) float64 { return float64(math.Float32frombits(uint32(b))) }
	}
	out := make([][3]float64, 0, n+8000)
	for _, x := range numtest.Specials(class) {
		for _, y := range numtest.Specials(class) {
			for _, z := range numtest.Specials(class) {
				out = append(out, [3]float64{decode(x), decode(y), decode(z)})
			}
		}
	}
	for _, v := range numtest.Operands(class, n, rng) {
		x, y, z := decode(v[0]), decode(v[1]), decode(v[2])
		switch rng.IntN(4) {
		case 0:
			z = -x * y // nearly
		case 1:
			x = y * z
		case 2:
			z = x * y * math.Ldexp(rng.Float64()-0.5, -rng.IntN(120))
		}
		if class == "f32" {
			x, z = float64(float32(x)), float64(float32(z))
		}
		out = append(out, [3]float64{x, y, z})
	}
	return out
}

func finite(x ...float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// Every rounding is what math/big gives, in both precisions, zeros with their signs.
func TestDirectedRoundings(t *testing.T) {
	for name, op := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []num.Rounding{num.Nearest, num.TowardZero, num.Downward, num.Upward} {
				for _, v := range triples("f32", *roundingCases, rand.New(rand.NewPCG(uint64(r), 1))) {
					x, y, z := v[0], v[1], v[2]
					got, want := float64(op.single(float32(x), float32(y), float32(z), r)), op.want(single, x, y, z, r)
					if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
						t.Fatalf("%s of %x, %x, %x to %d in single precision: %x, want %x", name, x, y, z, r, got, want)
					}
				}
				for _, v := range triples("f64", *roundingCases, rand.New(rand.NewPCG(uint64(r), 2))) {
					x, y, z := v[0], v[1], v[2]
					got, want := op.double(x, y, z, r), op.want(double, x, y, z, r)
					if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
						t.Fatalf("%s of %x, %x, %x to %d in double precision: %x, want %x", name, x, y, z, r, got, want)
					}
				}
			}
		})
	}
}

// A result that rounds up to the least normal number is flushed where it would be subnormal with
// any exponent: the cases in which an H200 differed, and those that math/big tells.
func TestTinyAfterRounding(t *testing.T) {
	f := math.Float32frombits
	for _, c := range []struct {
		x, y, z uint32
		round   num.Rounding
		tiny    bool
	}{
		{0x33800002, 0x80800000, 0x00800000, num.Upward, true},
		{0x33800002, 0x80800000, 0x00800000, num.Nearest, true},
		{0x33000000, 0x80800000, 0x00800000, num.Nearest, false}, // a quarter of a step below: rounds to the normal number
		{0x3f800000, 0x00800000, 0x80000000, num.Nearest, false},
		{0x3f7fffff, 0x00800000, 0x80000000, num.Upward, true},
	} {
		s, e := num.Fused32(f(c.x), f(c.y), f(c.z), c.round)
		if got := num.Tiny32(s, e, c.round); got != c.tiny {
			t.Errorf("%#x * %#x + %#x: tiny is %v", c.x, c.y, c.z, got)
		}
	}
	rng := rand.New(rand.NewPCG(1, 3))
	for range *roundingCases {
		x, y := f(0x3f7ffff0+rng.Uint32N(32)), f(0x007fffe0+rng.Uint32N(64))
		z, r := f(rng.Uint32N(4)<<31|rng.Uint32N(3)), num.Rounding(rng.IntN(4))
		s, e := num.Fused32(x, y, z, r)
		if got, want := num.Tiny32(s, e, r), tinyBig(x, y, z, r); got != want {
			t.Fatalf("%x * %x + %x to %d: tiny is %v, want %v", x, y, z, r, got, want)
		}
	}
	for _, c := range []struct {
		x    float64
		tiny bool
	}{{2047.0 / 2048 * 0x1p-14, true}, {1025 * 2046.0 / 2048 * 0x1p-24, false}, {0x1p-14, false}, {0, true}} {
		if got := num.F16.Tiny(c.x, num.Nearest); got != c.tiny {
			t.Errorf("%g in half precision: tiny is %v", c.x, got)
		}
	}
}

func tinyBig(x, y, z float32, r num.Rounding) bool {
	q := new(big.Float).SetPrec(24).SetMode(bigModes[r])
	q.Add(bigProduct(float64(x), float64(y)), big.NewFloat(float64(z)))
	return q.Abs(q).Cmp(big.NewFloat(0x1p-126)) < 0
}

func benchFma[T float32 | float64](b *testing.B, f func(x, y, z T) T) {
	var x, y, z, d [1024]T
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i], y[i], z[i] = T(rng.Float64()), T(rng.Float64()), T(rng.Float64())
	}
	for b.Loop() {
		for i := range d {
			d[i] = f(x[i], y[i], z[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/lane")
}

func BenchmarkFmaNearest32(b *testing.B) { benchFma(b, num.FMA32) }
func BenchmarkFmaDown32(b *testing.B) {
	m := num.Modifiers{Round: num.Downward}
	benchFma(b, func(x, y, z float32) float32 { return m.Finish(num.Fused32(m.In(x), m.In(y), m.In(z), m.Round)) })
}
func BenchmarkFmaNearest64(b *testing.B) { benchFma(b, math.FMA) }
func BenchmarkFmaDown64(b *testing.B) {
	benchFma(b, func(x, y, z float64) float64 { return num.FMA64(x, y, z, num.Downward) })
}
