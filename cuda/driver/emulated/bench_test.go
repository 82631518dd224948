package emulated_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// BenchmarkStreamsInUse measures a kernel that lives on memory while one stream is in use, and while
// several are, whose accesses are compared.
func BenchmarkStreamsInUse(b *testing.B) {
	const n = 1 << 18
	for _, c := range []struct {
		name    string
		streams int
	}{{"one", 1}, {"several", 2}} {
		b.Run(c.name, func(b *testing.B) {
			check := func(err error) {
				if err != nil {
					b.Fatal(err)
				}
			}
			d := emulated.New()
			check(d.Init())
			dev, err := d.Device(0)
			check(err)
			ctx, err := dev.NewContext()
			check(err)
			defer func() { check(ctx.Reset()) }()
			var s driver.Stream
			for range c.streams {
				s, err = ctx.CreateStream(driver.StreamNonBlocking, 0)
				check(err)
			}
			m, _, err := ctx.LoadModule(drivertest.KernelsPTX(), driver.JITOptions{})
			check(err)
			f, err := m.Function("saxpy")
			check(err)
			params := binary.LittleEndian.AppendUint32(nil, n)
			params = binary.LittleEndian.AppendUint32(params, math.Float32bits(2))
			for range 2 {
				p, err := ctx.Alloc(4 * n)
				check(err)
				check(ctx.MemsetD32(p, 0, n))
				params = binary.LittleEndian.AppendUint64(params, uint64(p))
			}
			grid, block := driver.Dim3{X: n / 256, Y: 1, Z: 1}, driver.Dim3{X: 256, Y: 1, Z: 1}
			launch := driver.LaunchConfig{Grid: grid, Block: block, Stream: s}
			for b.Loop() {
				check(f.Launch(&launch, params))
				check(s.Synchronize())
			}
		})
	}
}
