package vm

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

var writeISA = flag.Bool("write", false, "write testdata/isa anew from the rows of this test")

// row is the test of one form: a body over operand registers and what each lane's
// result must be. Operands of lane i are a, b, c in 64 bits; %ra %rb %rc are their
// low halves, %ha.. 16 bits, %fa.. and %da.. the same bits as floats. The body
// leaves the result in the register that kind names.
type row struct {
	name string
	vals string // "int", "f32", "f64" or "f16": which operands
	kind string // register of the result: r, d, h, f, g (f64), p
	body string
	want func(l lane) uint64
}

type lane struct {
	i       int
	a, b, c uint64
	all     []lane
}

func (l lane) s32() (a, b, c int32)  { return int32(l.a), int32(l.b), int32(l.c) }
func (l lane) u32() (a, b, c uint32) { return uint32(l.a), uint32(l.b), uint32(l.c) }
func (l lane) f32() (a, b, c float32) {
	return math.Float32frombits(uint32(l.a)), math.Float32frombits(uint32(l.b)), math.Float32frombits(uint32(l.c))
}
func (l lane) f64() (a, b, c float64) {
	return math.Float64frombits(l.a), math.Float64frombits(l.b), math.Float64frombits(l.c)
}

func bits32(x float32) uint64 {
	if x != x {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(x))
}

const isaLanes = 32

// operands gives the lanes of a class; values come round at different strides, so
// that they meet each other.
func operands(class string) []lane {
	var v []uint64
	switch class {
	case "f32":
		for _, x := range []float32{0, float32(math.Copysign(0, -1)), 1, -1, 1.5, -2.25, 3.4e38, 1e-40, -1e-44, 0.1, 100.7, -7.5, 2.5, 65536, 1 << 31, float32(math.Inf(1)), float32(math.NaN())} {
			v = append(v, uint64(math.Float32bits(x)))
		}
	case "f64":
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -2.25, 1e308, 5e-324, -1e-310, 0.1, 100.7, -7.5, 2.5, 1 << 40, 1 << 63, math.Inf(-1), math.NaN()} {
			v = append(v, math.Float64bits(x))
		}
	case "h2": // four halves each
		for i := range uint64(41) {
			v = append(v, 0x3c004000_42003800+i%5<<10+i%3<<26|i%2<<15|i%7&1<<63)
		}
	case "f32pair":
		for i := range uint64(29) {
			v = append(v, 0x3f800000_40000000+i%5<<23+i%3<<55|i%2<<31)
		}
	case "f64small":
		for i := range 31 {
			v = append(v, math.Float64bits(float64(i-11)*0.5))
		}
	case "f8":
		codes := []uint64{0, 0x30, 0x38, 0xb8, 0x40, 0x44, 0xc8}
		for i := range 37 {
			x := uint64(0)
			for k := range 8 {
				x |= codes[(i*3+k*k)%len(codes)] << (8 * k)
			}
			v = append(v, x)
		}
	case "f16":
		v = []uint64{0x0000, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0xc080, 0x7bff, 0x0001, 0x8003, 0x2e66, 0x564b, 0xc780, 0x4100, 0x3555, 0x6400}
	default:
		v = []uint64{0, 1, 2, 3, 5, 7, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff,
			0x123456789abcdef0, 0x8000000000000000, 0xffffffffffffffff}
	}
	out := make([]lane, isaLanes)
	for i := range out {
		out[i] = lane{i: i, a: v[i%len(v)], b: v[(i*7+3)%len(v)], c: v[(i*5+1)%len(v)]}
	}
	for i := range out {
		out[i].all = out
	}
	return out
}

// stores take the result register to memory.
var isaStores = map[string]string{
	"r": "cvt.u64.u32 %res, %r;", "d": "mov.b64 %res, %d;", "h": "cvt.u64.u16 %res, %h;", "f": "mov.b32 %r, %f;\n\tcvt.u64.u32 %res, %r;",
	"g": "mov.b64 %res, %g;", "p": "selp.b64 %res, 1, 0, %p;",
}

func isaText(r row) string {
	target := isaTargets[r.name]
	if target == "" {
		target = "sm_75"
	}
	return "// Form " + r.name + ": one instruction over 32 lanes of operands.\n.version 8.6\n.target " + target + `
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.global .align 16 .b8 scratch[4096];
.func (.param .b32 r) twice(.param .b32 x)
{
	.reg .b32 %v;
	ld.param.b32 %v, [x];
	add.u32 %v, %v, %v;
	st.param.b32 [r], %v;
	ret;
}
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .pred %p, %q, %pa, %pb;
	.reg .b16 %h, %ha, %hb, %hc, %hd;
	.reg .b32 %r, %ra, %rb, %rc, %lane, %t<8>, %y<4>;
	.reg .b64 %d, %a, %b, %c, %in, %out, %off, %res, %w<8>;
	.reg .f32 %f, %fa, %fb, %fc, %x<8>;
	.reg .f64 %g, %da, %db, %dc;
	.shared .align 16 .b8 tile[1024];
	.local .align 16 .b8 mine[64];
	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	mov.u32 %lane, %tid.x;
	mul.wide.u32 %off, %lane, 24;
	add.u64 %in, %in, %off;
	mul.wide.u32 %off, %lane, 8;
	add.u64 %out, %out, %off;
	ld.global.u64 %a, [%in];
	ld.global.u64 %b, [%in+8];
	ld.global.u64 %c, [%in+16];
	cvt.u32.u64 %ra, %a;
	cvt.u32.u64 %rb, %b;
	cvt.u32.u64 %rc, %c;
	cvt.u16.u64 %ha, %a;
	cvt.u16.u64 %hb, %b;
	cvt.u16.u64 %hc, %c;
	mov.b32 %fa, %ra;
	mov.b32 %fb, %rb;
	mov.b32 %fc, %rc;
	mov.b64 %da, %a;
	mov.b64 %db, %b;
	mov.b64 %dc, %c;
	setp.lt.u64 %pa, %a, %b;
	setp.lt.u64 %pb, %b, %c;
	` + strings.ReplaceAll(r.body, "; ", ";\n\t") + "\n\t" + isaStores[r.kind] + "\n\tst.global.u64 [%out], %res;\n\tret;\n}\n"
}

// isaTargets are the architectures of forms that sm_75 does not have.
var isaTargets = func() map[string]string {
	m := map[string]string{}
	for target, names := range map[string]string{
		"sm_80": "applypriority cp.async.arrive cp.async.commit cp.async cp.async.wait cp.async.waitall cvt.pack2 cvt.tf32 max.float max.half mbarrier.arrive mbarrier.init mbarrier.inval mbarrier.pending mbarrier.test_wait min.half mma.f16.f32 mma.f64 mma.int8 mma.tf32 redux.bits redux.int",
		"sm_89": "cvt.bytes cvt.from.bytes cvt.pack.bytes mma.f8",
		"sm_90": "add.packed16 min.packed16 max.packed16 cp.bulk.load isspacep.cluster cp.bulk.store cp.bulk.commit cp.bulk.wait elect fence.init fence.proxy griddepcontrol mbarrier.arrive.tx mbarrier.try_wait mbarrier.tx stmatrix",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = target
		}
	}
	return m
}()

func isaPath(name string) string { return filepath.Join("..", "testdata", "isa", name+".ptx") }

// Every row of the instruction set that this device executes has a test, kept as
// PTX; every other row is refused by name.
func TestISA(t *testing.T) {
	tested := map[string]bool{}
	for _, r := range isaRows {
		tested[r.name] = true
		t.Run(r.name, func(t *testing.T) { runISA(t, r) })
	}
	for _, f := range ptx.Forms() {
		if !tested[f.Name] && !ranElsewhere(f.Name) && builders[f.Op] != nil {
			t.Errorf("form %s (%s, section %s) has no test", f.Name, f.Op, f.Section)
		}
	}
}

func runISA(t *testing.T, r row) {
	text := isaText(r)
	if *writeISA {
		if err := os.WriteFile(isaPath(r.name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(isaPath(r.name))
	if err != nil || string(kept) != text {
		t.Fatalf("%s is not this row's text (%v): go test -run ISA -write makes it anew", isaPath(r.name), err)
	}
	for _, o := range []Options{{}, {general: true}} {
		r.execute(t, onBoth(loadText(t, r.name, text, o), kept))
	}
}

func (r row) execute(t *testing.T, m *machine) {
	t.Helper()
	if !executes(m, r.name) {
		t.Errorf("the text of row %s has no instruction of that form", r.name)
	}
	lanes := operands(r.vals)
	var in []uint64
	for _, l := range lanes {
		in = append(in, l.a, l.b, l.c)
	}
	out := m.alloc(8 * isaLanes)
	l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: isaLanes, Y: 1, Z: 1}, SharedBytes: 1024,
		Cluster: isaClusters[r.name]}
	if _, err := m.tryWith("k", l, upload(m, in), out); err != nil {
		t.Fatal(err)
	}
	for i, got := range download[uint64](m, out, isaLanes) {
		if want := r.want(lanes[i]); got != want {
			t.Errorf("lane %d, a=%#x b=%#x c=%#x: %#x, want %#x", i, lanes[i].a, lanes[i].b, lanes[i].c, got, want)
			return
		}
	}
}

// executes reports whether an instruction of the form stands in the text.
func executes(m *machine, form string) bool {
	for _, f := range m.program.Module.Functions {
		for i := range f.Code {
			if got, err := ptx.Match(&f.Code[i]); err == nil && got.Name == form {
				return true
			}
		}
	}
	return false
}

func u(x int32) uint64 { return uint64(uint32(x)) }

func yes(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func h2(f func(a, b, c float64) float64) func(l lane) uint64 {
	return func(l lane) uint64 {
		v := f(num.F16.Decode(uint16(l.a)), num.F16.Decode(uint16(l.b)), num.F16.Decode(uint16(l.c)))
		return uint64(num.F16.Round(v, num.Nearest))
	}
}

// warpFold combines a value of all lanes.
func warpFold(l lane, f func(acc, x uint32) uint32) uint64 {
	acc := uint32(l.all[0].a)
	for _, o := range l.all[1:] {
		acc = f(acc, uint32(o.a))
	}
	return uint64(acc)
}

func ballot(l lane, f func(o lane) bool) uint64 {
	var m uint64
	for _, o := range l.all {
		m |= yes(f(o)) << o.i
	}
	return m
}
