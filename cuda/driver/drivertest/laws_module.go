package drivertest

import (
	"errors"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var moduleLaws = []law{
	{"functions", "a module finds its kernels by name and lists them, sorted", func(f *fixture) {
		k := f.kernel("vadd")
		if k.Name() != "vadd" || k.Module() != f.mod || k.Handle() == 0 {
			f.broken("name %q", k.Name())
		}
		_, err := f.mod.Function("no_such_kernel")
		f.wants("an absent name", err, driver.ErrorNotFound)
		if !strings.Contains(err.Error(), "no_such_kernel") {
			f.broken("the error does not say which name: %v", err)
		}
		names, err := f.mod.Functions()
		f.needs(err)
		if !slices.Contains(names, "saxpy") || !slices.IsSorted(names) {
			f.broken("functions %q", names)
		}
	}},
	{"parameters", "Params gives offset and size of every parameter as PTX aligns them", func(f *fixture) {
		for name, want := range map[string][]driver.ParamInfo{
			"saxpy": {{Offset: 0, Size: 4}, {Offset: 4, Size: 4}, {Offset: 8, Size: 8}, {Offset: 16, Size: 8}},
			"widths": {{Offset: 0, Size: 1}, {Offset: 2, Size: 2}, {Offset: 4, Size: 1}, {Offset: 8, Size: 8},
				{Offset: 16, Size: 8}, {Offset: 24, Size: 16}},
			"nothing": {},
		} {
			params, err := f.kernel(name).Params()
			f.needs(err)
			equal(f, name, params, want)
		}
	}},
	{"bad PTX", "PTX that does not parse is ErrorInvalidPTX with a log that names the line", func(f *fixture) {
		bad := ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tnot.an.instruction %r1;\n\tret;\n}\n"
		_, log, err := f.ctx.LoadModule([]byte(bad), driver.JITOptions{})
		f.wants("LoadModule", err, driver.ErrorInvalidPTX)
		if !strings.Contains(log.Error, "line 6") {
			f.broken("the log does not name line 6: %q", log.Error)
		}
		_, _, err = f.ctx.LoadModule([]byte("no PTX at all"), driver.JITOptions{})
		f.wants("LoadModule of nonsense", err, driver.ErrorInvalidPTX, driver.ErrorInvalidImage)
		_, _, err = f.ctx.LoadModule(nil, driver.JITOptions{})
		f.wants("LoadModule of nothing", err, driver.ErrorInvalidPTX, driver.ErrorInvalidImage)
	}},
	{"newer PTX", "PTX of a version the driver does not know is ErrorUnsupportedPTXVersion", func(f *fixture) {
		_, _, err := f.ctx.LoadModule([]byte(".version 99.0\n.target sm_75\n.address_size 64\n"), driver.JITOptions{})
		f.wants("LoadModule", err, driver.ErrorUnsupportedPTXVersion, driver.ErrorInvalidPTX)
	}},
	{"globals", "module variables have their size, their initial value, and are shared with kernels", func(f *fixture) {
		k := f.kernel("count")
		p, n, err := f.mod.Global("counter")
		f.must("Global", err)
		if n != 4 {
			f.broken("counter has %d bytes", n)
		}
		s := f.stream()
		f.launch(k, 1, 1, s, nil)
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 10 {
			f.broken("counter is %d after adding the constant 3 to 7", v)
		}
		table, n, err := f.mod.Global("table")
		f.must("Global", err)
		if got := download[uint32](f, table, 2); n != 32 || got[0] != 0x04030201 || got[1] != 0x08070605 {
			f.broken("table: %d bytes, %x", n, got)
		}
		_, _, err = f.mod.Global("no_such_variable")
		f.wants("an absent variable", err, driver.ErrorNotFound)
	}},
	{"constants", "a constant can be written by the host before a launch", func(f *fixture) {
		k := f.kernel("count")
		factor, n, err := f.mod.Global("factor")
		f.must("Global", err)
		if n != 4 {
			f.broken("factor has %d bytes", n)
		}
		f.must("CopyHtoD", f.ctx.CopyHtoD(factor, encode([]uint32{100})))
		s := f.stream()
		f.launch(k, 1, 1, s, nil)
		f.must("Synchronize", s.Synchronize())
		p, _, err := f.mod.Global("counter")
		f.must("Global", err)
		if v := download[uint32](f, p, 1)[0]; v != 107 {
			f.broken("counter is %d", v)
		}
	}},
	{"two loads", "a module loaded twice is two modules with variables of their own", func(f *fixture) {
		a, b := f.load(kernels), f.load(kernels)
		pa, _, err1 := a.Global("counter")
		pb, _, err2 := b.Global("counter")
		f.must("Global", errors.Join(err1, err2))
		if pa == pb {
			f.broken("both counters lie at %s", pa)
		}
	}},
	{"attributes", "a function tells its limits and its static shared memory", func(f *fixture) {
		k := f.kernel("reduce")
		if n := get[int](f, "threads")(k.Attribute(driver.FuncMaxThreadsPerBlock)); n < 256 || n > 1024 {
			f.broken("max threads %d", n)
		}
		if n := get[int](f, "shared")(k.Attribute(driver.FuncSharedSizeBytes)); n < 1024 {
			f.broken("static shared memory %d, 1024 are declared", n)
		}
		f.must("SetAttribute", f.kernel("reverse").SetAttribute(driver.FuncMaxDynamicSharedSizeBytes, 48<<10))
	}},
	{"occupancy", "occupancy is positive for a block that fits and 0 or an error for one that does not", func(f *fixture) {
		k := f.kernel("reduce")
		if n := get[int](f, "MaxActiveBlocks")(k.MaxActiveBlocks(256, 0)); n < 1 || n > 64 {
			f.broken("%d blocks of 256 threads", n)
		}
		if n, err := k.MaxActiveBlocks(256, 1<<30); err == nil && n != 0 {
			f.broken("%d blocks with a GiB of shared memory each", n)
		}
		grid, block, err := k.MaxPotentialBlockSize(0, 0)
		f.must("MaxPotentialBlockSize", err)
		if grid < 1 || block < 32 || block > 1024 {
			f.broken("grid %d, block %d", grid, block)
		}
	}},
	{"unload", "functions of an unloaded module are refused, and unloading twice is ErrorInvalidHandle", func(f *fixture) {
		m, _, err := f.ctx.LoadModule(kernels, driver.JITOptions{})
		f.must("LoadModule", err)
		k := get[driver.Function](f, "Function")(m.Function("nothing"))
		f.must("Unload", m.Unload())
		one := driver.Dim3{X: 1, Y: 1, Z: 1}
		f.wants("Launch", k.Launch(&driver.LaunchConfig{Grid: one, Block: one}, nil), driver.ErrorInvalidHandle)
		f.wants("Unload again", m.Unload(), driver.ErrorInvalidHandle)
		_, err = m.Function("nothing")
		f.wants("Function", err, driver.ErrorInvalidHandle)
	}}, {"unload waits", "Unload waits for what was enqueued before it, which runs to its end", func(f *fixture) {
		m, _, err := f.ctx.LoadModule(kernels, driver.JITOptions{})
		f.must("LoadModule", err)
		k := get[driver.Function](f, "Function")(m.Function("slow"))
		s, p := f.stream(), upload(f, []uint32{0})
		const launches = 5
		for range launches {
			f.launch(k, 1, 1, s, pack(p, uint32(20000)))
		}
		f.must("Unload", m.Unload())
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != launches {
			f.broken("%d of %d launches ran", v, launches)
		}
	}},
}
