package cuda

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// Two devices of one driver: each has its own memory, kernels and streams; what belongs to the other is refused, and buffers are copied
// between them.
func TestSeveralDevices(t *testing.T) {
	drv := emulated.NewWith(emulated.Options{Devices: 2})
	a, err := OpenDriver(drv, 0)
	check(t, err)
	b, err := OpenDriver(drv, 1)
	check(t, err)
	alone, err := OpenDriver(emulated.New(), 0)
	check(t, err)
	if a.Info().UUID == b.Info().UUID || b.Info().Ordinal != 1 {
		t.Errorf("%v, %v", a.Info(), b.Info())
	}
	if _, err := OpenDriver(drv, 2); err == nil || !strings.Contains(err.Error(), "the emulator has 2") {
		t.Errorf("a third device: %v", err)
	}
	onA, onB := a.MustLoadPTX(string(kernelsPTX)).MustKernel("affine"), b.MustLoadPTX(string(kernelsPTX)).MustKernel("affine")
	x, y, z := a.MustUpload([]uint32{1, 2}), b.MustUpload([]uint32{10, 20}), alone.MustUpload([]uint32{0, 0})
	if x.Ptr() == y.Ptr() {
		t.Error("two devices have one address")
	}
	stream, err := b.NewStream()
	check(t, err)
	for name, err := range map[string]error{
		"buffer": a.Launch(onA, Grid(1), Block(2), y, 2, 0, 2),
		"kernel": a.Launch(onB, Grid(1), Block(2), x, 2, 0, 2),
		"stream": a.Launch(onA, Grid(1), Block(2), x, 2, 0, 2, On(stream)),
		"size":   x.CopyFrom(b.MustUpload([]uint32{1})),
	} {
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, a.Launch(onA, Grid(1), Block(2), x, 2, 0, 2))
	check(t, y.CopyFrom(x))
	check(t, b.Launch(onB, Grid(1), Block(2), y, 1, 1, 2))
	check(t, z.CopyFrom(y))
	equal(t, MustSlice[uint32](x), []uint32{2, 4})
	equal(t, MustSlice[uint32](y), []uint32{3, 5})
	equal(t, MustSlice[uint32](z), []uint32{3, 5})
	check(t, errors.Join(stream.Close(), a.Close()))
	equal(t, MustSlice[uint32](y), []uint32{3, 5}) // the other device goes on
	check(t, errors.Join(b.Close(), alone.Close()))
}

// The environment says how many emulated devices there are; what is no number of them is refused.
func TestEmulatedDevicesAreCounted(t *testing.T) { // H4
	for value, want := range map[string]int{"": 1, "3": 3, "8": 8, "9": 0, "0": 0, "-1": 0, "two": 0} {
		t.Setenv(EmulatedVariable, value)
		drv, err := newEmulated()
		if want == 0 {
			if err == nil || !strings.Contains(err.Error(), "from 1 to 8, got "+strconv.Quote(value)) {
				t.Errorf("%q: %v", value, err)
			}
			continue
		}
		check(t, err)
		check(t, drv.Init())
		if n, err := drv.DeviceCount(); err != nil || n != want {
			t.Errorf("%q: %d devices, want %d, %v", value, n, want, err)
		}
	}
}
