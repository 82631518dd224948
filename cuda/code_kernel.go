package cuda

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Kernel is a function that a launch runs on the device. It lives as long as its module.
type Kernel struct {
	mod    *Module
	fn     driver.Function
	name   string
	params []Param
	bytes  int // of the packed parameter block
	latest atomic.Pointer[shapeLabel]
}

// A Param is one parameter of a kernel, as its PTX declares it.
type Param struct {
	Name string
	// Type is the PTX type; ptx.NoType where only the size is known (a binary image).
	Type PTXType
	// CXX is the C++ type, where the kernel was compiled from a source that tells it.
	CXX string
	// Array says that the parameter is an array of bytes, which is how structs are passed.
	Array bool
	// Offset and Size place it in the parameter block, in bytes.
	Offset, Size int
}

// String is the declaration: ".f32 alpha", ".b8 pair[16]".
func (p Param) String() string {
	switch {
	case p.CXX != "":
		return p.CXX + " " + p.Name
	case p.Array:
		return fmt.Sprintf(".b8 %s[%d]", p.Name, p.Size)
	case p.Type == ptx.NoType:
		return fmt.Sprintf("%d bytes %s", p.Size, p.Name)
	}
	return fmt.Sprintf(".%s %s", p.Type, p.Name)
}

func newKernel(m *Module, fn driver.Function) (*Kernel, error) {
	k := &Kernel{mod: m, fn: fn, name: fn.Name()}
	if m.parsed != nil {
		if f, ok := m.parsed.Kernel(k.name); ok {
			k.bytes = f.ParamBytes
			for _, p := range f.Params {
				k.params = append(k.params, Param{Name: shortName(p.Name), Type: p.Type, Array: p.IsArray() || p.Vector > 1,
					Offset: p.Offset, Size: p.Size})
			}
			return k, nil
		}
	}
	infos, err := fn.Params()
	if err != nil {
		return nil, wrap("Module.Kernel", "the parameters of "+k.name, err)
	}
	for i, p := range infos {
		k.params = append(k.params, Param{Name: fmt.Sprint("parameter ", i), Offset: int(p.Offset), Size: int(p.Size)})
		k.bytes = int(p.Offset + p.Size)
	}
	return k, nil
}

// shortName drops what compilers put before a parameter's number: "saxpy_param_2" is "param_2".
func shortName(name string) string {
	if i := strings.LastIndex(name, "_param_"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// Name is the kernel's name in the PTX.
func (k *Kernel) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Params are the kernel's parameters in order.
func (k *Kernel) Params() []Param {
	if k == nil {
		return nil
	}
	return append([]Param(nil), k.params...)
}

// Module is where the kernel is.
func (k *Kernel) Module() *Module {
	if k == nil {
		return nil
	}
	return k.mod
}

// Driver is the kernel behind the seam.
func (k *Kernel) Driver() DriverFunction {
	if k == nil {
		return nil
	}
	return k.fn
}

// SetDynamicShared allows launches of this kernel more dynamic shared memory than 48 KiB.
func (k *Kernel) SetDynamicShared(bytes int) error {
	const op = "Kernel.SetDynamicShared"
	if err := k.check(op); err != nil {
		return err
	}
	if most := k.mod.dev.info.MaxSharedOptin; bytes < 0 || bytes > most {
		return &Error{Op: op, What: k.name, Want: fmt.Sprintf("0 to %d bytes, what a block of this device may have",
			most), Got: fmt.Sprint(bytes)}
	}
	return wrap(op, k.name, k.fn.SetAttribute(driver.FuncMaxDynamicSharedSizeBytes, bytes))
}

// Occupancy says how many blocks of that size one multiprocessor holds at a time.
func (k *Kernel) Occupancy(block BlockDim, sharedBytes int) (int, error) {
	const op = "Kernel.Occupancy"
	if err := k.check(op); err != nil {
		return 0, err
	}
	threads, ok := block.dim3().Count()
	if !ok || threads == 0 || threads > 1<<20 || sharedBytes < 0 {
		return 0, &Error{Op: op, What: k.name, Want: "a block that a device could have", Got: block.String()}
	}
	n, err := k.fn.MaxActiveBlocks(int(threads), uint64(sharedBytes))
	return n, wrap(op, k.name, err)
}

// SuggestBlock is the block size with the best occupancy.
func (k *Kernel) SuggestBlock() (int, error) {
	const op = "Kernel.SuggestBlock"
	if err := k.check(op); err != nil {
		return 0, err
	}
	_, n, err := k.fn.MaxPotentialBlockSize(0, 0)
	return n, wrap(op, k.name, err)
}

// attribute is an attribute for a table: empty where the device does not tell it.
func (k *Kernel) attribute(a driver.FunctionAttribute) any {
	v, err := k.fn.Attribute(a)
	if err != nil {
		return nil
	}
	return v
}

func (k *Kernel) signature() string {
	var list []string
	for _, p := range k.params {
		list = append(list, p.String())
	}
	return strings.Join(list, ", ")
}

func (k *Kernel) String() string {
	if k == nil || k.mod == nil {
		return "no kernel"
	}
	return k.name + "(" + k.signature() + ")"
}

// Table is the kernel's card: its parameters and what it needs of the device.
func (k *Kernel) Table() display.Table {
	if k == nil || k.mod == nil {
		return *display.Card("No kernel")
	}
	t := display.NewTable("Kernel "+k.name, display.Column{Title: "parameter", Kind: display.Label},
		display.Column{Title: "type", Kind: display.Code},
		display.Column{Title: "offset", Kind: display.Number}, display.Column{Title: "bytes", Kind: display.Number})
	for _, p := range k.params {
		t.Add(p.Name, strings.TrimSuffix(p.String(), " "+p.Name), p.Offset, p.Size)
	}
	t.Note(k.needs())
	return *t
}

// needs tells what a launch takes of the device, or why the driver does not say: after a fault it
// answers nothing.
func (k *Kernel) needs() string {
	if k.mod.unloaded.Load() {
		return "Its module was unloaded."
	}
	var values []any
	for _, a := range []driver.FunctionAttribute{driver.FuncMaxThreadsPerBlock, driver.FuncNumRegs,
		driver.FuncSharedSizeBytes, driver.FuncLocalSizeBytes} {
		v, err := k.fn.Attribute(a)
		if err != nil {
			why, _, _ := strings.Cut(err.Error(), "\n")
			return "What it needs is not known: " + why
		}
		values = append(values, v)
	}
	return fmt.Sprintf("Up to %v threads a block, %v registers a thread, %v bytes of static shared memory, %v of "+
		"local memory.", values...)
}
