package cuda

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
)

// Handles that tests leave alive fail the package, with the place where each was made.
func TestMain(m *testing.M) {
	code := leaktest.Run(m, "vyre-kernel/cuda")
	if left := Live(); len(left) > 0 && code == 0 {
		for _, h := range left {
			fmt.Fprintln(os.Stderr, "left alive:", h)
		}
		code = 1
	}
	os.Exit(code)
}

// openTest opens the device that DeviceVariable names, or the first there is, and closes it behind the
// test.
func openTest(t testing.TB) *Device {
	t.Helper()
	d, err := Open()
	if errors.Is(err, driver.ErrorNoDevice) {
		t.Skipf("no device here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// openKernels opens a device with the conformance suite's kernels on it.
func openKernels(t testing.TB) (*Device, *Module) {
	t.Helper()
	d := openTest(t)
	m, err := d.LoadPTX(string(drivertest.KernelsPTX()))
	if err != nil {
		t.Fatal(err)
	}
	return d, m
}

// check fails the test where a step that has to work does not.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func counting(n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(i)
	}
	return v
}

func equal[T comparable](t testing.TB, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d values, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("[%d] is %v, want %v", i, got[i], want[i])
		}
	}
}

// collect runs the collector until a condition holds. Cleanups run on a goroutine of their own, whose turn
// may come late.
func collect(t testing.TB, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was collected in 20 s")
		}
		runtime.GC()
	}
}
