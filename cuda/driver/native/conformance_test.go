package native_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
)

// needGPU skips a test where the machine has no device, saying what the driver answered.
func needGPU(t testing.TB) driver.Driver {
	t.Helper()
	d := native.New()
	if err := d.Init(); err != nil {
		t.Skipf("no NVIDIA device here: %v", err)
	}
	return d
}

func TestConformance(t *testing.T) {
	needGPU(t)
	drivertest.Run(t, native.New)
}
