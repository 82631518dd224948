package vm

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// machine is a memory with one program, for tests.
type machine struct {
	t       testing.TB
	mem     *Memory
	program *Program
	gpu     driver.Module // of the same text, where tests run on a GPU (gpu_test.go)
}

// variant is the suffix of the texts that the kernel tests run: the optimised ones
// unless TestVariants says otherwise.
var variant string

// load parses and compiles a kept text of cuda/ptx.
func load(t testing.TB, name string, o Options) *machine {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "testdata", "kernels", name+variant+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return onBoth(loadText(t, name, string(src), o), src)
}

func loadText(t testing.TB, name, src string, o Options) *machine {
	t.Helper()
	m, err := ptx.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	mem := NewMemory(1 << 32)
	p, err := Load(m, mem, o)
	if err != nil {
		t.Fatal(err)
	}
	return &machine{t: t, mem: mem, program: p}
}

// upload copies a slice to a fresh buffer and gives its address.
func upload[T any](m *machine, v []T) uint64 {
	m.t.Helper()
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
	a := m.alloc(uint64(len(raw)))
	m.write(a, raw)
	return a
}

func (m *machine) write(addr uint64, raw []byte) {
	m.t.Helper()
	var err error
	if m.gpu != nil {
		err = gpu.ctx.CopyHtoD(driver.DevicePtr(addr), raw)
	} else {
		err = m.mem.Write(addr, raw)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) alloc(n uint64) uint64 {
	m.t.Helper()
	if m.gpu != nil {
		return gpu.alloc(m.t, n)
	}
	a, err := m.mem.Alloc(n, "buffer")
	if err != nil {
		m.t.Fatal(err)
	}
	return a.Base
}

func (m *machine) global(name string) (addr, size uint64) {
	m.t.Helper()
	if m.gpu != nil {
		p, n, err := m.gpu.Global(name)
		if err != nil {
			m.t.Fatal(err)
		}
		return uint64(p), n
	}
	addr, size, ok := m.program.Global(name)
	if !ok {
		m.t.Fatalf("no variable %s", name)
	}
	return addr, size
}

func download[T any](m *machine, addr uint64, n int) []T {
	m.t.Helper()
	v := make([]T, n)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), n*int(unsafe.Sizeof(v[0])))
	var err error
	if m.gpu != nil {
		err = gpu.ctx.CopyDtoH(raw, driver.DevicePtr(addr))
	} else {
		err = m.mem.Read(raw, addr)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	gpu.tape.take(m, raw)
	return v
}

// pack lays arguments out as the kernel's parameters say.
func pack(t testing.TB, k *Kernel, args ...any) []byte {
	t.Helper()
	if len(args) != len(k.Func.Params) {
		t.Fatalf("%s takes %d arguments, not %d", k.Name, len(k.Func.Params), len(args))
	}
	buf := make([]byte, k.Func.ParamBytes)
	for i, a := range args {
		at := k.Func.Params[i].Offset
		switch v := a.(type) {
		case uint64:
			binary.LittleEndian.PutUint64(buf[at:], v)
		case int:
			binary.LittleEndian.PutUint32(buf[at:], uint32(v))
		case uint32:
			binary.LittleEndian.PutUint32(buf[at:], v)
		case float32:
			binary.LittleEndian.PutUint32(buf[at:], math.Float32bits(v))
		case float64:
			binary.LittleEndian.PutUint64(buf[at:], math.Float64bits(v))
		case []byte:
			copy(buf[at:], v)
		default:
			t.Fatalf("argument %d: a %T", i, a)
		}
	}
	return buf
}

func (m *machine) try(kernel string, grid, block uint32, args ...any) (*Report, error) {
	return m.tryWith(kernel, Launch{Grid: Dim3{X: grid, Y: 1, Z: 1}, Block: Dim3{X: block, Y: 1, Z: 1}}, args...)
}

func (m *machine) tryWith(kernel string, l Launch, args ...any) (*Report, error) {
	m.t.Helper()
	k, ok := m.program.Kernel(kernel)
	if !ok {
		m.t.Fatalf("no kernel %s", kernel)
	}
	l.Params = pack(m.t, k, args...)
	if m.gpu != nil {
		return nil, gpu.launch(m, kernel, l)
	}
	return k.Launch(context.Background(), l)
}

func (m *machine) run(kernel string, grid, block uint32, args ...any) *Report {
	m.t.Helper()
	r, err := m.try(kernel, grid, block, args...)
	if err != nil {
		m.t.Fatalf("%s: %v", kernel, err)
	}
	return r
}

func modes(t *testing.T, f func(t *testing.T, o Options)) {
	t.Run("checked", func(t *testing.T) { f(t, Checked()) })
	t.Run("unchecked", func(t *testing.T) { f(t, Options{}) })
	t.Run("general", func(t *testing.T) { f(t, Options{general: true}) })
}

func TestVectorAdd(t *testing.T) {
	modes(t, func(t *testing.T, o Options) {
		m := load(t, "basics", o)
		const n = 1000
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = float32(i), float32(i)*0.5
		}
		pc := m.alloc(4 * n)
		m.run("vadd", 4, 256, upload(m, a), upload(m, b), pc, n)
		for i, v := range download[float32](m, pc, n) {
			if v != a[i]+b[i] {
				t.Fatalf("c[%d] = %v, want %v", i, v, a[i]+b[i])
			}
		}
	})
}

func TestSaxpy(t *testing.T) {
	modes(t, func(t *testing.T, o Options) {
		m := load(t, "basics", o)
		const n = 777
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(i)/3, 1/float32(i+1)
		}
		py := upload(m, y)
		m.run("saxpy", 7, 128, n, float32(2.5), upload(m, x), py)
		for i, v := range download[float32](m, py, n) {
			if want := float32(math.FMA(2.5, float64(x[i]), float64(y[i]))); v != want {
				t.Fatalf("y[%d] = %v, want %v", i, v, want)
			}
		}
	})
}

func TestReduce(t *testing.T) {
	modes(t, func(t *testing.T, o Options) {
		m := load(t, "basics", o)
		const n = 1000
		x := make([]float32, n)
		var want [4]float32
		for i := range x {
			x[i] = float32(i % 17)
			want[i/256] += x[i]
		}
		out := m.alloc(16)
		m.run("reduce", 4, 256, upload(m, x), out, n)
		for i, v := range download[float32](m, out, 4) {
			if v != want[i] {
				t.Errorf("out[%d] = %v, want %v", i, v, want[i])
			}
		}
	})
}

func TestHistogram(t *testing.T) {
	modes(t, func(t *testing.T, o Options) {
		m := load(t, "basics", o)
		const n = 10000
		in := make([]byte, n)
		var want [256]uint32
		for i := range in {
			in[i] = byte(i * i >> 3)
			want[in[i]]++
		}
		bins := upload(m, make([]uint32, 256))
		m.run("histogram", 5, 256, upload(m, in), bins, n)
		for i, v := range download[uint32](m, bins, 256) {
			if v != want[i] {
				t.Errorf("bins[%d] = %d, want %d", i, v, want[i])
			}
		}
	})
}

func lcgHost(x uint32, rounds int) uint32 {
	for i := range rounds {
		x = x*1664525 + 1013904223
		x ^= x >> 13
		x += x<<5 ^ uint32(i)
		x = x&0x00ffffff | x<<24
	}
	return x
}

func TestIntegerLoop(t *testing.T) {
	m := load(t, "basics", Checked())
	out := m.alloc(4 * 512)
	m.run("lcg", 2, 256, out, 100)
	for i, v := range download[uint32](m, out, 512) {
		if want := lcgHost(uint32(i), 100); v != want {
			t.Fatalf("out[%d] = %#x, want %#x", i, v, want)
		}
	}
}

func TestOutOfBoundsIsNamed(t *testing.T) {
	m := load(t, "basics", Checked())
	x := upload(m, make([]float32, 100))
	y := upload(m, make([]float32, 120))
	_, err := m.try("saxpy", 1, 128, 110, float32(1), x, y)
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v, want a fault", err)
	}
	if f.Kind != "out of bounds" || f.Offset != 400 || f.BufferSize != 400 || uint64(f.Buffer) != x || f.Line == 0 ||
		len(f.Lanes) != 10 || f.Access != driver.AccessRead || f.Lanes[0].X != 100 || f.Parameter != "saxpy_param_2" {
		t.Errorf("%+v", f)
	}
}

func TestUseAfterFree(t *testing.T) {
	m := load(t, "basics", Checked())
	x, y := upload(m, make([]float32, 64)), upload(m, make([]float32, 64))
	if err := m.mem.Free(x); err != nil {
		t.Fatal(err)
	}
	_, err := m.try("saxpy", 1, 64, 64, float32(1), x, y)
	var f *Fault
	if !errors.As(err, &f) || f.Kind != "use after free" || uint64(f.Buffer) != x || f.Parameter != "saxpy_param_2" {
		t.Errorf("%v, want a use after free", err)
	}
	var ae *AddressError
	if err := m.mem.Free(x); !errors.As(err, &ae) {
		t.Errorf("freeing twice: %v", err)
	}
	again, err := m.mem.Alloc(256, "buffer")
	if err != nil || again.Base == x {
		t.Errorf("an address is given out twice: %#x, %v", again.Base, err)
	}
}

// What the counters say of accesses whose shape is known.
func TestCounters(t *testing.T) {
	m := load(t, "basics", Options{Counters: true})
	x := upload(m, make([]float32, 256))
	r := m.run("saxpy", 1, 256, 256, float32(1), x, upload(m, make([]float32, 256)))
	c := r.Counters
	if c == nil || c.Instructions["fma.rn.f32"] != 256 || c.Instructions["ld.global.f32"] != 512 {
		t.Fatalf("%+v", c)
	}
	// 8 warps load x and y and store y, 128 bytes each: four sectors a request.
	if c.GlobalRequests != 24 || c.GlobalSectors != 96 || c.GlobalBytes != 3072 || c.Divergences != 0 {
		t.Errorf("%+v", c)
	}
	wide := loadText(t, "wide", `.version 8.0
.target sm_80
.address_size 64
.visible .entry copy4(.param .u64 from, .param .u64 to)
{
	.reg .u64 %rd<6>;
	.reg .u32 %r<6>;
	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 16;
	add.u64 %rd4, %rd1, %rd3;
	add.u64 %rd5, %rd2, %rd3;
	ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd4];
	st.global.v4.u32 [%rd5], {%r2, %r3, %r4, %r5};
	ret;
}
.visible .entry shared4()
{
	.reg .u32 %r<6>;
	.shared .align 16 .b8 tile[1024];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, tile;
	mad.lo.u32 %r3, %r1, 16, %r2;
	mad.lo.u32 %r4, %r1, 8, %r2;
	mad.lo.u32 %r5, %r1, 32, %r2;
	st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};
	bar.sync 0;
	st.shared.v2.u32 [%r4], {%r1, %r1};
	bar.sync 0;
	st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1};
	ret;
}
`, Options{Counters: true})
	r = wide.run("copy4", 1, 32, upload(wide, make([]float32, 128)), wide.alloc(512))
	// 16 bytes a lane: 512 bytes each way, 16 sectors a request.
	if c := r.Counters; c.GlobalRequests != 2 || c.GlobalSectors != 32 || c.GlobalBytes != 1024 {
		t.Errorf("%+v", c)
	}
	if r = wide.run("shared4", 1, 32); r.Counters.SharedRequests != 3 || r.Counters.BankConflicts != 4 {
		t.Errorf("%+v", r.Counters) // none, none, two rows of quarters that meet: 4 turns more
	}
	n := load(t, "numeric", Options{Counters: true})
	out := n.alloc(4 * 64 * 64)
	k, err := n.tryWith("transpose", Launch{Grid: Dim3{X: 2, Y: 2, Z: 1}, Block: Dim3{X: 32, Y: 8, Z: 1}}, upload(n, make([]float32, 64*64)), out, 64, 64)
	if err != nil {
		t.Fatal(err)
	}
	// The tile is padded to 33 columns: no bank conflicts.
	if k.Counters.SharedRequests == 0 || k.Counters.BankConflicts != 0 {
		t.Errorf("%+v", k.Counters)
	}
}

// The order of blocks can be shuffled, and does not matter to a right kernel.
func TestShuffledBlocks(t *testing.T) {
	m := load(t, "basics", Checked())
	out := m.alloc(4 * 1024)
	_, err := m.tryWith("lcg", Launch{Grid: Dim3{X: 16, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, Shuffle: 42}, out, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range download[uint32](m, out, 1024) {
		if v != lcgHost(uint32(i), 10) {
			t.Fatalf("out[%d] is wrong", i)
		}
	}
}

func TestLaunchRefuses(t *testing.T) {
	m := load(t, "basics", Checked())
	k, _ := m.program.Kernel("lcg")
	one := Dim3{X: 1, Y: 1, Z: 1}
	for _, l := range []Launch{
		{Grid: Dim3{}, Block: one, Params: make([]byte, 16)}, {Grid: one, Block: Dim3{X: 2048, Y: 1, Z: 1}, Params: make([]byte, 16)},
		{Grid: one, Block: one, Params: make([]byte, 4)}, {Grid: one, Block: one, Params: make([]byte, 16), SharedBytes: 1 << 20},
		{Grid: Dim3{X: 1, Y: 70000, Z: 1}, Block: one, Params: make([]byte, 16)},
	} {
		_, err := k.Launch(context.Background(), l)
		var le *LaunchError
		if !errors.As(err, &le) {
			t.Errorf("%+v: %v, want a refusal", l, err)
		}
	}
}

// A launch ends when its context does.
func TestLaunchIsCancelled(t *testing.T) {
	m := load(t, "basics", Checked())
	k, _ := m.program.Kernel("lcg")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := k.Launch(ctx, Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}, Params: pack(t, k, m.alloc(128), math.MaxInt32)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// Instructions that this device does not execute are named with their line.
func TestUnsupportedIsNamed(t *testing.T) {
	head := ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
	for _, c := range []struct{ body, want string }{
		{"cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%d1, {%r1, %r2, %r3}], [%r4];",
			"cp.async.bulk"}, {"frob.s32 %r1, %r2;", "frob.s32"}, {"ld.f16x2 %r1, [%d1];", "ld.f16x2"},
		{"tcgen05.fence::before_thread_sync;", "tcgen05"},
		{"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r1, %r1, %r1, %r1};", "mma.sync"},
		{"alloca.u64 %d1, %d2, 16;", "alloca.u64"}, {"vadd2.u32.u32.u32 %r1, %r2, %r3, %r4;", "vadd2"}, {"tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%r5, %r6}];", "tex"},
	} {
		m, err := ptx.Parse("t", head+c.body+"\nret;\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		_, err = Load(m, NewMemory(1<<20), Checked())
		var ue *UnsupportedError
		if !errors.As(err, &ue) || ue.Line != 8 || !strings.HasPrefix(ue.Instruction, c.want) {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}
