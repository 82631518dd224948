package emulated

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// module is a loaded program.
type module struct {
	ctx     *context
	program *vm.Program
	mu      sync.Mutex
	dead    bool // nothing new may use it
	gone    bool // what was enqueued before has run
	funcs   map[string]*function
}

// images that are no PTX text, by their first bytes.
var images = []struct{ magic, name string }{
	{"\x7fELF", "a cubin"}, {"\x50\xed\x55\xba", "a fatbin"},
}

func (c *context) LoadModule(image []byte, options driver.JITOptions) (driver.Module, driver.JITLog, error) {
	const call = "cuModuleLoadDataEx"
	if err := c.enter(call); err != nil {
		return nil, driver.JITLog{}, err
	}
	for _, k := range images {
		if bytes.HasPrefix(image, []byte(k.magic)) {
			return nil, driver.JITLog{}, fail(call, driver.ErrorNoBinaryForGPU,
				"the image is %s: the emulated device loads PTX text alone", k.name)
		}
	}
	text := string(bytes.TrimRight(image, "\x00"))
	m, err := ptx.Parse("ptx", text)
	if err != nil {
		return nil, driver.JITLog{Error: describe(err)}, fail(call, driver.ErrorInvalidPTX, describe(err))
	}
	if v := m.Version; v.Major > ptxMajor || v.Major == ptxMajor && v.Minor > ptxMinor {
		return nil, driver.JITLog{}, fail(call, driver.ErrorUnsupportedPTXVersion,
			"the text is of PTX ISA %v, this device knows up to %d.%d", v, ptxMajor, ptxMinor)
	}
	p, err := vm.Load(m, c.memory, c.device.driver.options.Checks)
	if err != nil {
		return nil, driver.JITLog{Error: describe(err)}, loadError(call, err)
	}
	mod := &module{ctx: c, program: p, funcs: map[string]*function{}}
	log := driver.JITLog{}
	for _, name := range p.Kernels() {
		k, _ := p.Kernel(name)
		mod.funcs[name] = &function{module: mod, kernel: k, handle: c.device.driver.handle(), shared: defaultShared}
		if options.Verbose {
			log.Info += fmt.Sprintf("%s: %d registers, %d bytes shared, %d bytes local\n", name, k.Registers(), k.SharedBytes(),
				k.LocalBytes())
		}
	}
	return mod, log, nil
}

// describe writes an error of a text the way the just-in-time compiler does, with
// its line.
func describe(err error) string {
	var se *ptx.SyntaxError
	if errors.As(err, &se) {
		return fmt.Sprintf("line %d, column %d: %s", se.Line, se.Col,
			strings.TrimPrefix(err.Error(), fmt.Sprintf("%s:%d:%d: ", se.Module, se.Line, se.Col)))
	}
	var ue *vm.UnsupportedError
	if errors.As(err, &ue) {
		text := fmt.Sprintf("line %d, column %d: %s: %s", ue.Line, ue.Col, ue.Instruction, ue.Detail)
		if ue.Source != "" {
			text += " (source " + ue.Source + ")"
		}
		return text
	}
	var le *vm.LinkError
	if errors.As(err, &le) {
		return fmt.Sprintf("line %d: %s: %s", le.Line, le.Symbol, le.Detail)
	}
	return err.Error()
}

// loadError gives what vm.Load refuses its code.
func loadError(call string, err error) error {
	var full *vm.OutOfMemoryError
	if errors.As(err, &full) {
		return memoryError(call, err)
	}
	e := fail(call, driver.ErrorInvalidPTX, describe(err))
	var ue *vm.UnsupportedError
	if errors.As(err, &ue) {
		e.Fault = &driver.Fault{Kind: driver.FaultUnsupported, Line: ue.Line, Instruction: ue.Instruction, Source: ue.Source,
			Detail: ue.Detail}
		if ue.Invalid {
			e.Fault.Kind = driver.FaultInvalidPTX
		}
		if e.Detail = ""; ue.Source == "" {
			e.Fault.Code, e.Fault.Column = ue.Code, ue.Col
		}
	}
	return e
}

func (m *module) live(call string) error {
	if err := m.ctx.enter(call); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return fail(call, driver.ErrorInvalidHandle, "the module was unloaded")
	}
	return nil
}

// runnable reports whether a launch that was enqueued may run: those that came before
// Unload do.
func (m *module) runnable(call string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return fail(call, driver.ErrorInvalidHandle, "the module was unloaded")
	}
	return nil
}

func (m *module) Function(name string) (driver.Function, error) {
	const call = "cuModuleGetFunction"
	if err := m.live(call); err != nil {
		return nil, err
	}
	if f, ok := m.funcs[name]; ok {
		return f, nil
	}
	return nil, fail(call, driver.ErrorNotFound, "no kernel %q among %s", name, strings.Join(m.program.Kernels(), ", "))
}

func (m *module) Global(name string) (driver.DevicePtr, uint64, error) {
	const call = "cuModuleGetGlobal"
	if err := m.live(call); err != nil {
		return 0, 0, err
	}
	addr, size, ok := m.program.Global(name)
	if !ok {
		return 0, 0, fail(call, driver.ErrorNotFound, "no variable %q", name)
	}
	return driver.DevicePtr(addr), size, nil
}

func (m *module) Functions() ([]string, error) {
	return m.program.Kernels(), m.live("cuModuleEnumerateFunctions")
}

func (m *module) Unload() error {
	const call = "cuModuleUnload"
	if err := permitted(call); err != nil {
		return err
	}
	m.mu.Lock()
	if m.dead {
		m.mu.Unlock()
		return fail(call, driver.ErrorInvalidHandle, "the module was unloaded before")
	}
	m.dead = true
	m.mu.Unlock()
	m.ctx.settle()
	m.mu.Lock()
	m.gone = true
	m.mu.Unlock()
	m.program.Unload()
	return m.ctx.enter(call)
}
