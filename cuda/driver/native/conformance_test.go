package native_test

import (
	"os"
	"os/exec"
	"strings"
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
	drivertest.RunLaws(t, native.New, func(name string) bool { return !strings.HasPrefix(name, "fault/") })
}

// lawVariable names the one law that a child process checks.
const lawVariable = "DRIVERTEST_LAW"

// libcuda gives a process up after a fault on the device, so each law about faults has its own.
func TestFaults(t *testing.T) {
	if name := os.Getenv(lawVariable); name != "" {
		drivertest.RunLaws(t, native.New, func(law string) bool { return law == name })
		return
	}
	needGPU(t)
	for name := range drivertest.Laws() {
		if !strings.HasPrefix(name, "fault/") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestFaults$", "-test.v", "-test.timeout=60s")
			child.Env = append(os.Environ(), lawVariable+"="+name)
			out, err := child.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
