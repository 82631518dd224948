package nvrtc

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Program is what a source became.
type Program struct {
	// PTX is the text to load.
	PTX string
	// Name, Source and FirstLine are what was compiled, as Options has them.
	Name, Source string
	FirstLine    int
	// Kernels are the kernels of the source in its order, then instances of templates.
	Kernels []Kernel
	// Diagnostics are warnings.
	Diagnostics []Diagnostic
	// Log is what the compiler wrote.
	Log string
	// Compiler and Arch say what compiled it and for what.
	Compiler string
	Version  driver.Version
	Arch     string
	// Elapsed is how long it took.
	Elapsed time.Duration
}

// Compile compiles CUDA C++ with the compiler that fits the options. An error of the source is a
// *CompileError; a machine without a compiler gives a *NotFoundError.
func Compile(source string, o Options) (*Program, error) {
	c, err := For(o.Driver)
	if err != nil {
		return nil, err
	}
	return c.Compile(source, o)
}

// Compile compiles CUDA C++.
func (c *Compiler) Compile(source string, o Options) (*Program, error) {
	start := time.Now()
	if o.Driver != 0 && c.Version > o.Driver {
		return nil, &VersionError{Compiler: c.String(), Have: c.Version, Driver: o.Driver}
	}
	arch, err := c.arch(o.Compute)
	if err != nil {
		return nil, err
	}
	name := o.Name
	if name == "" {
		name = "cuda"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.compile(source, name, c.arguments(o, arch), o)
	if err != nil {
		return nil, err
	}
	p.Arch, p.Compiler, p.Version, p.Elapsed = arch, c.Path, c.Version, time.Since(start)
	return p, nil
}

// Line gives a line of the source, counted as messages count; empty where it has none.
func (p *Program) Line(n int) string {
	lines := strings.Split(p.Source, "\n")
	if n -= p.FirstLine; n < 0 || n >= len(lines) {
		return ""
	}
	return strings.TrimRight(lines[n], " \t\r")
}

// terminated makes C strings. It is not inlined, so that they lie on the heap, where they stay
// while C reads them.
//
//go:noinline
func terminated(s string) *byte {
	b := append([]byte(s), 0)
	return &b[0]
}

// numbered puts the cell's name and line before the source, so that the compiler's messages,
// __LINE__ and line information are the cell's.
func numbered(source, name string, first int) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(name)
	return fmt.Sprintf("#line %d \"%s\"\n%s", max(first, 1), escaped, source)
}

func (c *Compiler) compile(source, name string, args []string, o Options) (*Program, error) {
	if i := strings.IndexByte(source, 0); i >= 0 {
		return nil, &CompileError{Name: name,
			Diagnostics: []Diagnostic{{File: name, Line: max(o.FirstLine, 1) + strings.Count(source[:i], "\n"),
				Severity: "error", Message: "the source holds a zero byte"}}}
	}
	var prog uintptr
	err := c.do(nvrtcCreateProgram, uintptr(unsafe.Pointer(&prog)),
		uintptr(unsafe.Pointer(terminated(numbered(source, name, o.FirstLine)))),
		uintptr(unsafe.Pointer(terminated(name))), 0, 0, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.do(nvrtcDestroyProgram, uintptr(unsafe.Pointer(&prog))) }() // nothing can be done about it
	for _, instance := range o.Instances {
		if err := c.do(nvrtcAddNameExpression, prog, uintptr(unsafe.Pointer(terminated(instance)))); err != nil {
			return nil, err
		}
	}
	compileErr := c.build(prog, args)
	log, err := c.text(prog, nvrtcGetProgramLogSize, nvrtcGetProgramLog)
	if err != nil {
		return nil, err
	}
	diagnostics := readLog(log)
	if compileErr != nil {
		return nil, &CompileError{Name: name, Log: log, Diagnostics: diagnostics, Err: compileErr}
	}
	ptx, err := c.text(prog, nvrtcGetPTXSize, nvrtcGetPTX)
	if err != nil {
		return nil, err
	}
	p := &Program{PTX: ptx, Name: name, Source: source, FirstLine: max(o.FirstLine, 1), Log: log,
		Diagnostics: diagnostics, Kernels: findKernels(source, ptx)}
	return p, c.addInstances(p, prog, o.Instances)
}

// build runs the compiler. The array of options is C's: pointers to C strings.
func (c *Compiler) build(prog uintptr, args []string) error {
	list := make([]*byte, len(args)+1)
	for i, a := range args {
		list[i] = terminated(a)
	}
	err := c.do(nvrtcCompileProgram, prog, uintptr(len(args)), uintptr(unsafe.Pointer(&list[0])))
	runtime.KeepAlive(list)
	return err
}

// text reads one of the program's texts: its size with the ending zero, then its bytes.
func (c *Compiler) text(prog uintptr, size, get function) (string, error) {
	var n uint64
	if err := c.do(size, prog, uintptr(unsafe.Pointer(&n))); err != nil || n <= 1 {
		return "", err
	}
	b := make([]byte, n)
	if err := c.do(get, prog, uintptr(unsafe.Pointer(&b[0]))); err != nil {
		return "", err
	}
	return strings.TrimRight(string(b), "\x00"), nil
}

// addInstances asks for the PTX names of instances of templates.
func (c *Compiler) addInstances(p *Program, prog uintptr, instances []string) error {
	for _, instance := range instances {
		var name *byte
		if err := c.do(nvrtcGetLoweredName, prog, uintptr(unsafe.Pointer(terminated(instance))),
			uintptr(unsafe.Pointer(&name))); err != nil {
			return err
		}
		p.alias(instance, cString(uintptr(unsafe.Pointer(name))))
	}
	return nil
}
