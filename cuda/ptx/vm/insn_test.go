package vm

import (
	"fmt"
	"math"
	"strings"
)

// Single instructions on random operands: every arithmetic instruction that this device
// executes, with every type, in modules of many kernels that both devices run.

// insn is one instruction as a kernel of its own.
type insn struct {
	text string // with D, A, B, C for the operands' registers
	dest string // types of destination and sources
	src  []string
	// within is how far an approximate result may be off; nil for exact ones.
	within func(a [3]uint64, x, y uint64) bool
}

var intTypes = []string{"u16", "u32", "u64", "s16", "s32", "s64"}

// unsignedOf gives the bits a type's registers have.
func width(t string) int {
	switch t {
	case "pred":
		return 1
	case "f16", "bf16", "u16", "s16", "b16":
		return 16
	case "u8", "s8", "b8":
		return 8
	case "u64", "s64", "b64", "f64":
		return 64
	}
	return 32
}

// registerName names the register of an operand: which is 0 for the destination, then 1 to 3.
func registerName(t string, which int) string {
	suffix := []string{"", "a", "b", "c"}[which]
	switch {
	case t == "pred":
		return "%p" + suffix
	case t == "f32":
		return "%f" + suffix
	case t == "f64":
		return []string{"%g", "%da", "%db", "%dc"}[which]
	}
	switch width(t) {
	case 8, 16:
		return "%h" + suffix
	case 64:
		return []string{"%d", "%a", "%b", "%c"}[which]
	}
	return "%r" + suffix
}

func (n insn) body() string {
	pairs := []string{"D", registerName(n.dest, 0)}
	for i, t := range n.src {
		pairs = append(pairs, string(rune('A'+i)), registerName(t, i+1))
	}
	op, rest, _ := strings.Cut(n.text, " ")
	return op + " " + strings.NewReplacer(pairs...).Replace(rest) + ";"
}

// class says which operands an instruction is tried with.
func (n insn) class() string {
	for _, t := range append(n.src, n.dest) {
		switch t {
		case "f16", "f16x2", "bf16", "bf16x2", "f32", "f64":
			return t
		}
	}
	return "int"
}

type insns struct{ list []insn }

// each adds an instruction for every type: T in the text is the type, sources all have it.
func (s *insns) each(text string, types []string) {
	for _, t := range types {
		op := strings.Replace(text, ".T", "."+t, 1)
		n := strings.Count(text, " A") + strings.Count(text, " B") + strings.Count(text, " C")
		s.add(op, t, []string{t, t, t}[:n]...)
	}
}

func (s *insns) add(text, dest string, src ...string) {
	s.list = append(s.list, insn{text: text, dest: dest, src: src})
}

func (s *insns) near(within func(a [3]uint64, x, y uint64) bool, text, dest string, src ...string) {
	s.list = append(s.list, insn{text, dest, src, within})
}

func (s *insns) integers() {
	for _, op := range []string{"add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"} {
		s.each(op+".T D, A, B", intTypes)
	}
	for _, op := range []string{"mad.lo", "mad.hi", "sad"} {
		s.each(op+".T D, A, B, C", intTypes)
	}
	s.each("abs.T D, A", []string{"s16", "s32", "s64"})
	s.each("neg.T D, A", []string{"s16", "s32", "s64"})
	for _, t := range []string{"u", "s"} {
		for _, w := range [][2]string{{"16", "32"}, {"32", "64"}} {
			s.add("mul.wide."+t+w[0]+" D, A, B", t+w[1], t+w[0], t+w[0])
			s.add("mad.wide."+t+w[0]+" D, A, B, C", t+w[1], t+w[0], t+w[0], t+w[1])
		}
		for _, half := range []string{"lo", "hi"} {
			s.add("mul24."+half+"."+t+"32 D, A, B", t+"32", t+"32", t+"32")
			s.add("mad24."+half+"."+t+"32 D, A, B, C", t+"32", t+"32", t+"32", t+"32")
			for _, v := range []string{"u", "s"} {
				s.add("dp2a."+half+"."+t+"32."+v+"32 D, A, B, C", "s32", "b32", "b32", "s32")
			}
		}
		for _, v := range []string{"u", "s"} {
			s.add("dp4a."+t+"32."+v+"32 D, A, B, C", "s32", "b32", "b32", "s32")
		}
		for _, w := range []string{"32", "64"} {
			s.add("bfe."+t+w+" D, A, B, C", t+w, t+w, "u32", "u32")
			s.add("bfind."+t+w+" D, A", "u32", t+w)
			s.add("bfind.shiftamt."+t+w+" D, A", "u32", t+w)
		}
		for _, mode := range []string{"clamp", "wrap"} {
			s.add("szext."+mode+"."+t+"32 D, A, B", t+"32", t+"32", "u32")
		}
	}
	s.add("add.sat.s32 D, A, B", "s32", "s32", "s32")
	s.add("sub.sat.s32 D, A, B", "s32", "s32", "s32")
	s.add("mad.hi.sat.s32 D, A, B, C", "s32", "s32", "s32", "s32")
	for _, op := range []string{"add", "min", "max", "min.relu", "max.relu"} {
		if !strings.HasSuffix(op, "relu") {
			s.add(op+".u16x2 D, A, B", "u16x2", "u16x2", "u16x2")
		}
		s.add(op+".s16x2 D, A, B", "s16x2", "s16x2", "s16x2")
	}
	for _, lanes := range []string{"2", "4"} {
		for _, m := range []string{"", ".add"} {
			s.add("vabsdiff"+lanes+".u32.s32.u32"+m+" D, A, B, C", "u32", "s32", "u32", "u32")
		}
	}
	s.near(countable, "fns.b32 D, A, B, C", "b32", "b32", "b32", "s32")
	s.carries()
}

func (s *insns) carries() {
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		s.add("add.cc."+t+" D, A, B;\n\taddc."+t+" D, B, C", t, t, t, t)
		s.add("sub.cc."+t+" D, A, B;\n\tsubc."+t+" D, B, C", t, t, t, t)
		s.add("mad.lo.cc."+t+" D, A, B, C;\n\tmadc.hi."+t+" D, A, B, C", t, t, t, t)
	}
}

func (s *insns) bits() {
	words := []string{"b32", "b64"}
	all := []string{"b16", "b32", "b64"}
	for _, op := range []string{"popc", "clz"} {
		for _, t := range words {
			s.add(op+"."+t+" D, A", "u32", t)
		}
	}
	s.each("brev.T D, A", words)
	for _, t := range words {
		s.add("bfi."+t+" D, A, B, C, 7", t, t, t, "u32")
		s.add("bfi."+t+" D, A, B, 5, C", t, t, t, "u32")
	}
	for _, op := range []string{"and", "or", "xor"} {
		s.each(op+".T D, A, B", append([]string{"pred"}, all...))
	}
	s.each("not.T D, A", append([]string{"pred"}, all...))
	s.each("cnot.T D, A", all)
	for _, t := range append(all, intTypes...) {
		s.add("shr."+t+" D, A, B", t, t, "u32")
	}
	for _, t := range all {
		s.add("shl."+t+" D, A, B", t, t, "u32")
	}
	for _, m := range []string{"l.clamp", "l.wrap", "r.clamp", "r.wrap"} {
		s.add("shf."+m+".b32 D, A, B, C", "b32", "b32", "b32", "u32")
	}
	for _, table := range []int{0, 0x1b, 0x3c, 0x96, 0xca, 0xe8, 0xff} {
		s.add(fmt.Sprintf("lop3.b32 D, A, B, C, %d", table), "b32", "b32", "b32", "b32")
	}
	for _, m := range []string{"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"} {
		s.add("prmt.b32"+m+" D, A, B, C", "b32", "b32", "b32", "b32")
	}
	for _, m := range []string{"clamp", "wrap"} {
		s.add("bmsk."+m+".b32 D, A, B", "b32", "u32", "u32")
	}
	for _, t := range []string{"b16", "b32", "b64", "u16", "s32", "f32", "f64"} {
		s.add("selp."+t+" D, A, B, %pb", t, t, t)
		s.add("slct."+t+".s32 D, A, B, %rc", t, t, t)
		s.add("slct."+t+".f32 D, A, B, %fc", t, t, t)
	}
	for _, t := range []string{"u16", "s16"} {
		s.add("cvt.pack.sat."+t+".s32 D, A, B", "b32", "s32", "s32")
	}
	for _, t := range []string{"u8", "s8"} {
		s.add("cvt.pack.sat."+t+".s32.b32 D, A, B, C", "b32", "s32", "s32", "b32")
	}
	for _, space := range []string{"global", "shared", "local", "const"} {
		s.near(ownAddresses, "isspacep."+space+" D, A", "pred", "u64")
		s.near(ownAddresses, "cvta."+space+".u64 D, A", "u64", "u64")
		s.near(ownAddresses, "cvta.to."+space+".u64 D, A", "u64", "u64")
	}
}

// ownAddresses lets devices differ: where a state space lies among the generic addresses is each one's
// own. The forms of such an instruction are compared on one device.
func ownAddresses([3]uint64, uint64, uint64) bool { return true }

// countable is exact but for the count -2^31 of fns, whose magnitude no 32-bit integer has: PTX leaves it
// open, and hardware gives 0.
func countable(a [3]uint64, x, y uint64) bool { return x == y || uint32(a[2]) == 1<<31 }

var orderings = []string{"eq", "ne", "lt", "le", "gt", "ge"}

func (s *insns) comparisons() {
	floats := []string{"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}
	for _, r := range append(orderings, floats...) {
		for _, t := range []string{"f32", "f64", "f16", "bf16"} {
			s.add("setp."+r+"."+t+" D, A, B", "pred", t, t)
		}
		s.add("setp."+r+".ftz.f32 D, A, B", "pred", "f32", "f32")
		s.add("set."+r+".u32.f32 D, A, B", "u32", "f32", "f32")
		s.add("set."+r+".f16x2.f16x2 D, A, B", "f16x2", "f16x2", "f16x2")
		s.add("set."+r+".bf16x2.bf16x2 D, A, B", "bf16x2", "bf16x2", "bf16x2")
		s.add("set."+r+".u32.f16x2 D, A, B", "u32", "f16x2", "f16x2")
	}
	for _, r := range orderings {
		for _, t := range intTypes {
			s.add("setp."+r+"."+t+" D, A, B", "pred", t, t)
			s.add("setp."+r+".and."+t+" D, A, B, %pb", "pred", t, t)
		}
		s.add("set."+r+".f32.s32 D, A, B", "f32", "s32", "s32")
	}
	for _, r := range []string{"lo", "ls", "hi", "hs"} {
		for _, t := range []string{"u16", "u32", "u64"} {
			s.add("setp."+r+"."+t+" D, A, B", "pred", t, t)
		}
	}
	for _, r := range []string{"finite", "infinite", "number", "notanumber", "normal", "subnormal"} {
		for _, t := range []string{"f32", "f64"} {
			s.add("testp."+r+"."+t+" D, A", "pred", t)
		}
	}
}

func (s *insns) floats() {
	for _, t := range []string{"f32", "f64"} {
		for _, r := range []string{"rn", "rz", "rm", "rp"} {
			for _, m := range floatModifiers(t) {
				for _, op := range []string{"add", "sub", "mul"} {
					s.add(op+"."+r+m+"."+t+" D, A, B", t, t, t)
				}
				s.add("fma."+r+m+"."+t+" D, A, B, C", t, t, t, t)
				if !strings.Contains(m, "sat") {
					s.add("div."+r+m+"."+t+" D, A, B", t, t, t)
					s.add("rcp."+r+m+"."+t+" D, A", t, t)
					s.add("sqrt."+r+m+"."+t+" D, A", t, t)
				}
			}
		}
		for _, op := range []string{"min", "max"} {
			s.add(op+"."+t+" D, A, B", t, t, t)
		}
		s.add("copysign."+t+" D, A, B", t, t, t)
		s.add("abs."+t+" D, A", t, t)
		s.add("neg."+t+" D, A", t, t)
	}
	for _, op := range []string{"min", "max"} {
		for _, m := range []string{".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"} {
			s.add(op+m+".f32 D, A, B", "f32", "f32", "f32")
		}
	}
	s.add("abs.ftz.f32 D, A", "f32", "f32")
	s.add("neg.ftz.f32 D, A", "f32", "f32")
	for _, r := range []string{"rn", "rz", "rm", "rp"} {
		s.add("mad."+r+".f64 D, A, B, C", "f64", "f64", "f64", "f64")
	}
	s.approximations()
}

func floatModifiers(t string) []string {
	if t == "f64" {
		return []string{""}
	}
	return []string{"", ".ftz", ".sat", ".ftz.sat"}
}

func (s *insns) halves() {
	for _, t := range []string{"f16", "f16x2", "bf16", "bf16x2"} {
		mods := []string{""}
		if t[0] == 'f' {
			mods = []string{"", ".ftz", ".sat", ".ftz.sat"}
		}
		for _, m := range mods {
			for _, op := range []string{"add", "sub", "mul"} {
				if t[0] == 'f' {
					s.add(op+".rn"+m+"."+t+" D, A, B", t, t, t)
				}
			}
			s.add("fma.rn"+m+"."+t+" D, A, B, C", t, t, t, t)
		}
		s.add("fma.rn.relu."+t+" D, A, B, C", t, t, t, t)
		for _, op := range []string{"add", "sub", "mul"} {
			if t[0] == 'b' {
				s.add(op+".rn."+t+" D, A, B", t, t, t)
			}
		}
		for _, op := range []string{"min", "max"} {
			for _, m := range []string{"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"} {
				s.add(op+m+"."+t+" D, A, B", t, t, t)
			}
		}
		s.add("abs."+t+" D, A", t, t)
		s.add("neg."+t+" D, A", t, t)
	}
}

func (s *insns) conversions() {
	for _, from := range intTypes {
		for _, to := range intTypes {
			s.add("cvt."+to+"."+from+" D, A", to, from)
			if clips(to, from) {
				s.add("cvt.sat."+to+"."+from+" D, A", to, from)
			}
		}
		for _, to := range []string{"u8", "s8"} {
			s.add("cvt."+to+"."+from+" D, A", from, from)
			s.add("cvt.sat."+to+"."+from+" D, A", from, from)
		}
		for _, r := range []string{"rn", "rz", "rm", "rp"} {
			for _, to := range []string{"f16", "f32", "f64"} {
				s.add("cvt."+r+"."+to+"."+from+" D, A", to, from)
			}
		}
	}
	for _, from := range []string{"f16", "f32", "f64"} {
		for _, to := range intTypes {
			for _, r := range []string{"rni", "rzi", "rmi", "rpi"} {
				s.add("cvt."+r+"."+to+"."+from+" D, A", to, from)
				if from == "f32" {
					s.add("cvt."+r+".ftz."+to+".f32 D, A", to, from)
				}
			}
		}
		for _, r := range []string{"rni", "rzi", "rmi", "rpi"} {
			s.add("cvt."+r+"."+from+"."+from+" D, A", from, from)
		}
	}
	s.floatConversions()
}

// clips reports whether an integer type holds numbers that another one does not: only
// then may .sat be written.
func clips(to, from string) bool {
	if to[0] == from[0] {
		return width(to) < width(from)
	}
	return from[0] == 's' || width(to) <= width(from)
}

func (s *insns) floatConversions() {
	for _, r := range []string{"rn", "rz", "rm", "rp"} {
		s.add("cvt."+r+".f32.f64 D, A", "f32", "f64")
		s.add("cvt."+r+".ftz.f32.f64 D, A", "f32", "f64")
		s.add("cvt."+r+".sat.f32.f64 D, A", "f32", "f64")
		s.add("cvt."+r+".f16.f32 D, A", "f16", "f32")
		s.add("cvt."+r+".f16.f64 D, A", "f16", "f64")
	}
	s.add("cvt.f64.f32 D, A", "f64", "f32")
	s.add("cvt.ftz.f64.f32 D, A", "f64", "f32")
	s.add("cvt.f32.f16 D, A", "f32", "f16")
	s.add("cvt.f64.f16 D, A", "f64", "f16")
	s.add("cvt.f32.bf16 D, A", "f32", "bf16")
	s.add("cvt.sat.f32.f32 D, A", "f32", "f32")
	for _, t := range []string{"f16", "bf16"} {
		for _, r := range []string{"rn", "rz"} {
			for _, m := range []string{"", ".relu"} {
				s.add("cvt."+r+m+"."+t+".f32 D, A", t, "f32")
				s.add("cvt."+r+m+"."+t+"x2.f32 D, A, B", "b32", "f32", "f32")
			}
		}
	}
	for _, t := range []string{"e4m3x2", "e5m2x2"} {
		s.add("cvt.rn.satfinite."+t+".f32 D, A, B", "b16", "f32", "f32")
		s.add("cvt.rn.satfinite.relu."+t+".f32 D, A, B", "b16", "f32", "f32")
		s.add("cvt.rn.satfinite."+t+".f16x2 D, A", "b16", "f16x2")
		s.add("cvt.rn.f16x2."+t+" D, A", "f16x2", "b16")
	}
	for _, m := range []string{"rna", "rn", "rz"} {
		s.add("cvt."+m+".tf32.f32 D, A", "b32", "f32")
	}
}

// approximations have the bounds of PTX's documentation.
func (s *insns) approximations() {
	for _, m := range []string{"", ".ftz"} {
		s.near(relative32(0x1p-22), "div.full"+m+".f32 D, A, B", "f32", "f32", "f32")
		s.near(relative32(0x1p-22), "div.approx"+m+".f32 D, A, B", "f32", "f32", "f32")
		s.near(relative32(0x1p-23), "rcp.approx"+m+".f32 D, A", "f32", "f32")
		s.near(relative32(0x1p-23), "sqrt.approx"+m+".f32 D, A", "f32", "f32")
		s.near(relative32(0x1p-22), "rsqrt.approx"+m+".f32 D, A", "f32", "f32")
		s.near(relative32(0x1p-21), "ex2.approx"+m+".f32 D, A", "f32", "f32")
		s.near(logarithm, "lg2.approx"+m+".f32 D, A", "f32", "f32")
		s.near(waves, "sin.approx"+m+".f32 D, A", "f32", "f32")
		s.near(waves, "cos.approx"+m+".f32 D, A", "f32", "f32")
	}
	s.near(relative32(0x1p-10), "tanh.approx.f32 D, A", "f32", "f32")
}

func float(x uint64) float64 { return float64(math.Float32frombits(uint32(x))) }

// alike reports whether two numbers are the same, both NaN, or within a bound. Subnormal
// results of approximate instructions may be zero.
func alike(x, y, bound float64) bool {
	return x == y || x != x && y != y || math.Abs(x-y) <= bound || math.Abs(x) < 0x1.00001p-126 && math.Abs(y) < 0x1.00001p-126
}

// extended is a single-precision number as if the exponents went on above the greatest: what rounds to an infinity is at
// least 2^128, and one device may round so what another, within the bound, does not.
func extended(x uint64) float64 {
	f := float(x)
	if math.IsInf(f, 0) {
		return math.Copysign(0x1p128, f)
	}
	return f
}

func relative32(bound float64) func([3]uint64, uint64, uint64) bool {
	return func(_ [3]uint64, x, y uint64) bool {
		return alike(extended(x), extended(y), 2*bound*math.Abs(extended(x)))
	}
}

func logarithm(_ [3]uint64, x, y uint64) bool {
	return alike(float(x), float(y), math.Max(0x1p-21, 0x1p-21*math.Abs(float(x))))
}

// waves are bounded in [-pi, pi] alone.
func waves(a [3]uint64, x, y uint64) bool {
	return math.Abs(float(a[0])) > math.Pi || alike(float(x), float(y), 0x1p-20)
}

// allInsns gives every instruction in a fixed order.
func allInsns() []insn {
	s := &insns{}
	s.integers()
	s.bits()
	s.comparisons()
	s.floats()
	s.halves()
	s.conversions()
	return s.list
}

// insnModule is a text with a kernel k0, k1, ... for each instruction.
func insnModule(list []insn) string {
	var b strings.Builder
	b.WriteString(".version 8.6\n.target sm_90\n.address_size 64\n")
	for i, n := range list {
		fmt.Fprintf(&b, `.visible .entry k%d(.param .u64 in, .param .u64 out)
{
	.reg .pred %%p, %%pa, %%pb, %%pc;
	.reg .b16 %%h, %%ha, %%hb, %%hc;
	.reg .b32 %%r, %%ra, %%rb, %%rc, %%lane, %%cta, %%n;
	.reg .b64 %%d, %%a, %%b, %%c, %%in, %%out, %%off, %%res;
	.reg .f32 %%f, %%fa, %%fb, %%fc;
	.reg .f64 %%g, %%da, %%db, %%dc;
	ld.param.u64 %%in, [in];
	ld.param.u64 %%out, [out];
	mov.u32 %%lane, %%tid.x;
	mov.u32 %%cta, %%ctaid.x;
	mov.u32 %%n, %%ntid.x;
	mad.lo.u32 %%lane, %%cta, %%n, %%lane;
	mul.wide.u32 %%off, %%lane, 24;
	add.u64 %%in, %%in, %%off;
	mul.wide.u32 %%off, %%lane, 8;
	add.u64 %%out, %%out, %%off;
	ld.global.u64 %%a, [%%in];
	ld.global.u64 %%b, [%%in+8];
	ld.global.u64 %%c, [%%in+16];
	cvt.u32.u64 %%ra, %%a;
	cvt.u32.u64 %%rb, %%b;
	cvt.u32.u64 %%rc, %%c;
	cvt.u16.u64 %%ha, %%a;
	cvt.u16.u64 %%hb, %%b;
	cvt.u16.u64 %%hc, %%c;
	mov.b32 %%fa, %%ra;
	mov.b32 %%fb, %%rb;
	mov.b32 %%fc, %%rc;
	mov.b64 %%da, %%a;
	mov.b64 %%db, %%b;
	mov.b64 %%dc, %%c;
	setp.lt.u64 %%pa, %%a, %%b;
	setp.lt.u64 %%pb, %%b, %%c;
	%s
	%s
	st.global.u64 [%%out], %%res;
	ret;
}
`, i, n.body(), isaStores[registerName(n.dest, 0)[1:]])
	}
	return b.String()
}
