package native

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// jitLogBytes is the room for each of the compiler's two logs; it cuts what is longer.
const jitLogBytes = 64 << 10

// The options of cuModuleLoadDataEx (CUjit_option) that JITOptions can ask for.
const (
	jitMaxRegisters      = 0
	jitInfoLogBuffer     = 3
	jitInfoLogBytes      = 4
	jitErrorLogBuffer    = 5
	jitErrorLogBytes     = 6
	jitOptimizationLevel = 7
	jitTarget            = 9
	jitGenerateDebugInfo = 11
	jitLogVerbose        = 12
	jitGenerateLineInfo  = 13
)

// jitArgs are the two parallel arrays of options and values.
type jitArgs struct {
	options []uint32
	values  []uintptr
	info    []byte
	errors  []byte
}

func (a *jitArgs) add(option uint32, value uintptr) {
	a.options = append(a.options, option)
	a.values = append(a.values, value)
}

func newJITArgs(o driver.JITOptions) *jitArgs {
	a := &jitArgs{info: make([]byte, jitLogBytes), errors: make([]byte, jitLogBytes)}
	a.add(jitInfoLogBuffer, uintptr(at(a.info)))
	a.add(jitInfoLogBytes, jitLogBytes)
	a.add(jitErrorLogBuffer, uintptr(at(a.errors)))
	a.add(jitErrorLogBytes, jitLogBytes)
	if o.MaxRegisters != 0 {
		a.add(jitMaxRegisters, uintptr(o.MaxRegisters))
	}
	if o.OptimizationLevel != nil {
		a.add(jitOptimizationLevel, uintptr(*o.OptimizationLevel))
	}
	if o.Target != (driver.ComputeCapability{}) {
		a.add(jitTarget, uintptr(10*o.Target.Major+o.Target.Minor))
	}
	for option, on := range map[uint32]bool{jitGenerateDebugInfo: o.DebugInfo, jitGenerateLineInfo: o.LineInfo,
		jitLogVerbose: o.Verbose} {
		if on {
			a.add(option, 1)
		}
	}
	return a
}

func (a *jitArgs) log() driver.JITLog {
	return driver.JITLog{Info: text(a.info), Error: text(a.errors)}
}

// text reads a C string in a buffer.
func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return strings.TrimRight(s, "\n")
}

// LoadModule hands the image over with a zero byte behind it, which ends PTX text and is ignored
// behind a cubin.
func (c *context) LoadModule(image []byte, options driver.JITOptions) (driver.Module, driver.JITLog, error) {
	data := append(slices.Clip(slices.Clone(image)), 0)
	a := newJITArgs(options)
	var h uintptr
	// a's two log buffers are known to the library by address alone; a.log keeps them alive.
	err := c.call(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&h)), uintptr(at(data)), uintptr(len(a.options)),
		uintptr(unsafe.Pointer(&a.options[0])), uintptr(unsafe.Pointer(&a.values[0])))
	log := a.log()
	if err != nil {
		if e, ok := err.(*driver.Error); ok && log.Error != "" {
			e.Detail = log.Error
		}
		return nil, log, err
	}
	m := &module{ctx: c, layouts: paramLayouts(image)}
	m.handle.put(h)
	return m, log, nil
}

type module struct {
	ctx    *context
	handle handle
	// layouts are those that alignedparams.go tells.
	layouts map[string][]driver.ParamInfo
}

// cName makes a C string. It is not inlined, so that the bytes lie on the heap, where they stay
// while C reads them.
//
//go:noinline
func cName(name string) []byte { return append([]byte(name), 0) }

// lookup gives the module's handle for a call with a name, and refuses names that C would cut.
func (m *module) lookup(s symbol, name string) (uintptr, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return 0, refuse(s, driver.ErrorNotFound, "the name holds a zero byte")
	}
	return m.handle.get(s)
}

// named adds the name that was looked for to an error.
func named(err error, name string) error {
	if e, ok := err.(*driver.Error); ok && e.Detail == "" {
		e.Detail = "the name is " + name
	}
	return err
}

func (m *module) Function(name string) (driver.Function, error) {
	mh, err := m.lookup(cuModuleGetFunction, name)
	if err != nil {
		return nil, err
	}
	var h uintptr
	if err := m.ctx.call(cuModuleGetFunction, uintptr(unsafe.Pointer(&h)), mh, uintptr(at(cName(name)))); err != nil {
		return nil, named(err, name)
	}
	f := &function{ctx: m.ctx, mod: m, handle: h, name: name}
	f.learnParams()
	m.ctx.functions.put(h, f)
	return f, nil
}

func (m *module) Global(name string) (driver.DevicePtr, uint64, error) {
	mh, err := m.lookup(cuModuleGetGlobal, name)
	if err != nil {
		return 0, 0, err
	}
	var p driver.DevicePtr
	var n uint64
	err = m.ctx.call(cuModuleGetGlobal, uintptr(unsafe.Pointer(&p)), uintptr(unsafe.Pointer(&n)), mh,
		uintptr(at(cName(name))))
	return p, n, named(err, name)
}

func (m *module) Functions() ([]string, error) {
	h, err := m.handle.get(cuModuleGetFunctionCount)
	if err != nil {
		return nil, err
	}
	var n uint32
	if err := m.ctx.call(cuModuleGetFunctionCount, uintptr(unsafe.Pointer(&n)), h); err != nil || n == 0 {
		return nil, err
	}
	handles := make([]uintptr, n)
	if err := m.ctx.call(cuModuleEnumerateFunctions, uintptr(unsafe.Pointer(&handles[0])), uintptr(n), h); err != nil {
		return nil, err
	}
	names := make([]string, 0, n)
	for _, f := range handles {
		name, err := m.ctx.functionName(f)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (m *module) Unload() error {
	h, err := m.handle.take(cuModuleUnload)
	if err != nil {
		return err
	}
	m.ctx.functions.drop(func(f *function) bool { return f.mod == m })
	return m.ctx.call(cuModuleUnload, h)
}
