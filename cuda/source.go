package cuda

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
)

// LoadCUDA compiles CUDA C++ with NVRTC for this device and loads it. Kernels are found by their C++
// names, mangled in the PTX or not, and launches check buffers against the C++ types of the pointers
// they are for. Where there is no NVRTC the error says what to install.
func (d *Device) LoadCUDA(source string, o nvrtc.Options) (*Module, error) {
	if o.Compute == (driver.ComputeCapability{}) {
		o.Compute = d.info.Compute
	}
	if o.Driver == 0 {
		o.Driver = d.info.CUDA
	}
	p, err := nvrtc.Compile(source, o)
	if err != nil {
		return nil, err
	}
	return d.LoadProgram(o.Name, p)
}

// MustLoadCUDA is LoadCUDA for cells.
func (d *Device) MustLoadCUDA(source string) *Module {
	return must(d.LoadCUDA(source, nvrtc.Options{}))
}

// LoadProgram loads what NVRTC compiled, under a name that errors will use.
func (d *Device) LoadProgram(name string, p *nvrtc.Program) (*Module, error) {
	if name == "" {
		name = "cuda"
	}
	m, err := d.Load(name, []byte(p.PTX), driver.JITOptions{})
	if err != nil {
		return nil, err
	}
	m.source = map[string]nvrtc.Kernel{}
	for _, k := range p.Kernels {
		m.source[k.Name] = k
		m.source[k.PTXName] = k
	}
	return m, nil
}

// MustLoadProgram is LoadProgram for cells, under the name "cuda".
func (d *Device) MustLoadProgram(p *nvrtc.Program) *Module { return must(d.LoadProgram("", p)) }

// DriverVersion is the CUDA version that the first driver with a device speaks: PTX that is to run anywhere here must
// not be newer. 0: there is no GPU, and the emulated device reads what there is.
func DriverVersion() driver.Version {
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

// describeCXX gives a kernel's parameters their C++ names and types.
func (k *Kernel) describeCXX(c nvrtc.Kernel) {
	if c.PTXName != "" && c.Name != c.PTXName {
		k.name = c.Name
	}
	if len(c.Params) != len(k.params) {
		return
	}
	for i, p := range c.Params {
		k.params[i].Name, k.params[i].CXX = p.Name, p.Type
	}
}

// A pointee is what a C++ pointer points to, as Go kinds of the same size; signs may differ.
type pointee struct {
	size     uintptr
	floating bool
	name     string
}

var pointees = map[string]pointee{
	"float": {4, true, "float32"}, "double": {8, true, "float64"},
	"char": {1, false, "int8"}, "signed char": {1, false, "int8"}, "unsigned char": {1, false, "uint8"}, "bool": {1, false, "uint8"},
	"int8_t": {1, false, "int8"}, "uint8_t": {1, false, "uint8"},
	"short": {2, false, "int16"}, "unsigned short": {2, false, "uint16"}, "int16_t": {2, false, "int16"}, "uint16_t": {2, false, "uint16"},
	"__half": {2, false, "uint16"}, "half": {2, false, "uint16"}, "__nv_bfloat16": {2, false, "uint16"},
	"int": {4, false, "int32"}, "unsigned": {4, false, "uint32"}, "unsigned int": {4, false, "uint32"},
	"int32_t": {4, false, "int32"}, "uint32_t": {4, false, "uint32"},
	"long": {8, false, "int64"}, "unsigned long": {8, false, "uint64"}, "long long": {8, false, "int64"},
	"unsigned long long": {8, false, "uint64"}, "int64_t": {8, false, "int64"}, "uint64_t": {8, false, "uint64"}, "size_t": {8, false, "uint64"},
}

// pointsTo checks a buffer against the C++ type of its parameter. Types that are not listed, void among
// them, take any buffer, and a buffer of bytes fits every pointer.
func (p Param) pointsTo(elem reflect.Type) (want string, ok bool) {
	base, pointer := strings.CutSuffix(p.CXX, "*")
	if p.CXX == "" || elem.Kind() == reflect.Uint8 {
		return "", true
	}
	if !pointer {
		return p.CXX, false
	}
	w, known := pointees[strings.TrimSpace(base)]
	if !known {
		return "", true
	}
	isFloat := elem.Kind() == reflect.Float32 || elem.Kind() == reflect.Float64
	compound := elem.Kind() == reflect.Struct || elem.Kind() == reflect.Array
	return fmt.Sprintf("a buffer of %s (%s)", w.name, p.CXX), compound || elem.Size() == w.size && isFloat == w.floating
}
