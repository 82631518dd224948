package drivertest

import (
	"errors"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var faultLaws = []law{
	{"wild store", "a store to memory that is not allocated is ErrorIllegalAddress from the call that waits, and " +
		"then from every call", func(f *fixture) {
		f.faults("wild", nil, driver.ErrorIllegalAddress)
	}},
	{"misaligned store", "a misaligned store is ErrorMisalignedAddress", func(f *fixture) {
		f.faults("misaligned", pack(f.lost(64)), driver.ErrorMisalignedAddress)
	}},
	{"trap", "a trap is ErrorLaunchFailed or ErrorIllegalInstruction", func(f *fixture) {
		f.faults("fail", nil, driver.ErrorLaunchFailed, driver.ErrorIllegalInstruction)
	}},
	{"beside a fault", "a fault leaves other contexts alone, where a device has several", func(f *fixture) {
		other := get[driver.Context](f, "NewContext")(f.dev.NewContext())
		if other == f.ctx {
			f.must("Release", other.Release())
			f.Skip("this driver has one context a device: the fault is everybody's")
		}
		g := &fixture{T: f.T, law: f.law, drv: f.drv, dev: f.dev, ctx: other}
		f.Cleanup(func() { f.must("Release of the other", other.Release()) })
		g.works("beside a context, before it faults")
		f.faults("wild", nil, driver.ErrorIllegalAddress)
		g.works("beside a context that faulted")
	}},
	{"behind a fault", "work behind a fault does not run and nothing waits for ever", func(f *fixture) {
		f.faulted = true
		p, s, e := f.lost(4), f.stream(), f.event(0)
		f.must("CopyHtoD", f.ctx.CopyHtoD(p, []byte{1, 0, 0, 0}))
		f.launch(f.kernel("wild"), 1, 1, s, nil)
		out := []byte{7, 7, 7, 7}
		_ = f.ctx.CopyDtoHAsync(out, p, s)
		_ = e.Record(s)
		if err := e.Synchronize(); err == nil {
			f.broken("an event behind a fault is done without an error")
		}
		f.recover(driver.ErrorIllegalAddress)
	}},
}

// lost allocates memory that the fault takes with it.
func (f *fixture) lost(n uint64) driver.DevicePtr {
	f.Helper()
	return get[driver.DevicePtr](f, "Alloc")(f.ctx.Alloc(n))
}

// faults runs a kernel that fails and follows its error.
func (f *fixture) faults(kernel string, params []byte, codes ...driver.Result) {
	f.Helper()
	f.faulted = true
	s := f.stream()
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	f.must("the launch itself", f.kernel(kernel).Launch(&driver.LaunchConfig{Grid: one, Block: one, Stream: s}, params))
	err := s.Synchronize()
	f.wants("Synchronize", err, codes...)
	var fault *driver.Fault
	if errors.As(err, &fault) {
		f.Logf("fault: %v", fault)
		if fault.Kernel != kernel {
			f.broken("the fault names kernel %q", fault.Kernel)
		}
	}
	_, err = f.ctx.Alloc(16)
	f.wants("Alloc afterwards", err, codes...)
	f.wants("Synchronize afterwards", f.ctx.Synchronize(), codes...)
	f.recover(codes...)
}

// recover resets the device and shows that it works, or, with libcuda, that the error stays.
func (f *fixture) recover(codes ...driver.Result) {
	f.Helper()
	f.must("Reset", f.ctx.Reset())
	if err := f.ctx.Synchronize(); !errors.Is(err, driver.ErrorContextIsDestroyed) {
		f.broken("the context that was reset: %v", err)
	}
	g := &fixture{T: f.T, law: f.law, drv: f.drv, dev: f.dev}
	ctx, err := f.dev.NewContext()
	if err != nil && f.drv.Name() == "native" {
		f.wants("NewContext after the reset", err, codes...)
		f.Logf("the process stays without a device: %v", err)
		return
	}
	g.must("NewContext after the reset", err)
	g.ctx = ctx
	g.Cleanup(func() { g.must("Release", g.ctx.Release()) })
	g.works("after the reset")
}

// works shows that a context computes.
func (f *fixture) works(when string) {
	f.Helper()
	p, s := upload(f, []uint32{1}), f.stream()
	f.launch(f.kernel("affine"), 1, 1, s, pack(p, uint32(2), uint32(3), uint32(1)))
	f.must("Synchronize "+when, s.Synchronize())
	if v := download[uint32](f, p, 1)[0]; v != 5 {
		f.broken("%d %s", v, when)
	}
}
