package drivertest

import (
	"math"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var launchLaws = []law{
	{"vadd", "a kernel adds two vectors, with a last block that is not full", func(f *fixture) {
		const n = 1000
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = float32(i)/3, float32(n-i)*1.5
		}
		pa, pb, out, s := upload(f, a), upload(f, b), f.alloc(4*n), f.stream()
		f.launch(f.kernel("vadd"), 4, 256, s, pack(pa, pb, out, uint32(n)))
		f.must("Synchronize", s.Synchronize())
		for i := range a {
			a[i] += b[i]
		}
		equal(f, "sums", download[float32](f, out, n), a)
	}},
	{"saxpy", "fma rounds once, and parameters lie where Params says", func(f *fixture) {
		const n = 777
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(i)+0.1, 1/float32(i+1)
		}
		px, py, s := upload(f, x), upload(f, y), f.stream()
		f.launch(f.kernel("saxpy"), 7, 128, s, pack(uint32(n), float32(2.5), px, py))
		f.must("Synchronize", s.Synchronize())
		for i := range y {
			y[i] = float32(math.FMA(2.5, float64(x[i]), float64(y[i])))
		}
		equal(f, "y", download[float32](f, py, n), y)
	}},
	{"reduce", "threads of a block share memory and meet at barriers", func(f *fixture) {
		in, want := counting(1024), make([]uint32, 4)
		for i, v := range in {
			want[i/256] += v
		}
		pi, sums, s := upload(f, in), f.alloc(16), f.stream()
		f.launch(f.kernel("reduce"), 4, 256, s, pack(pi, sums))
		f.must("Synchronize", s.Synchronize())
		equal(f, "sums", download[uint32](f, sums, 4), want)
	}},
	{"histogram", "global atomics lose no update", func(f *fixture) {
		in, want := make([]uint32, 5000), make([]uint32, 16)
		for i := range in {
			in[i] = uint32(i*i + i/7)
			want[in[i]&15]++
		}
		pi, bins, s := upload(f, in), upload(f, make([]uint32, 16)), f.stream()
		f.launch(f.kernel("histogram"), 20, 256, s, pack(pi, bins, uint32(len(in))))
		f.must("Synchronize", s.Synchronize())
		equal(f, "bins", download[uint32](f, bins, 16), want)
	}},
	{"coordinates", "threads and blocks have their three coordinates", launchCoordinates},
	{"dynamic shared", "a launch gives the shared memory it asks for", func(f *fixture) {
		in, s := upload(f, counting(128)), f.stream()
		out := f.alloc(512)
		err := f.kernel("reverse").Launch(&driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1},
			Block:       driver.Dim3{X: 128, Y: 1, Z: 1},
			SharedBytes: 512, Stream: s}, pack(out, in))
		f.must("Launch", err)
		f.must("Synchronize", s.Synchronize())
		want := counting(128)
		for i := range want {
			want[i] = uint32(127 - i)
		}
		equal(f, "reversed", download[uint32](f, out, 128), want)
	}},
	{"widths", "parameters of every width arrive", func(f *fixture) {
		out, s := f.alloc(8), f.stream()
		params := pack(uint8(200), uint16(60000), uint8(7), 0.5, out)
		params = append(params, pack(uint64(1), uint64(1000000))...)
		f.launch(f.kernel("widths"), 1, 1, s, params)
		f.must("Synchronize", s.Synchronize())
		bits := download[uint32](f, out, 2)
		if v := math.Float64frombits(uint64(bits[0]) | uint64(bits[1])<<32); v != 1060207.5 {
			f.broken("sum is %v, want 1060207.5", v)
		}
	}},
	{"default stream", "a launch without a stream goes to the default stream", func(f *fixture) {
		p := upload(f, counting(8))
		one := driver.Dim3{X: 1, Y: 1, Z: 1}
		f.must("Launch", f.kernel("affine").Launch(&driver.LaunchConfig{Grid: one, Block: driver.Dim3{X: 8, Y: 1, Z: 1}},
			pack(p, uint32(3), uint32(1), uint32(8))))
		f.must("Synchronize", f.ctx.DefaultStream().Synchronize())
		equal(f, "words", download[uint32](f, p, 8), []uint32{1, 4, 7, 10, 13, 16, 19, 22})
	}},
	{"refused shapes", "a launch with no blocks, no threads, or more than fit is ErrorInvalidValue at the call",
		func(f *fixture) {
			k := f.kernel("nothing")
			for _, c := range []struct{ grid, block driver.Dim3 }{
				{driver.Dim3{X: 0, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}},
				{driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1, Y: 0, Z: 1}},
				{driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 1025, Y: 1, Z: 1}},
				{driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 64, Y: 64, Z: 1}},
				{driver.Dim3{X: 1, Y: 70000, Z: 1}, driver.Dim3{X: 1, Y: 1, Z: 1}},
			} {
				err := k.Launch(&driver.LaunchConfig{Grid: c.grid, Block: c.block}, nil)
				f.wants(c.grid.String()+" blocks of "+c.block.String(), err, driver.ErrorInvalidValue)
			}
			one := driver.Dim3{X: 1, Y: 1, Z: 1}
			f.wants("a MiB of shared memory", k.Launch(&driver.LaunchConfig{Grid: one, Block: one, SharedBytes: 1 << 20}, nil),
				driver.ErrorInvalidValue)
			f.must("the context is unharmed", f.ctx.Synchronize())
		}},
	{"cooperative", "blocks of a cooperative launch run together; too many are ErrorCooperativeLaunchTooLarge",
		func(f *fixture) {
			arrived, s, k := upload(f, []uint32{0}), f.stream(), f.kernel("rendezvous")
			config := &driver.LaunchConfig{Grid: driver.Dim3{X: 4, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}, Stream: s,
				Cooperative: true}
			f.must("Launch", k.Launch(config, pack(arrived)))
			f.must("Synchronize", s.Synchronize())
			if n := download[uint32](f, arrived, 1)[0]; n != 4 {
				f.broken("%d blocks arrived", n)
			}
			config.Grid.X = 1 << 20
			f.wants("a million blocks", k.Launch(config, pack(arrived)), driver.ErrorCooperativeLaunchTooLarge)
		}},
	{"many goroutines", "launches from many goroutines, each on a stream of its own, do not mix", launchGoroutines},
	{"no allocation", "a launch, an event record and a graph launch allocate nothing", func(f *fixture) {
		k, s, e := f.kernel("nothing"), f.stream(), f.event(0)
		config := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 1, Y: 1, Z: 1}, Stream: s}
		g := f.graph()
		_, err := g.AddEmpty(nil)
		f.must("AddEmpty", err)
		x := f.instantiate(g)
		for name, call := range map[string]func() error{
			"launch": func() error { return k.Launch(config, nil) }, "record": func() error { return e.Record(s) },
			"graph launch": func() error { return x.Launch(s) },
		} {
			if f.drv.Name() != "native" && name != "record" {
				continue // where the kernel itself runs in Go, what it allocates is its own affair
			}
			if n := testing.AllocsPerRun(100, func() { f.must(name, call()) }); n >= 1 {
				f.broken("%s: %v allocations a call", name, n)
			}
		}
		f.must("Synchronize", s.Synchronize())
	}},
}

func launchCoordinates(f *fixture) {
	grid, block := driver.Dim3{X: 3, Y: 2, Z: 2}, driver.Dim3{X: 4, Y: 3, Z: 2}
	const n = 12 * 24
	out, s := f.alloc(4*n), f.stream()
	f.must("Launch", f.kernel("coordinates").Launch(&driver.LaunchConfig{Grid: grid, Block: block, Stream: s}, pack(out)))
	f.must("Synchronize", s.Synchronize())
	want := make([]uint32, 0, n)
	for b := range uint32(12) {
		for t := range uint32(24) {
			want = append(want, (t/12)<<24|(t/4%3)<<16|(t%4)<<8|b)
		}
	}
	equal(f, "coordinates", download[uint32](f, out, n), want)
}

func launchGoroutines(f *fixture) {
	const workers, rounds, n = 8, 20, 512
	k := f.kernel("affine")
	streams, buffers := make([]driver.Stream, workers), make([]driver.DevicePtr, workers)
	for i := range workers {
		streams[i], buffers[i] = f.stream(), upload(f, counting(n))
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			config := &driver.LaunchConfig{Grid: driver.Dim3{X: 2, Y: 1, Z: 1}, Block: driver.Dim3{X: 256, Y: 1, Z: 1},
				Stream: streams[i]}
			params := pack(buffers[i], uint32(1), uint32(i+1), uint32(n))
			for range rounds {
				if err := k.Launch(config, params); err != nil {
					errs[i] = err
					return
				}
			}
			errs[i] = streams[i].Synchronize()
		})
	}
	wg.Wait()
	for i := range workers {
		f.must("worker", errs[i])
		want := counting(n)
		for j := range want {
			want[j] += uint32(rounds * (i + 1))
		}
		equal(f, "words", download[uint32](f, buffers[i], n), want)
	}
}
