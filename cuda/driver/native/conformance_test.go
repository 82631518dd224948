package native_test

import (
	"encoding/binary"
	"errors"
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

// Unloading a module under a launch waits for the launch, as freeing memory does.
func TestUnloadWaits(t *testing.T) {
	d := needGPU(t)
	dev, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := dev.RetainPrimary()
	if err != nil {
		t.Fatal(err)
	}
	defer ctx.Release()
	m, _, err := ctx.LoadModule(drivertest.KernelsPTX(), driver.JITOptions{})
	if err != nil {
		t.Fatal(err)
	}
	k, err1 := m.Function("slow")
	s, err2 := ctx.CreateStream(driver.StreamNonBlocking, 0)
	p, err3 := ctx.Alloc(4)
	if err := errors.Join(err1, err2, err3, ctx.MemsetD32(p, 0, 1)); err != nil {
		t.Fatal(err)
	}
	defer s.Destroy()
	defer ctx.Free(p)
	params := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(p)), 100000)
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	out := make([]byte, 4)
	err = errors.Join(k.Launch(&driver.LaunchConfig{Grid: one, Block: one, Stream: s}, params), m.Unload(), s.Synchronize(), ctx.CopyDtoH(out, p))
	if err != nil || out[0] != 1 {
		t.Errorf("%d %v", out[0], err)
	}
}
