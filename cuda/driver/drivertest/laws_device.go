package drivertest

import (
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var deviceLaws = []law{
	{"init first", "before Init every method of Driver fails with ErrorNotInitialized, and Init may be called often",
		func(f *fixture) {
			d := f.open()
			_, err1 := d.DeviceCount()
			_, err2 := d.Version()
			_, err3 := d.Device(0)
			for _, err := range []error{err1, err2, err3} {
				f.wants("before Init", err, driver.ErrorNotInitialized)
			}
			f.must("Init", d.Init())
			f.must("Init again", d.Init())
		}},
	{"ordinals", "ordinals run from 0 to DeviceCount-1 and others are ErrorInvalidDevice", func(f *fixture) {
		n := get[int](f, "DeviceCount")(f.drv.DeviceCount())
		for _, i := range []int{-1, n, 1 << 40} {
			_, err := f.drv.Device(i)
			f.wants("Device out of range", err, driver.ErrorInvalidDevice)
		}
		for i := range n {
			if d := get[driver.Device](f, "Device")(f.drv.Device(i)); d.Ordinal() != i {
				f.broken("device %d says it is %d", i, d.Ordinal())
			}
		}
	}},
	{"facts", "a device tells its name, UUID, memory, architecture and limits, the same each time", deviceFacts},
	{"contexts", "a context lives until its last Release, and leaves the others alone then", func(f *fixture) {
		again := get[driver.Context](f, "NewContext")(f.dev.NewContext())
		if (again == f.ctx) != (again.Handle() == f.ctx.Handle()) || again.Handle() == 0 {
			f.broken("contexts are equal where their handles are not, or a handle is 0")
		}
		p := upload(f, []uint32{7})
		if again != f.ctx {
			f.wants("memory of another context", again.CopyDtoH(make([]byte, 4), p), driver.ErrorInvalidValue)
		}
		f.must("Release", again.Release())
		f.must("Synchronize", f.ctx.Synchronize())
		equal(f, "memory beside a context that was released", download[uint32](f, p, 1), []uint32{7})
		if f.ctx.Device() != f.dev {
			f.broken("the context is of another device")
		}
	}},
	{"make current", "MakeCurrent works on a locked thread", func(f *fixture) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		f.must("MakeCurrent", f.ctx.MakeCurrent())
	}},
	{"memory info", "free memory is at most the total, and the total at most the device's", func(f *fixture) {
		free, total, err := f.ctx.MemInfo()
		f.must("MemInfo", err)
		all := get[uint64](f, "TotalMem")(f.dev.TotalMem())
		if free == 0 || free > total || total > all {
			f.broken("free %d, total %d, device %d", free, total, all)
		}
	}},
	{"limits", "a limit that was set is read back", func(f *fixture) {
		old := get[uint64](f, "Limit")(f.ctx.Limit(driver.LimitStackSize))
		f.must("SetLimit", f.ctx.SetLimit(driver.LimitStackSize, 4096))
		if v := get[uint64](f, "Limit")(f.ctx.Limit(driver.LimitStackSize)); v < 4096 {
			f.broken("set to 4096, read %d", v)
		}
		f.must("SetLimit", f.ctx.SetLimit(driver.LimitStackSize, old))
	}},
}

func deviceFacts(f *fixture) {
	name := get[string](f, "Name")(f.dev.Name())
	id := get[driver.UUID](f, "UUID")(f.dev.UUID())
	cc := get[driver.ComputeCapability](f, "ComputeCapability")(f.dev.ComputeCapability())
	version := get[driver.Version](f, "Version")(f.drv.Version())
	f.Logf("%s, %s, compute capability %s, CUDA %s", name, id, cc, version)
	if name == "" || id == (driver.UUID{}) || cc.Major < 5 || version < 12000 {
		f.broken("name %q, UUID %s, compute capability %s, version %s", name, id, cc, version)
	}
	if again := get[driver.UUID](f, "UUID")(f.dev.UUID()); again != id {
		f.broken("two UUIDs: %s and %s", id, again)
	}
	for _, a := range []struct {
		attr driver.DeviceAttribute
		min  int
	}{
		{driver.AttrWarpSize, 32}, {driver.AttrMaxThreadsPerBlock, 1024}, {driver.AttrMaxBlockDimX, 1024},
		{driver.AttrMaxBlockDimZ, 64}, {driver.AttrMaxGridDimX, 1<<31 - 1}, {driver.AttrMaxGridDimY, 65535},
		{driver.AttrMaxSharedMemoryPerBlock, 48 << 10}, {driver.AttrMultiprocessorCount, 1},
		{driver.AttrCooperativeLaunch, 1},
		{driver.AttrUnifiedAddressing, 1}, {driver.AttrMemoryPoolsSupported, 1},
	} {
		if v := get[int](f, "Attribute")(f.dev.Attribute(a.attr)); v < a.min {
			f.broken("attribute %d is %d, at least %d is expected", a.attr, v, a.min)
		}
	}
	_, err := f.dev.Attribute(99999)
	f.wants("attribute 99999", err, driver.ErrorInvalidValue)
}
