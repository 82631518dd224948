package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Every second form of an instruction is compared with the general one, bit for bit: what is compiled and executed
// otherwise for constants, for lanes that are a range or all, for consecutive addresses, once for all blocks,
// with checks and without.

// A trial is a text that leaves a result in a lane's register.
type trial struct {
	insn
	ways []string
}

// masks are the lanes that execute an instruction: all, some by their data, a range, or those of a branch.
var masks = []string{"%s", "@%%pa %s", "@!%%range %s", "@%%range %s", "@%%every %s", "@!%%every %s",
	"@%%pb bra $skip;\n\t%s\n$skip:"}

// under puts a mask around the instructions of a text; labels are made of the number.
func under(mask, text string, n int) string {
	if guard, _, ok := strings.Cut(mask, " %s"); ok && !strings.Contains(mask, "bra") {
		guard = strings.ReplaceAll(guard, "%%", "%")
		return guard + " " + strings.ReplaceAll(text, ";\n\t", ";\n\t"+guard+" ")
	}
	return strings.ReplaceAll(fmt.Sprintf(mask, text), "$skip", fmt.Sprintf("$skip%d", n))
}

// trialOf gives the ways to write an instruction: on registers, with constants in each place, and as what is
// the same for all blocks.
func trialOf(n insn, whole bool) trial {
	list := []string{strings.TrimSpace(n.body())}
	for position, typ := range n.src {
		for _, literal := range literals(typ) {
			f := forms{n, position, literal, whole}
			if f.parses() {
				list = append(list, f.with(registerName(n.dest, 0), f.sources(false)))
			}
		}
	}
	t := trial{insn: n}
	clear := fmt.Sprintf(clearing(registerName(n.dest, 0)), registerName(n.dest, 0)) + " "
	for i, text := range list {
		for k, mask := range masks {
			if k == 0 || !whole && (i == 0 || i%len(masks) == k) {
				t.ways = append(t.ways, clear+under(mask, text, len(t.ways)))
			}
		}
	}
	if !whole && len(n.src) > 0 && len(literals(n.src[0])) > 0 {
		if f := (forms{n, 0, literals(n.src[0])[1], false}); f.parses() {
			t.ways = append(t.ways, f.once()[0])
		}
	}
	return t
}

// parses reports whether the constant may stand where it does.
func (f forms) parses() bool {
	registers, _, _ := strings.Cut(fmt.Sprintf(formsHead, 0), "ld.param")
	text := formsVersion + registers + f.with(registerName(f.n.dest, 0), f.sources(false)) + "ret;\n}\n"
	_, err := ptx.Parse("form", text)
	return err == nil
}

// kernel stores what each way leaves.
func (t trial) kernel(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, formsHead, i)
	b.WriteString("\t.reg .pred %range, %low, %every, %q; .reg .b128 %wide; setp.ge.u32 %low, %lane, 5; " +
		"setp.lt.and.u32 %range, %lane, 39, %low; setp.ge.u32 %every, %lane, 0;\n")
	store := isaStores[registerName(t.dest, 0)[1:]]
	for k, text := range t.ways {
		fmt.Fprintf(&b, "\t%s\n\t%s\n\tst.global.u64 [%%out+%d], %%res;\n", text, store, 8*formsLanes*k)
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

func (t trial) inputs() []uint64 {
	var in []uint64
	list := t.operands(formsLanes, 3)
	copy(list[formsLanes/2:], rareOperands[t.class()])
	for i, o := range list {
		in = append(in, o[0], o[1], o[2], 0, uint64(i))
	}
	return in
}

// rareOperands choose ways that random ones seldom do: results that round up to the least normal number, divisors
// whose reciprocal is subnormal, infinities where finite numbers are asked for, subnormal bytes.
var rareOperands = map[string][][3]uint64{
	"f32": {{0x3f7fffff, 0x00800000, 0x80000000}, {0x33800002, 0x80800000, 0x00800000}, {0x40000000, 0x7e800001, 1},
		{0x7f800000, 0xff800000, 0x7f800000}, {0x7f7fffff, 0x47ffffff, 0xff7fffff}, {0x3b000000, 0x37800000, 0xbb400000}},
	"f16x2": {{0x18001800, 0x98010001, 0x3c003c00}},
}

// formOptions are the ways to compile that are compared with the general one.
var formOptions = map[string]Options{"unchecked": {}, "checked": Checked()}

func TestSecondForms(t *testing.T) {
	for at, list := 0, allInsns(); at < len(list); at += insnsPerModule {
		t.Run(list[at].text, func(t *testing.T) {
			t.Parallel()
			compareGeneral(t, list[at:min(at+insnsPerModule, len(list))], false)
		})
	}
	t.Run("more", func(t *testing.T) { compareGeneral(t, moreForms(), false) })
	t.Run("lanes", func(t *testing.T) { compareGeneral(t, beyondLanes(), true) })
}

// moreForms are instructions whose second forms no operand chooses.
func moreForms() []insn {
	s := &insns{}
	for _, table := range slices.Sorted(maps.Keys(lop3Common)) {
		s.add(fmt.Sprintf("lop3.b32 D, A, B, C, %d", table), "b32", "b32", "b32", "b32")
	}
	s.add("mov.b32 D, {A, B}", "b32", "b16", "b16")
	s.add("mov.b64 D, {A, B}", "b64", "b32", "b32")
	s.add("mov.b64 D, {A, B, C, A}", "b64", "b16", "b16", "b16")
	for _, t := range []string{"b32", "b64"} {
		s.add("mov."+t+" {_, D}, A", map[string]string{"b32": "b16", "b64": "b32"}[t], t)
		s.add("mov."+t+" {D, _}, A", map[string]string{"b32": "b16", "b64": "b32"}[t], t)
	}
	s.add("mov.b64 {_, _, D, _}, A", "b16", "b64")
	s.add("mov.b128 %wide, {A, B};\n\tmov.b128 {_, D}, %wide", "b64", "b64", "b64")
	s.add("mov.b128 %wide, {A, B};\n\tcvt.u64.u64 D, %wide", "u64", "u64", "u64")
	s.add("cvt.u64.u64 %wide, A;\n\tmov.b128 {D, _}, %wide", "u64", "u64")
	s.add("mov.b128 %wide, -5;\n\tmov.b128 {_, D}, %wide", "b64")
	s.add("setp.lt.u32 D|%q, A, B;\n\tselp.b32 %r, 3, 5, %q", "pred", "u32", "u32")
	s.add("setp.lt.and.f16x2 D|%q, A, B, %pb;\n\tselp.b32 %r, 3, 5, %q", "pred", "f16x2", "f16x2")
	s.add("selp.b32 D, A, B, !%pb", "b32", "b32", "b32")
	for _, t := range []string{"f16", "f16x2"} {
		s.add("abs.ftz."+t+" D, A", t, t)
		s.add("ex2.approx."+t+" D, A", t, t)
	}
	for _, m := range []string{"", ".ftz", ".NaN"} {
		s.add("max"+m+".f32 D, A, B, C", "f32", "f32", "f32", "f32")
		s.add("min"+m+".f32 D, A, B, C", "f32", "f32", "f32", "f32")
	}
	for _, t := range []string{"f16x2", "bf16x2"} {
		s.add("cvt.rn.satfinite."+t+".f32 D, A, B", "b32", "f32", "f32")
		s.add("cvt.rn.relu.satfinite."+t+".f32 D, A, B", "b32", "f32", "f32")
	}
	s.add("cvt.rn.relu.tf32.f32 D, A", "b32", "f32")
	s.add("cvt.rna.satfinite.tf32.f32 D, A", "b32", "f32")
	s.add("rsqrt.approx.ftz.f64 D, A", "f64", "f64")
	s.add("div.approx.f32 D, A, B", "f32", "f32", "f32")
	s.add("cvt.rn.sat.f32.u32 D, A", "f32", "u32")
	s.add("set.lt.and.u32.s32 D, A, B, !%pb", "u32", "s32", "s32")
	s.add("set.lt.f16.f16 D, A, B", "f16", "f16", "f16")
	s.add("cvt.rna.tf32.f32 D, A", "b32", "f32")
	return s.list
}

func compareGeneral(t *testing.T, list []insn, whole bool) {
	text := strings.Builder{}
	text.WriteString(formsVersion)
	var trials []trial
	for i, n := range list {
		trials = append(trials, trialOf(n, whole))
		text.WriteString(trials[i].kernel(i))
	}
	results := func(o Options) (all [][]uint64) {
		m := loadText(t, "forms", text.String(), o)
		for i, x := range trials {
			in, out := upload(m, x.inputs()), m.alloc(uint64(8*formsLanes*len(x.ways)))
			m.run(fmt.Sprintf("k%d", i), 1, formsLanes, in, out)
			all = append(all, download[uint64](m, out, formsLanes*len(x.ways)))
		}
		return all
	}
	want := results(Options{general: true})
	for name, o := range formOptions {
		o.Synchronization = o.Synchronization && !whole // lanes that are not there are read
		for i, got := range results(o) {
			for k, way := range trials[i].ways {
				a, b := got[k*formsLanes:(k+1)*formsLanes], want[i][k*formsLanes:(k+1)*formsLanes]
				if !slices.Equal(a, b) {
					t.Errorf("%s, %s: %#x, in the general form %#x", way, name, a, b)
				}
			}
		}
	}
}
