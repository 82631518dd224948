package cuda

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// elements are Go's types for those of PTX variables. The signs of integers are not told there.
var elements = map[ptx.Type]reflect.Type{
	ptx.F32: reflect.TypeFor[float32](), ptx.F64: reflect.TypeFor[float64](), ptx.U16: reflect.TypeFor[uint16](),
	ptx.S16: reflect.TypeFor[int16](), ptx.B16: reflect.TypeFor[uint16](),
	ptx.U32: reflect.TypeFor[uint32](), ptx.S32: reflect.TypeFor[int32](), ptx.B32: reflect.TypeFor[uint32](),
	ptx.U64: reflect.TypeFor[uint64](), ptx.S64: reflect.TypeFor[int64](),
	ptx.B64: reflect.TypeFor[uint64](), ptx.S8: reflect.TypeFor[int8](),
}

// Global is a variable of the module in global or constant memory as a buffer, by its name in the
// PTX, which is that in C++ but for variables in namespaces. Its elements are of the type of zero,
// as with Device.Make, or, without one, those that the PTX declares; structs, and arrays with
// values from the start, are bytes there. The memory is the module's: it cannot be freed, and is
// gone with it.
//
//	mod.MustGlobal("weights", float32(0)).Write(0, []float32{1, 2, 3, 4})
func (m *Module) Global(name string, zero ...any) (*Buffer, error) {
	const op = "Module.Global"
	if len(zero) > 1 {
		return nil, &Error{Op: op, What: "variable " + name, Want: "at most one value, for the type",
			Got: fmt.Sprint(len(zero))}
	}
	if err := m.check(op); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a, err := m.globalMemory(op, name)
	if err != nil {
		return nil, err
	}
	elem := reflect.TypeFor[byte]()
	if len(zero) > 0 {
		elem = reflect.TypeOf(zero[0])
	} else if v, ok := m.variable(name); ok && elements[v.Type] != nil {
		elem = elements[v.Type]
	}
	if err := deviceType(op, elem); err != nil {
		return nil, err
	}
	if size := uint64(elem.Size()); a.bytes%size != 0 || size > a.bytes {
		return nil, &Error{Op: op, What: "variable " + name,
			Want: fmt.Sprintf("a type whose elements fill %d bytes", a.bytes), Got: fmt.Sprintf("%s, %d bytes", elem, size)}
	}
	return &Buffer{a: a, elem: elem, n: int(a.bytes / uint64(elem.Size()))}, nil
}

// globalMemory is a variable's memory; the caller holds mu.
func (m *Module) globalMemory(op, name string) (*allocation, error) {
	if a := m.globals[name]; a != nil {
		return a, nil
	}
	ptr, bytes, err := m.mod.Global(name)
	if err != nil {
		e := &Error{Op: op, What: fmt.Sprintf("variable %q of module %s", name, m.name), Err: err}
		if names := m.Globals(); len(names) > 0 {
			e.Want = "one of " + strings.Join(names, ", ")
		}
		return nil, e
	}
	if m.globals == nil {
		m.globals = map[string]*allocation{}
	}
	m.globals[name] = &allocation{id: bufferSerial.Add(1), dev: m.dev, ptr: ptr, bytes: bytes, module: m.name}
	return m.globals[name], nil
}

func (m *Module) variable(name string) (*ptx.Variable, bool) {
	if m.parsed == nil {
		return nil, false
	}
	return m.parsed.Variable(name)
}

// Globals names the module's variables that Global finds, sorted; nil for a binary image. Those in
// namespaces, and so those of CUDA's headers, and those that the compiler made are left out.
func (m *Module) Globals() []string {
	if m == nil || m.parsed == nil {
		return nil
	}
	var names []string
	for _, v := range m.parsed.Vars {
		if (v.Space == ptx.Global || v.Space == ptx.Const) && v.Linkage != ptx.Extern && !strings.HasPrefix(v.Name, "_") &&
			!strings.Contains(v.Name, "$") {
			names = append(names, v.Name)
		}
	}
	sort.Strings(names)
	return names
}

// forgetGlobals makes the buffers of variables answer that they are gone; the caller holds mu.
func (m *Module) forgetGlobals() {
	for _, a := range m.globals {
		a.mu.Lock()
		a.freed.Store(true)
		a.mu.Unlock()
	}
}
