package cuda

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty"
)

// A fault ends the device that it happened on, and no other: those that are open and those that are opened later work.
func TestAFaultLeavesOtherDevicesAlone(t *testing.T) { // U1
	a, err := Open("emulated")
	check(t, err)
	b, err := Open("emulated")
	check(t, err)
	onB := b.MustUpload([]uint32{7})
	check(t, a.Launch(a.MustLoadPTX(string(drivertest.KernelsPTX())).MustKernel("wild"), Grid(1), Block(1)))
	err = a.Synchronize()
	var fault *driver.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "this device is lost, and no other") {
		t.Errorf("the fault: %v", err)
	}
	c, err := Open("emulated")
	check(t, err)
	for _, d := range []*Device{b, c} {
		x := d.MustUpload([]uint32{1})
		check(t, d.Launch(d.MustLoadPTX(string(kernelsPTX)).MustKernel("affine"), Grid(1), Block(1), x, 2, 3, 1))
		equal(t, MustSlice[uint32](x), []uint32{5})
	}
	equal(t, MustSlice[uint32](onB), []uint32{7})
	if _, err := a.Upload([]uint32{1}); !errors.As(err, &fault) {
		t.Errorf("the device that faulted: %v", err)
	}
	a, err = a.Reset()
	check(t, err)
	equal(t, MustSlice[uint32](a.MustUpload([]uint32{3})), []uint32{3})
	check(t, errors.Join(a.Close(), b.Close(), c.Close()))
}

// A pointer of one device is found out of bounds on another of the same driver and number.
func TestDevicesHaveAddressesOfTheirOwn(t *testing.T) {
	a, b := MustOpen("emulated"), MustOpen("emulated")
	x := a.MustUpload([]uint32{1})
	check(t, b.Launch(b.MustLoadPTX(string(kernelsPTX)).MustKernel("affine"), Grid(1), Block(1), uint64(x.Ptr()), 2, 3, 1))
	var fault *driver.Fault
	if err := b.Synchronize(); !errors.As(err, &fault) || fault.Kind != driver.FaultOutOfBounds {
		t.Errorf("%v", err)
	}
	equal(t, MustSlice[uint32](x), []uint32{1})
	_ = b.Close()
	check(t, a.Close())
}

// A further emulated device is there when it is asked for, and only eight are.
func TestFurtherEmulatedDevices(t *testing.T) {
	d, err := Open("emulated:1")
	check(t, err)
	if d.Info().Ordinal != 1 {
		t.Errorf("%+v", d.Info())
	}
	check(t, d.Close())
	if _, err := Open("emulated:8"); err == nil || !strings.Contains(err.Error(), "at most 8") {
		t.Errorf("a ninth device: %v", err)
	}
}

// Where a driver gives the process up, Open says so, and what to do.
func TestOpenAfterAFaultOnAGPU(t *testing.T) {
	in := faulty.NewInjector(func(_ int, call string) error {
		if call == "cuDevicePrimaryCtxRetain" {
			return driver.ErrorIllegalAddress
		}
		return nil
	})
	_, err := OpenDriver(faulty.New(emulated.New(), in), 0)
	for _, want := range []string{"gives the process up", "restart the kernel", `cuda.Open("emulated")`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

const endlessPTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry endless(.param .u64 x) {
.reg .b64 %r<2>;
mov.u64 %r1, 0;
L:
add.u64 %r1, %r1, 1;
bra L;
}
`

// An interrupt ends an emulated kernel: the wait says so, and the device goes on.
func TestInterruptEndsAKernel(t *testing.T) { // U4
	d := MustOpen("emulated") // no interrupt ends a kernel on a GPU
	t.Cleanup(func() { check(t, d.Close()) })
	k := d.MustLoadPTX(endlessPTX).MustKernel("endless")
	x := d.MustUpload([]uint32{1})
	var q *Pending
	for name, waits := range map[string]func() error{
		"device":   func() error { check(t, d.Launch(k, Grid(1), Block(1), x)); return d.Synchronize() },
		"read":     func() error { check(t, d.Launch(k, Grid(1), Block(1), x)); _, err := Slice[uint32](x); return err },
		"dispatch": func() error { _, err := d.Dispatch(k, Grid(1), Block(1), x); return err },
		"pending": func() (err error) {
			q, err = k.MustPlan(Grid(1), Block(1), InOut("x")).Submit([]*Buffer{x}, x.All())
			check(t, err)
			_, err = q.Wait()
			return err
		},
		"graph": func() error {
			g := d.MustCapture(func(s *Stream) { check(t, s.Launch(k, Grid(1), Block(1), x)) })
			defer func() { check(t, g.Close()) }()
			check(t, g.Launch())
			return d.Synchronize()
		},
	} {
		ended := make(chan error)
		go func() { ended <- waits() }()
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		Interrupt()
		err := <-ended
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("%s: the interrupt took %s", name, took)
		}
		var stopped *InterruptedError
		if !errors.As(err, &stopped) || !strings.Contains(stopped.Work, "kernel endless") ||
			!strings.Contains(err.Error(), "was ended by an interrupt") {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, MustSlice[uint32](x), []uint32{1})
	}
	var e *driver.InterruptedError
	if _, err := q.Wait(); !errors.As(err, &e) {
		t.Errorf("the dispatch, asked again: %v", err)
	}
}

// A panic in a graph's Go function is the error of whoever waits for the launch.
func TestAPanicInAGraphIsAnError(t *testing.T) { // D11
	d, _ := openKernels(t)
	g := d.MustCapture(func(s *Stream) { check(t, s.Host(func() { panic("x is wrong") })) })
	for range 2 {
		check(t, g.Launch())
		var e *driver.HostFunctionError
		err := d.Synchronize()
		if !errors.As(err, &e) || e.Value != "x is wrong" || !strings.Contains(err.Error(), "lost_test.go") {
			t.Errorf("%v", err)
		}
	}
	equal(t, MustSlice[uint32](d.MustUpload([]uint32{2})), []uint32{2})
	check(t, g.Close())
}

// A Go function of a stream that calls CUDA is refused.
func TestHostFunctionsMayNotCallCUDA(t *testing.T) { // D25
	d, _ := openKernels(t)
	x := d.MustUpload([]uint32{1})
	var err error
	check(t, d.Stream().Host(func() { _, err = Slice[uint32](x) }))
	check(t, d.Synchronize())
	if !errors.Is(err, driver.ErrorNotPermitted) {
		t.Errorf("%v", err)
	}
}
