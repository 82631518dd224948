package cuda

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
)

// LoadCUDA compiles CUDA C++ with NVRTC for this device and loads it. Kernels are found by their C++
// names, mangled in the PTX or not, and launches check buffers against the C++ types of the pointers
// they are for. Where there is no NVRTC the error says what to install.
func (d *Device) LoadCUDA(source string, options ...nvrtc.Options) (*Module, error) {
	var o nvrtc.Options
	if len(options) > 1 {
		return nil, &Error{Op: "Device.LoadCUDA", Want: "at most one nvrtc.Options", Got: fmt.Sprint(len(options))}
	}
	if len(options) == 1 {
		o = options[0]
	}
	if err := d.checkOpen("Device.LoadCUDA"); err != nil {
		return nil, err
	}
	if o.Compute == (driver.ComputeCapability{}) {
		o.Compute = d.info.Compute
	}
	if o.Driver == 0 {
		o.Driver = d.info.CUDA
	}
	o.LineInfo = true // faults name the line
	p, err := nvrtc.Compile(source, o)
	if err != nil {
		return nil, err
	}
	return d.loadProgram(o.Name, p)
}

// LoadProgram loads what NVRTC compiled.
func (d *Device) LoadProgram(p *nvrtc.Program) (*Module, error) { return d.loadProgram("cuda", p) }

func (d *Device) loadProgram(name string, p *nvrtc.Program) (*Module, error) {
	if p == nil {
		return nil, &Error{Op: "Device.LoadProgram", What: name, Want: "a compiled program", Got: "nil",
			Fix: "nvrtc.Compile makes one"}
	}
	if name == "" {
		name = "cuda"
	}
	m, err := d.Load(name, []byte(p.PTX), driver.JITOptions{})
	if err != nil {
		return nil, err
	}
	m.source = p
	return m, nil
}

// DriverVersion is the CUDA version that the first driver with a device speaks: PTX that is to run anywhere here must
// not be newer. 0: there is no GPU, and the emulated device reads what there is.
func DriverVersion() Version {
	for _, e := range drivers {
		if e.name == "emulated" {
			continue
		}
		if drv, err := e.get(); err == nil {
			if v, err := drv.Version(); err == nil {
				return v
			}
		}
	}
	return 0
}
