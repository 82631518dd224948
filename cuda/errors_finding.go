package cuda

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
)

// How what the device found is told: the finding first, in the words of the source, CUDA's code
// last.

// writeFinding tells a fault: what was found, then the call that told of it, with its code.
func (e *Error) writeFinding(b *strings.Builder, found *driver.Error) {
	b.WriteString(found.Fault.Error())
	fmt.Fprintf(b, "\n  %s, ", e.Op)
	if e.What != "" {
		fmt.Fprintf(b, "%s, ", e.What)
	}
	fmt.Fprintf(b, "%s: %s (%d)", found.Call, found.Code.Name(), uint32(found.Code))
	if e.Fix != "" {
		fmt.Fprintf(b, "\nWhat to do: %s", e.Fix)
	}
}

// quote gives a fault the source's line and names, where a module of the device was compiled from
// CUDA C++ with its kernel.
func (d *Device) quote(f *driver.Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.owned {
		m, ok := c.(*Module)
		if !ok || m.source == nil {
			continue
		}
		for i := range m.source.Kernels {
			if k := &m.source.Kernels[i]; k.PTXName == f.Kernel {
				quoteFrom(f, m.source, k)
				return
			}
		}
	}
}

func quoteFrom(f *driver.Fault, p *nvrtc.Program, k *nvrtc.Kernel) {
	if at, ok := strings.CutPrefix(f.Parameter, f.Kernel+"_param_"); ok {
		if n, err := strconv.Atoi(at); err == nil && n < len(k.Params) && k.Params[n].Name != "" {
			f.Parameter = k.Params[n].Name
		}
	}
	if line, ok := strings.CutPrefix(f.Source, p.Name+":"); ok && f.Code == "" {
		if n, err := strconv.Atoi(line); err == nil {
			f.Code = p.Line(n)
		}
	}
}

// An invalidText is PTX that neither this package nor the driver reads. It is told once.
type invalidText struct {
	parse  error // with name, line and column
	driver *driver.Error
}

func (e *invalidText) Error() string {
	return fmt.Sprintf("%v\n  %s: %s (%d)", e.parse, e.driver.Call, e.driver.Code.Name(), uint32(e.driver.Code))
}

func (e *invalidText) Unwrap() []error { return []error{e.parse, e.driver} }
