package ptx

import (
	"slices"
	"strings"
	"testing"
)

// Every form of the table, with each of its types, is tried with operands of every kind in every
// place, and ptxas asked whether it takes them. One text holds all: ptxas tells each line that it
// refuses.

const formsHead = `.version 8.6
.target sm_90
.address_size 64
.global .align 16 .b8 gv[64];
.const .align 16 .b8 cv[64];
.func (.param .b32 o) gn(.param .b32 i)
{
	ret;
}
.func fn()
{
	ret;
}
.visible .entry k(.param .u64 pp)
{
	.reg .pred %p<4>; .reg .b8 %c<4>; .reg .b16 %h<4>; .reg .u16 %hu<4>; .reg .s16 %hs<4>; .reg .f16 %hf<4>;
	.reg .b32 %r<4>; .reg .u32 %ru<4>; .reg .s32 %rs<4>; .reg .f32 %f<4>; .reg .f16x2 %x<4>;
	.reg .b64 %d<4>; .reg .u64 %du<4>; .reg .s64 %ds<4>; .reg .f64 %g<4>; .reg .b128 %q<4>; .reg .v2 .b32 %v;
	.shared .align 16 .b8 tile[64]; .local .align 16 .b8 mine[64];
T:	.branchtargets L;
`

const formsTail = "\nL:\tret;\n}\n"

// candidates are the operands that are tried.
var candidates = []string{"%p1", "%c1", "%h1", "%hu1", "%hs1", "%hf1", "%r1", "%ru1", "%rs1", "%f1", "%x1",
	"%d1", "%du1", "%ds1", "%g1", "%q1",
	"7", "-7", "1.5", "0f3F800000", "0d3FF0000000000000", "0xffffffffffff", "(1+2)", "WARP_SZ", "tile", "gv",
	"fn", "%tid.x", "%clock64", "!%p1", "!%r1",
	"{%r1,%r2}", "{%h1,%h2}", "L", "%v.x", "[%du1]", "[tile]", "[gv]", "[mine]", "[pp]", "[%du1+8]", "[%r1]",
	"[%f1]", "%p1|%p2", "%r1|%p1"}

// canonical are operands that fit: by type, and by class.
var canonical = map[Type]string{Pred: "%p0", B8: "%c0", U8: "%h0", S8: "%h0", B16: "%h0", U16: "%hu0",
	S16: "%hs0", F16: "%h0", BF16: "%h0", B32: "%r0", U32: "%ru0", S32: "%rs0",
	F32: "%f0", F16x2: "%r0", BF16x2: "%r0", U16x2: "%r0", S16x2: "%r0", B64: "%d0", U64: "%du0", S64: "%ds0",
	F64: "%g0", B128: "%q0", TF32: "%r0"}

var canonicalClasses = map[string]string{"label": "L", "imm": "0", "address": "%d0", "preds": "%p0", "packed": "%r0",
	"targets": "T", "voters": "%p0", "byte": "%ru0", "barrier": "%ru0", "threads": "%ru0", "arriving": "%ru0",
	"sixteens": "%ru0", "policy": "%d0", "convertible": "%du0", "line": "128", "event": "1", "copied": "16", "f8": "%h0",
	"registers": "64", "groups": "1", "sign": "1", "transposed": "0", "factor": "%d0",
	"descriptor": "%d0", "scale": "%p0", "dimension": "1", "mode": "1", "map": "128"}

// fitting writes an operand for a slot of an instruction.
func fitting(in *Instruction, s *operandSlot) string {
	text := canonicalClasses[s.class]
	switch {
	case s.class == "at" || s.class == "shared" || s.class == "global":
		text = "[%d0]"
	case s.class == "mem" || s.class == "stored":
		text = "%r0"
		if types := in.Types(); len(types) > 0 {
			text = canonical[types[len(types)-1]]
		}
		if n := in.vector(); n > 1 {
			text = "{" + strings.TrimSuffix(strings.Repeat(text+",", n), ",") + "}"
		}
	case s.class == "sums":
		text = groupSums(in)
	case s.class == "tensor":
		text = "[%d0, {" + strings.TrimSuffix(strings.Repeat("%rs0, ", max(1, in.tensorRank())), ", ") + "}]"
	case s.class == "phase":
		text = "%du0"
		if in.Has("parity") {
			text = "%ru0"
		}
	case text == "":
		text = canonical[s.typeIn(in)]
	}
	if s.pair {
		text += "|%p3"
	}
	return text
}

// groupSums writes the sums of a wgmma.mma_async.
func groupSums(in *Instruction) string {
	n, _ := in.GroupShape()
	types := in.Types()
	if len(types) == 0 || n == 0 {
		return ""
	}
	if types[0] == F16 {
		n /= 2
	}
	name := map[Type]string{F16: "%r0, ", F32: "%f0, ", S32: "%rs0, "}[types[0]]
	return "{" + strings.TrimSuffix(strings.Repeat(name, n/2), ", ") + "}"
}

// spellings gives the mnemonics of a form: each of its types, with the first of the modifiers that
// must be there.
func (f *Form) spellings() [][]string {
	var mods []string
	for _, g := range f.groups {
		if !g.optional {
			mods = append(mods, g.mods[0])
		}
	}
	out := [][]string{mods}
	for _, list := range f.types {
		var longer [][]string
		for _, m := range out {
			for _, t := range list {
				longer = append(longer, append(slices.Clone(m), t.String()))
			}
		}
		out = longer
	}
	return out
}

// optional lists the modifiers that may be left out, but for those that change the number of
// operands.
func (f *Form) optional() (mods []string) {
	for _, g := range f.groups {
		for _, m := range g.mods {
			if vector := (&Instruction{Mods: []string{m}}).vector() > 1; !vector && m != "L2::cache_hint" &&
				(g.optional || m != g.mods[0]) {
				mods = append(mods, m)
			}
		}
	}
	return mods
}

// insert puts a modifier in its group's place.
func (f *Form) insert(m string, mods []string) []string {
	var out []string
	for _, g := range f.groups {
		switch {
		case slices.Contains(g.mods, m):
			out = append(out, m)
		case !g.optional:
			out = append(out, g.mods[0])
		}
	}
	return append(out, mods[len(mods)-len(f.types):]...)
}

// ofOneTarget reports whether a form is one of a single architecture or its family.
func (f *Form) ofOneTarget() bool {
	return slices.ContainsFunc(requirements[f.Name], func(r requirement) bool {
		return len(r.mods)+len(r.types) == 0 && r.targets&targetBit("90") == 0
	})
}

// formLines gives the instructions that are tried.
func formLines(f *Form) []string {
	var lines []string
	for _, mods := range f.spellings() {
		in := &Instruction{Op: f.Op, Mods: mods}
		fit := make([]string, 0, len(f.operands))
		for i := range f.operands {
			if !f.operands[i].optional {
				fit = append(fit, fitting(in, &f.operands[i]))
			}
		}
		if slices.Contains(fit, "") {
			continue // an operand of a class that has no canonical one
		}
		lines = append(lines, in.Mnemonic()+" "+strings.Join(fit, ", ")+";")
		for _, m := range f.optional() {
			with := &Instruction{Op: f.Op, Mods: f.insert(m, mods)}
			lines = append(lines, with.Mnemonic()+" "+strings.Join(fit, ", ")+";")
		}
		for i := range fit {
			for _, c := range candidates {
				with := slices.Clone(fit)
				with[i] = c
				lines = append(lines, in.Mnemonic()+" "+strings.Join(with, ", ")+";")
			}
		}
	}
	return lines
}

// ours gives the error of a text with one line, or "".
func ours(head, line, tail string) string {
	m, err := Parse("t", head+line+tail)
	if err != nil {
		return err.Error()
	}
	for _, f := range m.Functions {
		for i := range f.Code {
			if _, err := Match(&f.Code[i]); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// What ptxas takes is taken and what it refuses is refused, for each form with operands of every
// kind (P13); the differences are those in testdata/ptxas-differences.txt, which has the reasons.
func TestOperandsAsPtxas(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	known := differences(t)
	for _, f := range Forms() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			lines, arch, head := formLines(f), "sm_90", formsHead
			if f.ofOneTarget() {
				arch, head = "sm_90a", requirementHead("90a", "8.6")
			}
			verdicts := judge(t, ptxas, arch, head, lines, formsTail)
			if unknown := compare(t, ptxas, known, arch, head, lines, verdicts); len(unknown) > 0 {
				t.Errorf("%d of %d cases are decided otherwise:\n%s", len(unknown), len(lines), strings.Join(unknown, "\n"))
			}
		})
	}
}
