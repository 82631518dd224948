package nvrtc

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Compiler is an opened NVRTC library. Compilations of one library run one after the other.
type Compiler struct {
	// Path is the library, Includes the folders of headers that belong to it.
	Path     string
	Includes []string
	// Version is the CUDA version it belongs to; its PTX is read by drivers of this version and
	// newer.
	Version driver.Version
	// Archs are the architectures it compiles for, ascending.
	Archs []driver.ComputeCapability

	mu   sync.Mutex // one compilation at a time
	call [functionCount]uintptr
}

// A function is a row of the table of functions.
type function int

const (
	nvrtcVersion function = iota
	nvrtcGetErrorString
	nvrtcGetNumSupportedArchs
	nvrtcGetSupportedArchs
	nvrtcCreateProgram
	nvrtcDestroyProgram
	nvrtcCompileProgram
	nvrtcGetProgramLogSize
	nvrtcGetProgramLog
	nvrtcGetPTXSize
	nvrtcGetPTX
	nvrtcAddNameExpression
	nvrtcGetLoweredName
	functionCount
)

var functionNames = [functionCount]string{"nvrtcVersion", "nvrtcGetErrorString", "nvrtcGetNumSupportedArchs",
	"nvrtcGetSupportedArchs",
	"nvrtcCreateProgram", "nvrtcDestroyProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",
	"nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcAddNameExpression", "nvrtcGetLoweredName"}

// A CallError is an NVRTC function that failed for a reason other than the source.
type CallError struct {
	Function, Library string
	Code              int
	Message           string
}

func (e *CallError) Error() string {
	return fmt.Sprintf("%s (%s): %s (%d)", e.Function, e.Library, e.Message, e.Code)
}

// opened keeps the libraries of this process: NVRTC does not like to be unloaded.
var opened struct {
	mu sync.Mutex
	m  map[string]*Compiler // guarded by mu
}

// Open opens a library.
func Open(c Candidate) (*Compiler, error) {
	opened.mu.Lock()
	defer opened.mu.Unlock()
	if known := opened.m[c.Path]; known != nil {
		return known, nil
	}
	loadBuiltins(c.Path)
	runtime.LockOSThread() // why a library did not open is told to the thread that tried
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(c.Path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	lib := &Compiler{Path: c.Path, Includes: c.Includes}
	for f, name := range functionNames {
		if lib.call[f], err = purego.Dlsym(handle, name); err != nil {
			return nil, fmt.Errorf("%s is not an NVRTC library of CUDA 11.2 or newer: %w", c.Path, err)
		}
	}
	if err := lib.learn(); err != nil {
		return nil, err
	}
	if opened.m == nil {
		opened.m = map[string]*Compiler{}
	}
	opened.m[c.Path] = lib
	return lib, nil
}

// loadBuiltins opens the library of built-in functions that lies beside NVRTC: since CUDA 13.0
// NVRTC asks the loader for it by its bare name, which works once it is loaded.
func loadBuiltins(path string) {
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "libnvrtc-builtins.so.*")) // the pattern is well-formed
	for _, name := range names {
		if !strings.Contains(name, ".alt.") {
			_, _ = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL) // where this fails, compiling tells
		}
	}
}

// do makes a call. What the uintptr arguments point to stays in place while it runs.
//
//go:uintptrescapes
func (c *Compiler) do(f function, args ...uintptr) error {
	r, _, _ := purego.SyscallN(c.call[f], args...)
	if code := int(int32(r)); code != 0 {
		return &CallError{Function: functionNames[f], Library: c.Path, Code: code, Message: c.message(code)}
	}
	return nil
}

func (c *Compiler) message(code int) string {
	r, _, _ := purego.SyscallN(c.call[nvrtcGetErrorString], uintptr(code))
	return cString(r)
}

// cString copies a C string that the library keeps.
func cString(address uintptr) string {
	p := *(**byte)(unsafe.Pointer(&address))
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// learn asks the library for its version and architectures.
func (c *Compiler) learn() error {
	var major, minor, count int32
	if err := c.do(nvrtcVersion, uintptr(unsafe.Pointer(&major)), uintptr(unsafe.Pointer(&minor))); err != nil {
		return err
	}
	c.Version = driver.Version(1000*major + 10*minor)
	if err := c.do(nvrtcGetNumSupportedArchs, uintptr(unsafe.Pointer(&count))); err != nil {
		return err
	}
	archs := make([]int32, max(count, 1))
	if err := c.do(nvrtcGetSupportedArchs, uintptr(unsafe.Pointer(&archs[0]))); err != nil {
		return err
	}
	for _, a := range archs[:count] {
		c.Archs = append(c.Archs, driver.ComputeCapability{Major: int(a) / 10, Minor: int(a) % 10})
	}
	return nil
}

func (c *Compiler) String() string { return fmt.Sprintf("NVRTC %s (%s)", c.Version, c.Path) }

// For finds and opens the newest compiler whose PTX a driver of that version reads; version 0 means
// any.
func For(version driver.Version) (*Compiler, error) {
	found, searched := Find()
	var best *Compiler
	var tooNew []*Compiler
	for _, candidate := range found {
		c, err := Open(candidate)
		if err != nil {
			searched = append(searched, fmt.Sprintf("%s: %v", candidate.Path, err))
			continue
		}
		if version != 0 && c.Version > version {
			tooNew = append(tooNew, c)
			continue
		}
		if best == nil || c.Version > best.Version {
			best = c
		}
	}
	switch {
	case best != nil:
		return best, nil
	case len(tooNew) > 0:
		return nil, &VersionError{Compiler: tooNew[0].String(), Have: tooNew[0].Version, Driver: version}
	}
	return nil, &NotFoundError{Searched: searched}
}
