package drivertest

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

//go:embed kernels.ptx
var kernels []byte

//go:embed conditional.ptx
var conditional []byte

// KernelsPTX is the PTX text that the suite runs.
func KernelsPTX() []byte { return append([]byte(nil), kernels...) }

// A law is one row: what must be true and how it is tried.
type law struct {
	name, law string
	run       func(*fixture)
}

// Laws names every law with its sentence, in the order in which they run.
func Laws() map[string]string {
	all := map[string]string{}
	for _, g := range groups {
		for _, l := range g.laws {
			all[g.name+"/"+l.name] = l.law
		}
	}
	return all
}

var groups = []struct {
	name string
	laws []law
}{
	{"device", deviceLaws}, {"memory", memoryLaws}, {"module", moduleLaws}, {"launch", launchLaws},
	{"stream", streamLaws}, {"host", hostLaws},
	{"capture", captureLaws}, {"graph", graphLaws}, {"exec", execLaws}, {"fault", faultLaws},
}

// Run checks every law against device 0 of the driver that open gives. open is called again for
// laws about a driver that was not initialised.
func Run(t *testing.T, open func() driver.Driver) {
	RunLaws(t, open, func(string) bool { return true })
}

// RunLaws checks the laws whose names, as Laws spells them, are wanted. A driver that a fault
// leaves unusable for the rest of its process checks each law of the group "fault" in a process of
// its own.
func RunLaws(t *testing.T, open func() driver.Driver, wanted func(name string) bool) {
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, l := range g.laws {
				if wanted(g.name + "/" + l.name) {
					t.Run(l.name, func(t *testing.T) { runLaw(t, open, l) })
				}
			}
		})
	}
}

func runLaw(t *testing.T, open func() driver.Driver, l law) {
	f := &fixture{T: t, law: l.law, open: open}
	f.drv = open()
	f.must("Init", f.drv.Init())
	f.dev = get[driver.Device](f, "Device(0)")(f.drv.Device(0))
	f.ctx = get[driver.Context](f, "NewContext")(f.dev.NewContext())
	t.Cleanup(func() {
		if err := f.ctx.Release(); err != nil && !f.faulted {
			t.Errorf("Release: %v", err)
		}
	})
	l.run(f)
}

// A fixture is what a law works with. Everything made through it is given back when the law ends.
type fixture struct {
	*testing.T
	law     string
	open    func() driver.Driver
	drv     driver.Driver
	dev     driver.Device
	ctx     driver.Context
	mod     driver.Module
	faulted bool // the law leaves the context unusable on purpose
}

// broken reports the law with what was seen.
func (f *fixture) broken(format string, args ...any) {
	f.Helper()
	f.Errorf("law: %s", f.law)
	f.Errorf(format, args...)
}

// must stops the law where a step that has to work does not.
func (f *fixture) must(what string, err error) {
	f.Helper()
	if err != nil {
		f.Fatalf("law: %s\n%s: %v", f.law, what, err)
	}
}

// get gives the value of a step that has to work.
func get[T any](f *fixture, what string) func(T, error) T {
	return func(v T, err error) T {
		f.Helper()
		f.must(what, err)
		return v
	}
}

// wants checks for one of some codes.
func (f *fixture) wants(what string, err error, codes ...driver.Result) {
	f.Helper()
	for _, c := range codes {
		if errors.Is(err, c) {
			return
		}
	}
	f.broken("%s: %v, want %v", what, err, codes)
}

// needs skips the law where the driver's version lacks a function.
func (f *fixture) needs(err error) {
	f.Helper()
	if errors.Is(err, driver.ErrorNotSupported) {
		f.Skipf("not supported by this driver: %v", err)
	}
	f.must("a function of newer drivers", err)
}

func (f *fixture) release(what string, free func() error) {
	f.Cleanup(func() {
		if err := free(); err != nil && !f.faulted {
			f.Errorf("%s: %v", what, err)
		}
	})
}

func (f *fixture) alloc(n uint64) driver.DevicePtr {
	f.Helper()
	p := get[driver.DevicePtr](f, "Alloc")(f.ctx.Alloc(n))
	f.release("Free", func() error { return f.ctx.Free(p) })
	return p
}

func (f *fixture) stream() driver.Stream {
	f.Helper()
	s := get[driver.Stream](f, "CreateStream")(f.ctx.CreateStream(driver.StreamNonBlocking, 0))
	f.release("Stream.Destroy", s.Destroy)
	return s
}

func (f *fixture) event(flags driver.EventFlags) driver.Event {
	f.Helper()
	e := get[driver.Event](f, "CreateEvent")(f.ctx.CreateEvent(flags))
	f.release("Event.Destroy", e.Destroy)
	return e
}

func (f *fixture) graph() driver.Graph {
	f.Helper()
	g := get[driver.Graph](f, "CreateGraph")(f.ctx.CreateGraph())
	f.release("Graph.Destroy", g.Destroy)
	return g
}

func (f *fixture) instantiate(g driver.Graph) driver.GraphExec {
	f.Helper()
	e := get[driver.GraphExec](f, "Instantiate")(g.Instantiate())
	f.release("GraphExec.Destroy", e.Destroy)
	return e
}

func (f *fixture) load(image []byte) driver.Module {
	f.Helper()
	m, log, err := f.ctx.LoadModule(image, driver.JITOptions{})
	if err != nil {
		f.Fatalf("LoadModule: %v\n%s", err, log.Error)
	}
	f.release("Unload", m.Unload)
	return m
}

// kernel finds one of the suite's kernels.
func (f *fixture) kernel(name string) driver.Function {
	f.Helper()
	if f.mod == nil {
		f.mod = f.load(kernels)
	}
	return get[driver.Function](f, name)(f.mod.Function(name))
}

// launch enqueues a one-dimensional launch.
func (f *fixture) launch(k driver.Function, blocks, threads uint32, s driver.Stream, params []byte) {
	f.Helper()
	f.must(k.Name(), k.Launch(&driver.LaunchConfig{Grid: driver.Dim3{X: blocks, Y: 1, Z: 1},
		Block: driver.Dim3{X: threads, Y: 1, Z: 1}, Stream: s}, params))
}

// upload puts values on the device.
func upload[T uint32 | float32](f *fixture, values []T) driver.DevicePtr {
	f.Helper()
	p := f.alloc(uint64(4 * len(values)))
	f.must("CopyHtoD", f.ctx.CopyHtoD(p, encode(values)))
	return p
}

// download gets values back.
func download[T uint32 | float32](f *fixture, p driver.DevicePtr, n int) []T {
	f.Helper()
	raw := make([]byte, 4*n)
	f.must("CopyDtoH", f.ctx.CopyDtoH(raw, p))
	return decode[T](raw)
}

func encode[T uint32 | float32](values []T) []byte {
	raw, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return raw
}

func decode[T uint32 | float32](raw []byte) []T {
	values := make([]T, len(raw)/4)
	if _, err := binary.Decode(raw, binary.LittleEndian, values); err != nil {
		panic(err)
	}
	return values
}

// pack lays parameters out as PTX does: each at a multiple of its size.
func pack(values ...any) []byte {
	var b []byte
	for _, v := range values {
		if p, ok := v.(driver.DevicePtr); ok {
			v = uint64(p)
		}
		if x, ok := v.(float64); ok {
			v = math.Float64bits(x)
		}
		n := binary.Size(v)
		for len(b)%n != 0 {
			b = append(b, 0)
		}
		b, _ = binary.Append(b, binary.LittleEndian, v)
	}
	return b
}

// eventually waits for a condition that the device brings about.
func (f *fixture) eventually(what string, done func() bool) {
	f.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(deadline) {
			f.Fatalf("law: %s\n%s did not happen in 20 s", f.law, what)
		}
	}
}

// counting gives n values 0, 1, 2, ...
func counting(n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(i)
	}
	return v
}

// equal compares and reports the first difference.
func equal[T comparable](f *fixture, what string, got, want []T) {
	f.Helper()
	if len(got) != len(want) {
		f.broken("%s: %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			f.broken("%s: [%d] is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}
