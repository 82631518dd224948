package cuda

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Module is code loaded on a device. It is unloaded by Unload or with its device.
type Module struct {
	dev    *Device
	mod    driver.Module
	name   string
	parsed *ptx.Module // nil for a binary image, or text that our parser does not know
	log    driver.JITLog
	handle *LiveHandle
	source *nvrtc.Program // nil for PTX

	unloaded atomic.Bool // changed under mu: launches look at it

	mu      sync.Mutex
	kernels map[string]*Kernel     // guarded by mu
	users   map[string]int         // guarded by mu: graphs that launch kernels
	globals map[string]*allocation // guarded by mu: the memory of variables
}

// LoadPTX loads PTX text. What does not compile is an error with the compiler's log and the line.
func (d *Device) LoadPTX(text string) (*Module, error) {
	return d.Load("ptx", []byte(text), driver.JITOptions{})
}

// Load loads PTX text or a binary image under a name that errors will use.
func (d *Device) Load(name string, image []byte, options JITOptions) (*Module, error) {
	const op = "Device.Load"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	parsed, parseErr := parsePTX(name, image)
	var log driver.JITLog
	mod, err := blocking(op, func() (m driver.Module, err error) {
		m, log, err = d.ctx.LoadModule(image, options)
		return m, err
	}, func(m driver.Module) { _ = m.Unload() })
	if wasInterrupted(err) {
		return nil, err
	}
	if err != nil {
		var refused *driver.Error
		if parseErr != nil && errors.As(err, &refused) && refused.Code == driver.ErrorInvalidPTX {
			return nil, &Error{Op: op, Err: &invalidText{parseErr, refused}}
		}
		return nil, &Error{Op: op, What: name, Got: logBeside(log.Error, err), Err: errors.Join(parseErr, err)}
	}
	m := &Module{dev: d, mod: mod, name: name, parsed: parsed, log: log, kernels: map[string]*Kernel{}}
	m.handle = track("module", name)
	if !d.own(m) {
		_ = m.closeWithDevice() // the device was closed meanwhile
		return nil, d.checkOpen(op)
	}
	return m, nil
}

// logBeside is what a compiler's log says beyond its error.
func logBeside(log string, err error) string {
	if log = strings.TrimSpace(log); strings.Contains(err.Error(), log) {
		return ""
	}
	return log
}

// parsePTX reads PTX text for the kernels' signatures. A binary image has none to read.
func parsePTX(name string, image []byte) (*ptx.Module, error) {
	for _, c := range image[:min(len(image), 64)] {
		if c == 0 || c >= 0x80 {
			return nil, nil
		}
	}
	m, err := ptx.Parse(name, string(image))
	if err != nil {
		return nil, err
	}
	return m, nil
}

// check refuses a nil module, and one whose code is gone.
func (m *Module) check(op string) error {
	if m == nil || m.dev == nil {
		return missing(op, "a module", "Device.LoadPTX")
	}
	if !m.unloaded.Load() {
		return nil
	}
	if state := m.dev.state(); state != "" {
		return m.dev.toldClosed(op)
	}
	return &Error{Op: op, What: "module " + m.name, Got: "the module was unloaded", Fix: "load it again",
		code: driver.ErrorInvalidHandle}
}

// Kernel finds a kernel by its name in the PTX. Kernels of LoadCUDA have their C++ names
// too.
func (m *Module) Kernel(name string) (*Kernel, error) {
	const op = "Module.Kernel"
	if err := m.check(op); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kernels[name]; k != nil {
		return k, nil
	}
	entry, c, err := m.entry(op, name)
	if err != nil {
		return nil, err
	}
	fn, err := m.mod.Function(entry)
	if err != nil {
		e := &Error{Op: op, What: fmt.Sprintf("kernel %q of module %s", name, m.name), Want: m.known(), Err: err}
		if e.Code().Sticky() { // nothing is wrong with the name
			return nil, m.dev.late(op, e.What, err)
		}
		return nil, e
	}
	k, err := newKernel(m, fn)
	if err != nil {
		return nil, err
	}
	k.describeCXX(c)
	m.kernels[name] = k
	return k, nil
}

// entry is the PTX name of a kernel and what the source says of it, nothing for PTX.
func (m *Module) entry(op, name string) (string, nvrtc.Kernel, error) {
	if m.source == nil {
		return name, nvrtc.Kernel{}, nil
	}
	c, candidates, ok := m.source.Find(name)
	if ok {
		return c.PTXName, c, nil
	}
	e := &Error{Op: op, What: fmt.Sprintf("kernel %q of module %s", name, m.name), Want: m.known(),
		Got: "no kernel of that name", Fix: "look at the spelling; a template has kernels only where it is instantiated",
		Err: driver.ErrorNotFound}
	if len(candidates) > 0 {
		e.Want, e.Got, e.Fix = "one of "+strings.Join(candidates, ", "), name, "say which one is meant, as it is written here"
	}
	return "", c, e
}

// known says which kernels there are, for an error.
func (m *Module) known() string {
	if names := m.Kernels(); len(names) > 0 {
		return "one of " + strings.Join(names, ", ")
	}
	return ""
}

// Kernels names the module's kernels, sorted; nil for a binary image on a driver that cannot list
// them.
func (m *Module) Kernels() []string {
	if m == nil || m.dev == nil {
		return nil
	}
	if m.parsed == nil {
		names, err := m.mod.Functions()
		if err != nil {
			return nil
		}
		return names
	}
	var names []string
	for _, k := range m.parsed.Kernels() {
		name := k.Name
		if _, c, err := m.entry("", name); err == nil && c.Name != "" {
			name = c.Name
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Log is what the just-in-time compiler wrote.
func (m *Module) Log() JITLog {
	if m == nil {
		return driver.JITLog{}
	}
	return m.log
}

// Close waits for the device and gives the code back; kernels of it are refused afterwards.
func (m *Module) Close() error {
	const op = "Module.Close"
	if err := m.check(op); err != nil {
		return err
	}
	if err := m.dev.mayWait(op); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for user := range m.users {
		return &Error{Op: op, What: m.name, Got: "its kernels are in use by " + user, Fix: "close that first",
			code: driver.ErrorIllegalState}
	}
	err := m.dev.quiet(op) // work under way may run the code
	if wasInterrupted(err) {
		return err
	}
	if m.unloaded.Swap(true) {
		return m.check(op) // another goroutine was here
	}
	m.forgetGlobals()
	if !m.dev.disown(m) {
		return nil
	}
	defer m.dev.gone()
	m.handle.forget()
	return wrap(op, m.name, errors.Join(err, m.mod.Unload()))
}

// hold keeps the module from being unloaded while user needs it; release ends that.
func (m *Module) hold(op, user string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.check(op); err != nil {
		return err
	}
	if m.users == nil {
		m.users = map[string]int{}
	}
	m.users[user]++
	return nil
}

func (m *Module) release(user string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users[user]--; m.users[user] <= 0 {
		delete(m.users, user)
	}
}

func (m *Module) closeWithDevice() error {
	m.lost()
	return m.mod.Unload()
}

func (m *Module) lost() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unloaded.Store(true)
	m.forgetGlobals()
	m.handle.forget()
}

// Table lists the module's kernels with what they take.
func (m *Module) Table() display.Table {
	if m == nil || m.dev == nil {
		return *display.Card("No module")
	}
	t := display.NewTable("Module "+m.name, display.Column{Title: "kernel", Kind: display.Label},
		display.Column{Title: "parameters", Kind: display.Code},
		display.Column{Title: "registers", Kind: display.Number}, display.Column{Title: "shared", Kind: display.Number})
	for _, name := range m.Kernels() {
		k, err := m.Kernel(name)
		if err != nil {
			t.Add(name, err.Error())
			continue
		}
		t.Add(name, k.signature(), k.attribute(driver.FuncNumRegs), k.attribute(driver.FuncSharedSizeBytes))
	}
	if names := m.Globals(); len(names) > 0 {
		t.Note("Variables: " + strings.Join(names, ", ") + ".")
	}
	if m.log.Info != "" {
		t.Note(m.log.Info)
	}
	return *t
}

func (m *Module) String() string {
	if m == nil || m.dev == nil {
		return "no module"
	}
	return fmt.Sprintf("module %s: %s", m.name, strings.Join(m.Kernels(), ", "))
}
