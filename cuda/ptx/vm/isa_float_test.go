package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num/numtest"
)

var isaRows []row

func half(kind, body string, f func(a, b, c float64) float64, name string) row {
	return row{name, "f16", kind, body, h2(f)}
}

func init() {
	isaRows = append(isaRows,
		row{"add.float", "f32", "f", "add.rn.f32 %f, %fa, %fb;", func(l lane) uint64 { a, b, _ := l.f32(); return bits32(a + b) }},
		row{"sub.float", "f64", "p", "sub.rn.f64 %g, %da, %db; setp.eq.f64 %p, %g, %g;", func(l lane) uint64 { a, b, _ := l.f64(); return yes(a-b == a-b) }},
		row{"mul.float", "f32", "f", "mul.ftz.f32 %f, %fa, %fb;", func(l lane) uint64 {
			a, b, _ := l.f32()
			z := func(x float32) float32 {
				if math.Abs(float64(x)) < 0x1p-126 {
					return float32(math.Copysign(0, float64(x)))
				}
				return x
			}
			return bits32(z(z(a) * z(b)))
		}},
		row{"mad.float", "f32", "f", "mad.rn.f32 %f, %fa, %fb, %fc;", fmaWant},
		row{"fma.float", "f32", "f", "fma.rn.f32 %f, %fa, %fb, %fc;", fmaWant},
		row{"div.float", "f32", "f", "div.rn.f32 %f, %fa, %fb;", func(l lane) uint64 { a, b, _ := l.f32(); return bits32(a / b) }},
		row{"abs.float", "f32", "f", "abs.f32 %f, %fa;", func(l lane) uint64 { a, _, _ := l.f32(); return bits32(float32(math.Abs(float64(a)))) }},
		row{"neg.float", "f64", "g", "neg.f64 %g, %da;", func(l lane) uint64 {
			if math.IsNaN(math.Float64frombits(l.a)) {
				return l.a // what an H200 gives
			}
			return l.a ^ 1<<63
		}},
		row{"min.float", "f32", "f", "min.f32 %f, %fa, %fb;", func(l lane) uint64 {
			a, b, _ := l.f32()
			switch {
			case a != a:
				return bits32(b)
			case b != b:
				return bits32(a)
			}
			return bits32(min(a, b))
		}},
		row{"max.float", "f32", "f", "max.NaN.f32 %f, %fa, %fb;", func(l lane) uint64 { a, b, _ := l.f32(); return bits32(max(a, b)) }},
		row{"rcp", "f32", "f", "rcp.rn.f32 %f, %fa;", func(l lane) uint64 { a, _, _ := l.f32(); return bits32(1 / a) }},
		row{"sqrt", "f32", "f", "sqrt.rn.f32 %f, %fa;", func(l lane) uint64 { a, _, _ := l.f32(); return bits32(float32(math.Sqrt(float64(a)))) }},
		row{"rsqrt", "f32", "p", nearBody("rsqrt.approx.f32 %f, %fa;", "mul.f32 %x1, %f, %f; mul.f32 %x1, %x1, %fa; sub.f32 %x1, %x1, 0f3F800000;", "abs.f32 %x2, %fa; setp.lt.and.f32 %q, %x2, 0f5A000000, %p; setp.gt.and.f32 %p, %fa, 0f10000000, %q;"), func(l lane) uint64 {
			a, _, _ := l.f32()
			return yes(a > 0x1p-95 && a < 0x1p53)
		}},
		row{"sin", "f32", "p", approxBody("sin"), approxWant},
		row{"cos", "f32", "p", approxBody("cos"), approxWant},
		row{"tanh", "f32", "p", approxBody("tanh"), approxWant},
		row{"lg2", "f32", "f", "mov.f32 %x1, 0f41000000; lg2.approx.f32 %f, %x1;", func(lane) uint64 { return bits32(3) }},
		row{"ex2", "f32", "f", "mov.f32 %x1, 0f40A00000; ex2.approx.ftz.f32 %f, %x1;", func(lane) uint64 { return bits32(32) }},
		row{"testp", "f32", "p", "testp.subnormal.f32 %p, %fa;", func(l lane) uint64 { a, _, _ := l.f32(); return yes(a != 0 && math.Abs(float64(a)) < 0x1p-126) }},
		row{"copysign", "f32", "f", "copysign.f32 %f, %fa, %fb;", func(l lane) uint64 { return l.b&0x7fffffff | l.a&0x80000000 }},
		row{"cvt.pack2", "f32", "r", "cvt.rn.f16x2.f32 %r, %fa, %fb;", func(l lane) uint64 {
			a, b, _ := l.f32()
			return uint64(num.F16.Round(float64(a), num.Nearest))<<16 | uint64(num.F16.Round(float64(b), num.Nearest))
		}},
		row{"cvt.tf32", "f32", "r", "mov.f32 %x1, 0f3F801000; cvt.rna.tf32.f32 %r, %x1;", func(lane) uint64 { return 0x3f802000 }},
		half("h", "add.f16 %h, %ha, %hb;", func(a, b, _ float64) float64 { return a + b }, "add.half"),
		half("h", "sub.f16 %h, %ha, %hb;", func(a, b, _ float64) float64 { return a - b }, "sub.half"),
		half("h", "mul.f16 %h, %ha, %hb;", func(a, b, _ float64) float64 { return a * b }, "mul.half"),
		half("h", "fma.rn.f16 %h, %ha, %hb, %hc;", math.FMA, "fma.half"),
		half("h", "neg.f16 %h, %ha;", func(a, _, _ float64) float64 { return -a }, "neg.half"),
		half("h", "abs.f16 %h, %ha;", func(a, _, _ float64) float64 { return math.Abs(a) }, "abs.half"),
		half("h", "min.f16 %h, %ha, %hb;", func(a, b, _ float64) float64 { return min(a, b) }, "min.half"),
		half("h", "max.f16 %h, %ha, %hb;", func(a, b, _ float64) float64 { return max(a, b) }, "max.half"),
		half("h", "mov.b16 %hd, 0x4200; ex2.approx.f16 %h, %hd;", func(float64, float64, float64) float64 { return 8 }, "ex2.half"),
		half("h", "mov.b16 %hd, 0; tanh.approx.f16 %h, %hd;", func(float64, float64, float64) float64 { return 0 }, "tanh.half"),
		row{"setp.half", "f16", "p", "setp.lt.f16 %p, %ha, %hb;", func(l lane) uint64 {
			return yes(num.F16.Decode(uint16(l.a)) < num.F16.Decode(uint16(l.b)))
		}},
	)
}

func fmaWant(l lane) uint64 {
	a, b, c := l.f32()
	return bits32(numtest.FMA32(a, b, c))
}

// nearBody makes p true where the error in %x1 is below 2^-18 and rest holds.
func nearBody(instr, err, rest string) string {
	return instr + " " + err + " abs.f32 %x1, %x1; setp.lt.f32 %p, %x1, 0f36800000; " + rest
}

// approxBody checks that a function of a small argument is what its series gives:
// sin and tanh of 2^-10 are 2^-10 within 2^-20, cos is 1.
func approxBody(name string) string {
	want := "0f3A800000"
	if name == "cos" {
		want = "0f3F800000"
	}
	return "mov.f32 %x3, 0f3A800000; " + name + ".approx.f32 %f, %x3; sub.f32 %x1, %f, " + want + "; abs.f32 %x1, %x1; setp.lt.f32 %p, %x1, 0f35800000;"
}

func approxWant(lane) uint64 { return 1 }
