package native

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func TestAbsentLibraryNamesWhatWasTried(t *testing.T) {
	_, err := openLibrary([]string{"libvyre-no-such.so.1", "/nonexistent/libcuda.so.1"})
	var absent *LibraryError
	if !errors.As(err, &absent) || len(absent.Attempts) != 2 {
		t.Fatalf("%T %v", err, err)
	}
	for _, want := range []string{"libvyre-no-such.so.1", "/nonexistent/libcuda.so.1", "What to do", "emulated"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if !errors.Is(err, driver.ErrorNoDevice) {
		t.Error("an absent library is a machine without a device")
	}
}

func TestOldDriverIsRefused(t *testing.T) {
	d, fake := openFake(t)
	fake.set(fakeVersion, 11040)
	err := d.Init()
	var old *DriverError
	if !errors.As(err, &old) || old.Have != 11040 || !errors.Is(err, driver.ErrorCallRequiresNewerDriver) {
		t.Fatalf("%T %v", err, err)
	}
	if _, err := d.DeviceCount(); !errors.Is(err, driver.ErrorNotInitialized) {
		t.Errorf("after a failed Init: %v", err)
	}
}

func TestAbsentSymbolSaysSinceWhen(t *testing.T) {
	ctx, _ := openContext(t)
	_, _, err := ctx.StreamPriorityRange()
	var absent *SymbolError
	if !errors.As(err, &absent) || absent.Symbol != "cuCtxGetStreamPriorityRange" || absent.Since != 5050 || absent.Driver != 13000 {
		t.Fatalf("%T %v", err, err)
	}
	if !errors.Is(err, driver.ErrorNotSupported) {
		t.Error("an absent function is not supported")
	}
}

func TestEverySymbolHasARow(t *testing.T) {
	seen := map[string]bool{}
	for s, row := range symbols {
		if row.name == "" || row.since < 2000 || row.since%10 != 0 || seen[row.name] {
			t.Errorf("symbol %d: %+v", s, row)
		}
		seen[row.name] = true
	}
}

func TestNoDevice(t *testing.T) {
	d, fake := openFake(t)
	fake.set(fakeDevices, 0)
	if err := d.Init(); !errors.Is(err, driver.ErrorNoDevice) {
		t.Fatal(err)
	}
}

func TestDeviceFacts(t *testing.T) {
	d, _ := openFake(t)
	if _, err := d.Device(0); !errors.Is(err, driver.ErrorNotInitialized) {
		t.Fatalf("before Init: %v", err)
	}
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Device(1); !errors.Is(err, driver.ErrorInvalidDevice) {
		t.Errorf("Device(1): %v", err)
	}
	if _, err := d.Device(1 << 40); !errors.Is(err, driver.ErrorInvalidDevice) {
		t.Errorf("Device(1<<40): %v", err)
	}
	dev, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	name, err1 := dev.Name()
	mem, err2 := dev.TotalMem()
	cc, err3 := dev.ComputeCapability()
	id, err4 := dev.UUID()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if name != "Fake GPU" || mem != 1<<37 || cc.SM() != "sm_90" || id[15] != 15 {
		t.Error(name, mem, cc, id)
	}
}

func TestMemoryRoundTrip(t *testing.T) {
	ctx, fake := openContext(t)
	p, err := ctx.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	in, out := []byte("sixteen bytes!!!"), make([]byte, 16)
	if err := errors.Join(ctx.CopyHtoD(p, in), ctx.CopyDtoH(out, p)); err != nil || !bytes.Equal(in, out) {
		t.Errorf("%q %v", out, err)
	}
	if err := errors.Join(ctx.MemsetD16(p, 0xA55A, 2), ctx.CopyDtoH(out[:4], p), ctx.Free(p)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out[:4], []byte{0x5A, 0xA5, 0x5A, 0xA5}) {
		t.Errorf("% x", out)
	}
	fake.set(fakeFailCall, 1)
	fake.set(fakeFailCode, 2)
	_, err = ctx.Alloc(1 << 50)
	if !errors.Is(err, driver.ErrorOutOfMemory) || !strings.Contains(err.Error(), "1125899906842624 bytes") {
		t.Error(err)
	}
}

func TestLoadErrorCarriesTheLog(t *testing.T) {
	ctx, _ := openContext(t)
	_, log, err := ctx.LoadModule([]byte("nonsense"), driver.JITOptions{})
	if !errors.Is(err, driver.ErrorInvalidPTX) || !strings.Contains(err.Error(), "no version") || !strings.Contains(log.Error, "no version") {
		t.Errorf("%v, log %+v", err, log)
	}
}

func loadKernel(t testing.TB, ctx driver.Context) driver.Function {
	t.Helper()
	m, _, err := ctx.LoadModule([]byte(".version 8.0"), driver.JITOptions{Verbose: true, MaxRegisters: 32})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Unload() })
	f, err := m.Function("k")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLookups(t *testing.T) {
	ctx, _ := openContext(t)
	f := loadKernel(t, ctx)
	params, err := f.Params()
	if err != nil || fmt.Sprint(params) != "[{0 8} {8 4}]" {
		t.Error(params, err)
	}
	m := f.Module()
	if _, err := m.Function("missing"); !errors.Is(err, driver.ErrorNotFound) || !strings.Contains(err.Error(), "missing") {
		t.Error(err)
	}
	if _, err := m.Function("k\x00"); !errors.Is(err, driver.ErrorNotFound) {
		t.Error(err)
	}
	if p, n, err := m.Global("g"); p != 64 || n != 12 || err != nil {
		t.Error(p, n, err)
	}
}

func TestLaunchPassesGeometryAndParameters(t *testing.T) {
	ctx, fake := openContext(t)
	f := loadKernel(t, ctx)
	s, err := ctx.CreateStream(driver.StreamNonBlocking, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Destroy()
	params := binary.LittleEndian.AppendUint64(nil, 0x1122334455667788)
	params = binary.LittleEndian.AppendUint32(params, 42)
	for _, cooperative := range []bool{false, true} {
		config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 2, Z: 3}, Block: driver.Dim3{X: 4, Y: 5, Z: 6}, SharedBytes: 7, Stream: s, Cooperative: cooperative}
		if err := f.Launch(config, params); err != nil {
			t.Fatal(err)
		}
		l := fake.last()
		if l.dims != [6]uint32{1, 2, 3, 4, 5, 6} || l.shared != 7 || l.stream != s.Handle() || (l.cooperative == 1) != cooperative {
			t.Errorf("%+v", l)
		}
		if !bytes.Equal(l.params[:l.size], params) {
			t.Errorf("% x", l.params[:l.size])
		}
	}
	config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}}
	if err := f.Launch(config, params); err != nil {
		t.Error(err)
	} else if l := fake.last(); l.stream != streamLegacy {
		t.Errorf("default stream: %+v", l)
	}
	if err := f.Launch(config, params[:11]); !errors.Is(err, driver.ErrorInvalidValue) || !strings.Contains(err.Error(), "takes 12 bytes of parameters, 11 were given") {
		t.Errorf("a short parameter block: %v", err)
	}
}

// Where the driver does not tell the layout, the block is passed as a whole.
func TestLaunchWithoutLayout(t *testing.T) {
	ctx, fake := openContext(t)
	fake.set(fakeFailCall, 3)
	fake.set(fakeFailCode, 801)
	f := loadKernel(t, ctx)
	params := []byte{1, 2, 3, 4, 5, 6, 7}
	for _, cooperative := range []bool{false, true} {
		config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}, Cooperative: cooperative}
		if err := f.Launch(config, params); err != nil {
			t.Fatal(err)
		}
		if l := fake.last(); !bytes.Equal(l.params[:l.size], params) {
			t.Errorf("% x", l.params[:l.size])
		}
	}
}

// Out parameters must not lie on a stack, which moves while C runs: nodes are made from deep and fresh
// goroutine stacks.
func TestKernelNodes(t *testing.T) {
	ctx, _ := openContext(t)
	f := loadKernel(t, ctx)
	g, err := ctx.CreateGraph()
	if err != nil {
		t.Fatal(err)
	}
	defer g.Destroy()
	params := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	p := driver.KernelNodeParams{Function: f, Grid: driver.Dim3{X: 2, Y: 1, Z: 1}, Block: driver.Dim3{X: 3, Y: 1, Z: 1}, SharedBytes: 4, Params: params}
	var wg sync.WaitGroup
	wg.Go(func() {
		var after []driver.GraphNode
		for i := range 3 {
			n, err := g.AddKernel(after, p)
			if err != nil || n != driver.GraphNode(0x40+i) {
				t.Errorf("node %d: %#x %v", i, n, err)
			}
			after = append([]driver.GraphNode{driver.GraphNode(0x40 + i)}, after...)
		}
	})
	wg.Wait()
	got, err := g.KernelParams(0x40)
	if err != nil || got.Function != f || got.Grid != p.Grid || got.Block != p.Block || got.SharedBytes != 4 || !bytes.Equal(got.Params, params) {
		t.Errorf("%+v %v", got, err)
	}
	p.Params = params[:4]
	if _, err := g.AddKernel(nil, p); !errors.Is(err, driver.ErrorInvalidValue) {
		t.Errorf("a short parameter block: %v", err)
	}
}

// A hot call on a thread that has no context is refused by the library and made again with it.
func TestHotCallBindsWhereRefused(t *testing.T) {
	ctx, fake := openContext(t)
	f := loadKernel(t, ctx)
	s, err := ctx.CreateStream(driver.StreamDefault, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Destroy()
	config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}, Stream: s}
	before := fake.last().count
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 50 {
				if err := f.Launch(config, make([]byte, 12)); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Microsecond)
			}
		})
	}
	wg.Wait()
	if fake.last().count == before {
		t.Error("nothing was launched")
	}
	fake.set(fakeFailCall, 2)
	fake.set(fakeFailCode, 700)
	if err := f.Launch(config, make([]byte, 12)); !errors.Is(err, driver.ErrorIllegalAddress) {
		t.Error(err)
	}
}

func TestNodeParametersOnAnyThread(t *testing.T) {
	ctx, fake := openContext(t)
	f := loadKernel(t, ctx)
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	p := driver.KernelNodeParams{Function: f, Grid: one, Block: one, Params: make([]byte, 12)}
	g, err := ctx.CreateGraph()
	if err != nil {
		t.Fatal(err)
	}
	defer g.Destroy()
	n, err := g.AddKernel(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	exec, err := g.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer exec.Destroy()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			runtime.LockOSThread() // and so a thread of its own, that ends with it
			p := p
			p.Params = bytes.Repeat([]byte{byte(i)}, 12)
			if err := exec.SetKernelParams(n, p); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p.Params = []byte("twelve bytes")
	if err := exec.SetKernelParams(n, p); err != nil || !bytes.Equal(fake.last().params[:12], p.Params) {
		t.Errorf("%q %v", fake.last().params[:12], err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = exec.SetKernelParams(n, p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	fake.set(fakeFailCall, 5)
	fake.set(fakeFailCode, int(driver.ErrorInvalidValue))
	if err := exec.SetKernelParams(n, p); !errors.Is(err, driver.ErrorInvalidValue) {
		t.Error(err)
	}
	fake.set(fakeFailCall, 0)
}

func TestDestroyedHandlesAreRefused(t *testing.T) {
	ctx, _ := openContext(t)
	s, err1 := ctx.CreateStream(0, 0)
	e, err2 := ctx.CreateEvent(0)
	h, err3 := ctx.AllocHost(64, 0)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	h.Bytes()[63] = 1
	if err := errors.Join(e.Record(s), e.Record(nil), s.Destroy(), e.Destroy(), h.Free()); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"stream twice": s.Destroy(), "event twice": e.Destroy(), "host memory twice": h.Free(),
		"stream": s.Synchronize(), "record": e.Record(nil), "default stream": ctx.DefaultStream().Destroy(),
	} {
		if !errors.Is(err, driver.ErrorInvalidHandle) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestContextLives(t *testing.T) {
	d, _ := openFake(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	dev, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	a, err1 := dev.NewContext()
	b, err2 := dev.NewContext()
	if err := errors.Join(err1, err2); err != nil || a != b {
		t.Fatal("two holds on one context", err)
	}
	if err := errors.Join(a.Release(), a.Synchronize(), b.Release()); err != nil {
		t.Fatal(err)
	}
	if err := a.Release(); !errors.Is(err, driver.ErrorInvalidContext) {
		t.Errorf("a third release: %v", err)
	}
	if err := a.Synchronize(); !errors.Is(err, driver.ErrorContextIsDestroyed) {
		t.Errorf("after the last release: %v", err)
	}
	c, err := dev.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Reset(), c.Reset()); err != nil {
		t.Errorf("resetting twice: %v", err)
	}
	if err := c.Synchronize(); !errors.Is(err, driver.ErrorContextIsDestroyed) {
		t.Errorf("after a reset: %v", err)
	}
}

func TestHostFunctionRunsOnceOnAForeignThread(t *testing.T) {
	ctx, _ := openContext(t)
	ran := make(chan int, 2)
	for i := range 2 {
		if err := ctx.DefaultStream().LaunchHost(func() { ran <- i }); err != nil {
			t.Fatal(err)
		}
	}
	sum := 0
	for range 2 {
		select {
		case i := <-ran:
			sum += i
		case <-time.After(5 * time.Second):
			t.Fatal("the host function did not run")
		}
	}
	if sum != 1 {
		t.Errorf("sum %d", sum)
	}
}

func TestHotCallsAllocateNothing(t *testing.T) {
	ctx, _ := openContext(t)
	f := loadKernel(t, ctx)
	s, err1 := ctx.CreateStream(0, 0)
	e, err2 := ctx.CreateEvent(0)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	defer s.Destroy()
	defer e.Destroy()
	params := make([]byte, 24)
	config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 32, Y: 1, Z: 1}, Stream: s}
	for name, fn := range map[string]func() error{
		"launch": func() error { return f.Launch(config, params) },
		"record": func() error { return e.Record(s) },
	} {
		if n := testing.AllocsPerRun(200, func() {
			if err := fn(); err != nil {
				t.Fatal(err)
			}
		}); n >= 1 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkLaunchCall(b *testing.B) {
	ctx, _ := openContext(b)
	f := loadKernel(b, ctx)
	s, err := ctx.CreateStream(0, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Destroy()
	config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 32, Y: 1, Z: 1}, Stream: s}
	params := make([]byte, 24)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Launch(config, params); err != nil {
			b.Fatal(err)
		}
	}
}
