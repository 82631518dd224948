package ptx

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// text writes a module: declarations, functions and kernels with few names, so that many are
// declared twice or nowhere.
func (d draw) text() string {
	target, version := pickOf(d, []string{"80", "90", "75", "70", "100", "90a"}), pickOf(d, []string{"9.0",
		"8.8", "8.3", "8.0"})
	if v, _ := parseVersion(version); v.less(targetSince["sm_"+target]) {
		target = "80"
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".version %s\n.target sm_%s\n.address_size 64\n", version, target)
	for range 1 + d.IntN(2) {
		switch d.IntN(8) {
		case 0, 1, 2:
			b.WriteString(d.variable(pickOf(d, []string{"global", "global", "const", "shared", "global", "const",
				"shared", "local", "tex"}), true) + "\n")
		case 3:
			b.WriteString(pickOf(d, []string{".file 1 \"a.cu\"", ".file 2 \"b.cu\", 1, 2", ".pragma \"nounroll\";",
				".alias f, g;", ".alias g, f;",
				".visible .func f();", ".extern .func g();", ".weak .func f();", ".section .debug_str { .b8 1, 2 }",
				".entry k();", ".entry k;"}) + "\n")
		default:
			b.WriteString(d.function())
		}
	}
	b.WriteString(".visible .entry z(.param .u64 p)\n{\n" + d.body() + "\tret;\n}\n")
	return b.String()
}

func (d draw) name() string {
	return pickOf(d, []string{"a", "b", "c", "f", "g", "k", "p", "x1", "$y"})
}

var declaredTypes = strings.Fields("b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64 b32 u32 b64 f16x2 " +
	"b128 pred bf16 u16x2 tf32")

// variable writes a declaration of a space, at the scope of a module with its linkage.
func (d draw) variable(space string, module bool) string {
	s := ""
	if module && d.chance(30) {
		s = "." + pickOf(d, []string{"visible", "extern", "weak", "common"}) + " "
	}
	s += "." + space
	if d.chance(20) {
		s += " .align " + pickOf(d, []string{"1", "4", "8", "16", "128", "3", "0"})
	}
	if d.chance(8) {
		s += pickOf(d, []string{" .attribute(.managed)", " .attribute(.unified(1, 2))", " .attribute()"})
	}
	if d.chance(12) {
		s += " ." + pickOf(d, []string{"v2", "v4", "v8", "v3"})
	}
	s += " ." + pickOf(d, declaredTypes) + " " + d.name()
	for d.chance(30) {
		s += "[" + pickOf(d, []string{"4", "2", "", "0", "1+2", "-1", "0x10", "65537", "1.5", "WARP_SZ"}) + "]"
	}
	if d.chance(25) {
		s += " = " + d.initial()
	}
	if d.chance(8) {
		s += ", " + d.name()
	}
	if d.chance(2) {
		return s
	}
	return s + ";"
}

func (d draw) initial() string {
	switch d.IntN(5) {
	case 0:
		var list []string
		for range d.IntN(5) {
			list = append(list, d.initial())
		}
		return "{" + strings.Join(list, ", ") + "}"
	case 1:
		return pickOf(d, []string{"a", "b+4", "generic(a)", "generic(b)+8", "f", "k", "0xff(a)", "0xff00(a)", "a-4",
			"a+b", "&a", "z"})
	}
	return d.constant(pickOf(d, []Type{U32, F32}))
}

// params writes a list of parameters.
func (d draw) params() string {
	var list []string
	for range d.IntN(3) {
		v := strings.TrimSuffix(d.variable("param", false), ";")
		if d.chance(70) {
			v = pickOf(d, []string{".param .b32 ", ".param .u64 ", ".param .b64 ", ".param .align 8 .b8 ",
				".param .f32 ", ".param .u64 .ptr .global .align 8 ",
				".reg .b32 ", ".reg .f32 ", ".param .b16 "}) + d.name()
			if strings.Contains(v, ".b8") {
				v += "[8]"
			}
		}
		list = append(list, v)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (d draw) function() string {
	s := pickOf(d, []string{"", ".visible ", ".weak ", ".extern ", "", ".common "})
	if d.chance(50) {
		s += ".entry " + d.name() + d.params()
	} else {
		s += ".func "
		if d.chance(40) {
			s += pickOf(d, []string{"(.param .b32 r) ", "(.reg .b32 r) ", "() ", "(.param .f32 r, .param .f32 q) ",
				"(.param .align 8 .b8 r[16]) "})
		}
		s += d.name()
		if d.chance(80) {
			s += d.params()
		}
	}
	for d.chance(25) {
		s += " ." + pickOf(d, []string{"maxntid 128", "maxntid 16, 2, 0", "reqntid 32,2,2", "minnctapersm 2",
			"maxnreg 32", "noreturn", "pragma \"x\";",
			"reqnctapercluster 2", "explicitcluster", "maxclusterrank 4", "maxnctapersm 3", "maxntid", "unknown",
			"abi_preserve 8", "blocksareclusters"})
	}
	if d.chance(12) {
		return s + ";\n"
	}
	return s + "\n{\n" + d.body() + pickOf(d, []string{"\tret;\n", "\tret;\n", "\texit;\n", ""}) + "}\n"
}

// body writes declarations, labels, branches, calls and a few instructions.
func (d draw) body() string {
	s := "\t.reg .b32 %r<4>; .reg .pred %q; .reg .b64 %d<3>; .reg .f32 %f<3>;\n"
	for range d.IntN(3) {
		switch d.IntN(10) {
		case 0:
			s += "\t" + d.variable(pickOf(d, []string{"shared", "local", "param", "param", "global", "const"}), d.chance(10))
		case 1:
			s += "\t.reg " + pickOf(d, []string{"", "", ".v2 ", ".v4 "}) + "." + pickOf(d, declaredTypes) + " " +
				pickOf(d, []string{"%r1", "%s", "%r<8>", "%t<3>", "x1", "%f", "a", "%d7, %d8", "%u<0>"}) + ";"
		case 2:
			s += pickOf(d, []string{"L0", "L1", "a", "%r1", "f"}) + ":"
		case 3:
			s += "\t" + pickOf(d, []string{"bra L0;", "@%q bra L1;", "bra.uni L0;", "@!%q bra a;", "bra f;",
				"@%r1 bra L0;", "L2: .branchtargets L0, L1;",
				"brx.idx %r1, L2;", "P: .callprototype (.param .b32 _) _ (.param .b32 _);", "Q: .calltargets f, g;"})
		case 4:
			s += "\tcall " + pickOf(d, []string{"", "(%r1), ", "(b), ", "(_), "}) + d.name() + pickOf(d, []string{"",
				", (%r1)", ", (a)", ", (%d1)", ", (1, 2)",
				", ()", ", (%r1), P"}) + ";"
		case 5:
			s += pickOf(d, []string{"\t{", "\t}", "\t{ .reg .b32 %s; mov.u32 %s, 1; }", "\t{ .reg .b32 %r<4>; L0: }"})
		case 6:
			s += "\t" + pickOf(d, []string{".loc 1 2 3", ".loc 2 1 1", ".pragma \"nounroll\";", ".file 3 \"c.cu\"",
				".loc 1 2 3, function_name L0, inlined_at 1 1 1"})
		default:
			s += "\t" + pickOf(d, []string{"mov.u32 %r1, 5;", "ld.param.u64 %d1, [p];", "ld.param.b32 %r1, [a];",
				"st.param.b32 [b], %r1;", "mov.u64 %d1, a;", "mov.u64 %d2, f;",
				"ld.global.u32 %r2, [a];", "st.shared.u32 [b], %r1;", "add.s32 %r1, %r2, %s;", "cvta.global.u64 %d1, c;",
				"ld.const.u32 %r3, [c+4];", "st.local.f32 [x1], %f1;",
				"ld.param.u32 %r1, [r];", "st.param.b32 [r], %r1;", "add.f32 %f1, %f2, %f0", "mov.b32 %f1, %r1;", "ret;",
				"ld.shared.v2.u32 {%r1, %r2}, [b];"})
		}
		s += "\n"
	}
	return s
}

// sink has a little of everything that a module may have.
const sink = `.version 8.6
.target sm_90
.address_size 64
.file 1 "a.cu"
.pragma "nounroll";
.extern .func (.param .b32 r) far(.param .b64 x, .param .align 8 .b8 y[16]);
.extern .shared .align 16 .b8 dyn[];
.global .align 4 .b32 one = 0x10;
.const .v4 .f32 quad = {1.0, 0f3F800000, 0d3FF0000000000000, -2.0};
.global .u8 bytes[2][3] = {{1, 2}, {0xff(one), 0xff00(one)}};
.weak .global .attribute(.managed) .s32 m;
.shared .f64 tile[32];
.func (.param .b32 r) f(.param .b32 a)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [a];
	add.s32 %r2, %r1, WARP_SZ;
	st.param.b32 [r], %r2;
	ret;
}
.visible .global .align 8 .u64 table[2] = {generic(one)+4, f};
.visible .func g();
.func h() .noreturn
{
L:	bra.uni L;
}
.visible .entry k(.param .u64 .ptr .global .align 8 p, .param .b32 n, .param .align 4 .b8 s[12])
.maxntid 128, 2, 1
.minnctapersm 2
.maxnreg 64
{
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<5>; .reg .f32 %f<3>, %g; .reg .v2 .b32 %v;
	.local .align 8 .b8 mine[32];
	.shared .v2 .u32 both[4];
	.loc 1 3 7
	ld.param.u64 %d1, [p];
	ld.param.u32 %r1, [s+4];
	mov.b64 {%r2, %r3}, %d1;
	mov.b32 %v.x, %r1;
	setp.lt.and.s32 %p1|%p2, %r1, 5, !%p2;
	@%p1 bra DONE;
	{
		.param .b32 out; .param .b32 in;
		st.param.b32 [in], %r1;
		call.uni (out), f, (in);
		ld.param.b32 %r4, [out];
	}
	{
		.reg .b32 %r1;
		mov.u32 %r1, %tid.x;
	}
TS:	.branchtargets DONE, AGAIN;
P:	.callprototype (.param .b32 _) _ (.param .b32 _);
	mov.u64 %d2, f;
	call (%r5), %d2, (%r4), P;
	brx.idx %r1, TS;
AGAIN:
	mov.u64 %d3, mine;
	st.local.v2.b32 [%d3+8], {%r1, %r2};
	ld.local.v2.b32 {_, %r3}, [%d3];
	atom.global.add.u32 %r6, [one], (3*4+1);
	mad.lo.s32 %r7, %r1, -7, 0x1f;
	@!%p2 bra AGAIN;
DONE:	ret;
}
.visible .func g()
{
	ret;
}
`

// mutant changes a token or a line of a text, or two.
func (d draw) mutant(text string, words [][]string) string {
	for range 1 + d.IntN(5)/4 {
		tokens := tokensOf(text)
		if len(tokens) < 3 {
			return text
		}
		i := d.IntN(len(tokens) - 1)
		t, o := tokens[i], tokens[d.IntN(len(tokens))]
		word, other := text[t.pos:t.end], text[o.pos:o.end]
		switch d.IntN(8) {
		case 0:
			text = text[:t.pos] + text[t.end:]
		case 1:
			text = text[:t.end] + " " + word + text[t.end:]
		case 2:
			n := tokens[i+1]
			text = text[:t.pos] + text[n.pos:n.end] + text[t.end:n.pos] + word + text[n.end:]
		case 3:
			if o.kind == t.kind {
				text = text[:t.pos] + other + text[t.end:]
			}
		case 4, 5:
			text = text[:t.pos] + pickOf(d, words[t.kind]) + text[t.end:]
		default:
			lines := strings.SplitAfter(text, "\n")
			k := d.IntN(len(lines))
			if d.chance(50) {
				lines = slices.Delete(lines, k, k+1)
			} else {
				lines = slices.Insert(lines, k, lines[d.IntN(len(lines))])
			}
			text = strings.Join(lines, "")
		}
	}
	return text
}

func tokensOf(text string) (out []token) {
	s := scanner{src: text, line: 1}
	for t := s.next(); t.kind != tokEOF; t = s.next() {
		out = append(out, t)
	}
	return out
}

// wordsOf lists the tokens of texts by kind.
func wordsOf(texts []string) [][]string {
	words := make([][]string, tokBad+1)
	for _, text := range texts {
		for _, t := range tokensOf(text) {
			words[t.kind] = append(words[t.kind], text[t.pos:t.end])
		}
	}
	for i := range words {
		slices.Sort(words[i])
		words[i] = append(slices.Compact(words[i]), "")
	}
	return words
}

// smallTexts are what mutants are made of.
func smallTexts(t *testing.T) (out []string) {
	files, _ := filepath.Glob("testdata/isa/*.ptx")
	more, _ := filepath.Glob("testdata/*/*.ptx")
	for _, file := range append(files, more...) {
		if src, err := os.ReadFile(file); err == nil && len(src) < 8000 && !strings.Contains(string(src), "debug") {
			out = append(out, string(src))
		}
	}
	texts, taken, byPtxas := verdicts(t, "texts.txt")
	for i, text := range texts {
		if taken[i] && byPtxas[i] {
			out = append(out, text)
		}
	}
	if len(out) < 50 {
		t.Fatalf("%d texts", len(out))
	}
	return out
}
