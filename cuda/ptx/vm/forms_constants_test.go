package vm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// The ways in which an instruction may be compiled otherwise than for registers that
// differ from lane to lane: with constants, for a part of the lanes, into one of its
// sources, once for all blocks. Each gives what the plain way gives (P1).

// literals are constants as texts that may stand for an operand of a type; none where
// PTX takes no constant.
func literals(t string) []string {
	switch t {
	case "pred", "f16", "bf16", "f16x2", "bf16x2":
		return nil
	case "f32":
		return []string{"0f00000000", "0f80000000", "0f3F800000", "0f7F800000", "0fFFC12345", "0f00000001",
			"0f00800000", "0f4F000000",
			"1.5", "-2.25", "0.1", "1e-40", "1e40", "0d3FF8000000000000"}
	case "f64":
		return []string{"0d0000000000000000", "0d8000000000000000", "0d3FF0000000000000", "0d7FF0000000000000",
			"0d0000000000000001",
			"0f3FC00000", "-0.1", "1.5", "1e-320"}
	}
	return []string{"0", "1", "-1", "5", "7", "31", "32", "33", "63", "64", "255", "256", "259", "0x3210",
		"0x7651", "65535", "65539",
		"0x7fffffff", "0x80000000", "0xffffffff", "0x100000005",
		"0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff"}
}

// literalBits is what a register of the type holds after a literal was moved into it.
func literalBits(t *testing.T, literal, typ string) uint64 {
	t.Helper()
	digits := func(bits int) uint64 {
		v, err := strconv.ParseUint(literal[2:], 16, bits)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var x float64
	switch {
	case typ != "f32" && typ != "f64":
		if v, err := strconv.ParseUint(literal, 0, 64); err == nil {
			return v
		}
		v, err := strconv.ParseInt(literal, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return uint64(v)
	case strings.HasPrefix(literal, "0f") && typ == "f32":
		return digits(32)
	case strings.HasPrefix(literal, "0f"):
		x = float64(math.Float32frombits(uint32(digits(32))))
	case strings.HasPrefix(literal, "0d"):
		x = math.Float64frombits(digits(64))
	default:
		x, _ = strconv.ParseFloat(literal, 64)
	}
	if typ == "f32" {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// forms writes an instruction in several ways: texts[0] is the plain one, on registers.
// %k holds the constant, in registers of every type.
type forms struct {
	n        insn
	position int // of the source that is a constant
	literal  string
	whole    bool // all lanes take part
}

func (f forms) operand(i int) string { return registerName(f.n.src[i], i+1) }

// with puts the operands in place of the letters.
func (f forms) with(dest string, src []string) string {
	pairs := []string{"D", dest}
	for i, s := range src {
		pairs = append(pairs, string(rune('A'+i)), s)
	}
	op, rest, _ := strings.Cut(f.n.text, " ")
	return op + " " + strings.NewReplacer(pairs...).Replace(rest) + ";"
}

// constantRegister names the register that has the constant.
func constantRegister(t string) string {
	switch r := registerName(t, 1); {
	case t == "f32":
		return "%kf"
	case t == "f64":
		return "%kg"
	case r[1] == 'h':
		return "%kh"
	case r[1] == 'r':
		return "%kr"
	}
	return "%kd"
}

func (f forms) sources(register bool) []string {
	src := make([]string, len(f.n.src))
	for i := range src {
		src[i] = f.operand(i)
	}
	src[f.position] = f.literal
	if register {
		src[f.position] = constantRegister(f.n.src[f.position])
	}
	return src
}

// clearing gives a register a value, so that lanes that sit an instruction out agree.
func clearing(d string) string {
	return map[byte]string{'p': "setp.ne.u32 %s, %%lane, %%lane;", 'h': "mov.b16 %s, 0;", 'r': "mov.b32 %s, 0;",
		'd': "mov.b64 %s, 0;", 'a': "mov.b64 %s, 0;",
		'f': "mov.f32 %s, 0f00000000;", 'g': "mov.f64 %s, 0d0000000000000000;"}[d[1]]
}

// texts gives pairs: a way, and the plain way that it is compared with.
func (f forms) texts() [][2]string {
	d := registerName(f.n.dest, 0)
	clear := fmt.Sprintf(clearing(d), d) + " "
	plain, constant := f.with(d, f.sources(true)), f.with(d, f.sources(false))
	guard := func(text string) string { return clear + "@%pa " + strings.ReplaceAll(text, ";\n\t", ";\n\t@%pa ") }
	if f.whole {
		return [][2]string{{constant, plain}}
	}
	list := [][2]string{{constant, plain}, {guard(constant), guard(plain)}, f.once()}
	for i, t := range f.n.src { // into its own source
		same := constantRegister(t) == constantRegister(f.n.dest) && f.n.dest != "pred" && t != "pred"
		if i != f.position && same && !strings.Contains(f.n.text, ";") {
			src := f.sources(false)
			src[i] = d
			move := map[byte]string{'h': "b16", 'r': "b32", 'd': "b64", 'a': "b64", 'f': "f32", 'g': "f64"}[d[1]]
			list = append(list, [2]string{"mov." + move + " " + d + ", " + f.operand(i) + "; " + f.with(d, src), plain})
			break
		}
	}
	all, held := make([]string, len(f.n.src)), make([]string, len(f.n.src))
	for i, t := range f.n.src {
		if i != f.position && !slices.Contains(literals(t), f.literal) {
			return list
		}
		all[i], held[i] = f.literal, constantRegister(t)
	}
	return append(list, [2]string{f.with(d, all), f.with(d, held)})
}

// registerType is the type that a register of an operand is declared with.
func registerType(t string) string {
	switch r := constantRegister(t); {
	case t == "pred", t == "f32", t == "f64":
		return t
	case r == "%kh":
		return "b16"
	case r == "%kr":
		return "b32"
	}
	return "b64"
}

// fromLane makes a register of a type from the number of the lane.
var fromLane = map[string]string{"pred": "setp.gt.u32 %s, %s, 7;", "b16": "cvt.u16.u32 %s, %s;",
	"b32": "mov.b32 %s, %s;",
	"b64": "cvt.u64.u32 %s, %s;", "f32": "mov.b32 %s, %s;",
	"f64": "cvt.rn.f64.u32 %s, %s;"}

// once is the instruction as it is hoisted, from %tid.x into registers that are written once, and
// from a lane's number that was loaded.
func (f forms) once() [2]string {
	text := func(lane string, src []string) string {
		var b strings.Builder
		to := registerType(f.n.dest)
		fmt.Fprintf(&b, "{ .reg .b32 %%t; .reg .%s %%w; ", to)
		for i, t := range f.n.src {
			if i == f.position {
				continue
			}
			src[i] = fmt.Sprintf("%%s%d", i)
			fmt.Fprintf(&b, ".reg .%s %s; ", registerType(t), src[i])
		}
		fmt.Fprintf(&b, "mov.u32 %%t, %s; ", lane)
		for i, t := range f.n.src {
			if i != f.position {
				fmt.Fprintf(&b, fromLane[registerType(t)]+" ", src[i], "%t")
			}
		}
		fmt.Fprintf(&b, "%s mov.%s %s, %%w; }", f.with("%w", src), to, registerName(f.n.dest, 0))
		return b.String()
	}
	return [2]string{text("%tid.x", f.sources(false)), text("%nr", f.sources(true))}
}

const formsVersion = ".version 8.8\n.target sm_100\n.address_size 64\n"

const formsHead = `.visible .entry k%d(.param .u64 in, .param .u64 out)
{
	.reg .pred %%p, %%pa, %%pb, %%pc;
	.reg .b16 %%h, %%ha, %%hb, %%hc, %%kh;
	.reg .b32 %%r, %%ra, %%rb, %%rc, %%kr, %%lane, %%nr;
	.reg .b64 %%d, %%a, %%b, %%c, %%kd, %%in, %%out, %%off, %%res;
	.shared .align 16 .b8 tile[2048];
	.local .align 16 .b8 mine[16];
	.reg .b64 %%sh;
	.reg .f32 %%f, %%fa, %%fb, %%fc, %%kf;
	.reg .f64 %%g, %%da, %%db, %%dc, %%kg;
	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];
	mov.u32 %%lane, %%tid.x;
	mul.wide.u32 %%off, %%lane, 8; add.u64 %%out, %%out, %%off;
	mul.wide.u32 %%off, %%lane, 40; add.u64 %%in, %%in, %%off;
	ld.global.u64 %%a, [%%in]; ld.global.u64 %%b, [%%in+8]; ld.global.u64 %%c, [%%in+16]; ld.global.u64 %%kd, [%%in+24];
	ld.global.u32 %%nr, [%%in+32];
	cvt.u32.u64 %%ra, %%a; cvt.u32.u64 %%rb, %%b; cvt.u32.u64 %%rc, %%c; cvt.u32.u64 %%kr, %%kd;
	cvt.u16.u64 %%ha, %%a; cvt.u16.u64 %%hb, %%b; cvt.u16.u64 %%hc, %%c; cvt.u16.u64 %%kh, %%kd;
	mov.b32 %%fa, %%ra; mov.b32 %%fb, %%rb; mov.b32 %%fc, %%rc; mov.b32 %%kf, %%kr;
	mov.b64 %%da, %%a; mov.b64 %%db, %%b; mov.b64 %%dc, %%c; mov.b64 %%kg, %%kd;
	setp.lt.u64 %%pa, %%a, %%b; setp.lt.u64 %%pb, %%b, %%c;
	mov.u64 %%sh, tile; mul.wide.u32 %%off, %%lane, 16; add.u64 %%sh, %%sh, %%off;
	bar.sync 0;
`

// formsLanes is no whole number of the lanes that loops take at once.
const formsLanes = 61

// formsKernel stores what each text leaves.
func formsKernel(i int, f forms) string {
	var b strings.Builder
	fmt.Fprintf(&b, formsHead, i)
	store := isaStores[registerName(f.n.dest, 0)[1:]]
	for k, pair := range f.texts() {
		for side, text := range pair {
			fmt.Fprintf(&b, "\t%s\n\t%s\n\tst.global.u64 [%%out+%d], %%res;\n", text, store, 8*formsLanes*(2*k+side))
		}
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

func TestFormsOfInstructions(t *testing.T) {
	for at, list := 0, allInsns(); at < len(list); at += insnsPerModule {
		t.Run(list[at].text, func(t *testing.T) {
			t.Parallel()
			runForms(t, list[at:min(at+insnsPerModule, len(list))], false)
		})
	}
	runForms(t, beyondLanes(), true)
}

func runForms(t *testing.T, list []insn, whole bool) {
	var kernels []forms
	text := strings.Builder{}
	text.WriteString(formsVersion)
	for _, n := range list {
		for position, typ := range n.src {
			for _, literal := range literals(typ) {
				kernel := formsKernel(len(kernels), forms{n, position, literal, whole})
				if _, err := ptx.Parse("form", formsVersion+kernel); err != nil {
					continue // no constant may stand there, or not this one, as the tests of package ptx tell
				}
				text.WriteString(kernel)
				kernels = append(kernels, forms{n, position, literal, whole})
			}
		}
	}
	if len(kernels) == 0 {
		return
	}
	m := loadText(t, "forms", text.String(), Options{})
	out := m.alloc(8 * formsLanes * 2 * 5)
	for i, f := range kernels {
		in := upload(m, f.inputs(t))
		m.run(fmt.Sprintf("k%d", i), 1, formsLanes, in, out)
		f.compare(t, download[uint64](m, out, formsLanes*2*len(f.texts())))
		if err := m.mem.Free(in); err != nil {
			t.Fatal(err)
		}
	}
}

func (f forms) inputs(t *testing.T) []uint64 {
	k := literalBits(t, f.literal, f.n.src[f.position])
	var in []uint64
	for i, o := range f.n.operands(formsLanes, 3) {
		in = append(in, o[0], o[1], o[2], k, uint64(i))
	}
	return in
}

func (f forms) compare(t *testing.T, got []uint64) {
	t.Helper()
	for i, pair := range f.texts() {
		at := 2 * i * formsLanes
		if !slices.Equal(got[at:at+formsLanes], got[at+formsLanes:at+2*formsLanes]) {
			t.Errorf("%s differs from %s with %s", pair[0], pair[1], f.literal)
		}
	}
}

// beyondLanes are instructions whose result is not that of a lane's own registers: others'
// lanes and memory are in it, so that all lanes take part.
func beyondLanes() []insn {
	s := &insns{}
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		s.add("shfl.sync."+mode+".b32 D, A, B, C, -1", "b32", "b32", "b32", "b32")
	}
	s.add("lop3.or.b32 D|%p, A, B, C, 0x6a, %pb;\n\tselp.b32 D, D, 77, %p", "b32", "b32", "b32", "b32")
	for key := range reductions {
		t := key.typ.String()
		s.add("redux.sync."+key.op+"."+t+" D, A, -1", t, t)
	}
	for _, w := range []string{"32", "64"} {
		s.add("match.any.sync.b"+w+" D, A, -1", "b32", "b"+w)
		s.add("match.all.sync.b"+w+" D|%p, A, -1", "b32", "b"+w)
	}
	for _, t := range []string{"b16", "b32", "b64", "s32", "u64", "f32", "f64"} {
		s.add("st.shared."+t+" [%sh], A;\n\tld.shared."+t+" D, [%sh]", t, t)
		s.add("st.shared.v2."+t+" [%sh], {A, B};\n\tld.shared."+t+" D, [%sh+"+fmt.Sprint(width(t)/8)+"]", t, t, t)
		s.add("st.local."+t+" [mine], A;\n\tld.local."+t+" D, [mine]", t, t)
	}
	for op, types := range map[string]string{"add": "u32 s32 u64 f32 f64", "min": "u32 s32 u64 s64",
		"max": "u32 s32 u64 s64",
		"inc": "u32", "dec": "u32", "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64", "exch": "b32 b64"} {
		for _, t := range strings.Fields(types) {
			first := "st.shared.b64 [%sh], %a;\n\t"
			s.add(first+"atom.shared."+op+"."+t+" D, [%sh], B;\n\tld.shared."+t+" D, [%sh]", t, t, t)
			if op != "exch" {
				s.add(first+"red.shared."+op+"."+t+" [%sh], B;\n\tld.shared."+t+" D, [%sh]", t, t, t)
			}
		}
	}
	for _, t := range []string{"b16", "b32", "b64"} {
		s.add("st.shared.b64 [%sh], %a;\n\tatom.shared.cas."+t+" D, [%sh], B, C;\n\tld.shared."+t+" D, [%sh]", t, t, t, t)
	}
	return s.list
}

// without says which forms have no test of their ways here: they take no number that computes, or
// only one that is a constant in the text.
var without = strings.Fields(`
	prefetch prefetchu applypriority bra brx.idx call exit bar.arrive bar.red.popc bar.red.bool
	barrier.sync barrier.arrive barrier.red.popc barrier.red.bool bar.warp.sync membar fence vote.bool
	vote.ballot activemask elect nanosleep pmevent trap brkpt cp.async cp.async.commit cp.async.wait
	cp.async.waitall cp.bulk.load cp.bulk.store cp.bulk.commit cp.bulk.wait cp.async.arrive
	mbarrier.init mbarrier.inval mbarrier.tx mbarrier.arrive mbarrier.arrive.tx mbarrier.test_wait
	mbarrier.try_wait mbarrier.pending ldmatrix stmatrix movmatrix mma.f16.f32 mma.f16.f16 mma.tf32
	mma.int8 mma.f64 mma.f8 wmma.load wmma.store wmma.half wmma.mma fence.init fence.proxy
	mapa getctarank barrier.cluster.arrive barrier.cluster.wait st.async red.async cp.bulk.peer
	griddepcontrol ld.nc ldu isspacep.cluster atom.half red.half ex2.half tanh.half`)

// Every other form is tried above: a new row of the table has its ways compared, or is named here.
func TestFormsAreTried(t *testing.T) {
	tried := map[string]bool{}
	for at, list := 0, allInsns(); at < len(list); at += insnsPerModule {
		note(t, tried, insnModule(list[at:min(at+insnsPerModule, len(list))]))
	}
	for i, n := range beyondLanes() {
		note(t, tried, ".version 8.6\n.target sm_90\n.address_size 64\n"+formsKernel(i, forms{n, 0,
			literals(n.src[0])[0], true}))
	}
	for _, f := range ptx.Forms() {
		if tried[f.Name] == (slices.Contains(without, f.Name) || ranElsewhere(f.Name)) && builders[f.Op] != nil {
			t.Errorf("form %s: tried is %v, and it is listed as one that is not: %[2]v", f.Name, tried[f.Name])
		}
	}
}

func note(t *testing.T, tried map[string]bool, text string) {
	m, err := ptx.Parse("forms", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Functions {
		for i := range f.Code {
			form, err := ptx.Match(&f.Code[i])
			if err != nil {
				t.Fatal(err)
			}
			tried[form.Name] = true
		}
	}
}
