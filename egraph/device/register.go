package device

import (
	"os"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// A program that has this package lets runs that do not say where go to its first GPU once they are large.
// The emulated device is slower than the host: it is used where it is asked for.
func init() {
	var once sync.Once
	var gpu accel.Accelerator
	egraph.RegisterAccelerator(func() accel.Accelerator {
		once.Do(func() {
			if e := firstGPU(); e != nil {
				gpu = e
			}
		})
		return gpu
	})
}

// firstGPU opens the GPU that cuda.Open would, nil where that is no GPU.
func firstGPU() *Engine {
	name := os.Getenv(cuda.DeviceVariable)
	switch {
	case name == "":
		name = "native"
	case !strings.HasPrefix(name, "native"):
		return nil
	}
	dev, err := cuda.Open(name)
	if err != nil {
		return nil
	}
	return New(dev)
}
