package gorelease

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// Modules is the fact that the tables of the linker are read by, and added to.
var Modules = &Fact{
	Name: "runtime.moduledata",
	Why: "private functions of the runtime are found by name; places of cells are in its tables; " +
		"its data are looked through",
	Without: "places of cells in compiled code's own stacks and logs, types that gain methods, and what other facts " +
		"need private functions for",
	check: checkModule,
}

// compiled is the address of the program's function of that name, as its *runtime.Func has it; 0
// where there is none, or where the module's layout is another. It looks through the functions in
// the order of their addresses: the runtime's come early.
func compiled(function string) uintptr {
	if !Modules.Holds() {
		return 0
	}
	m := Program
	for _, entry := range m.FTab[:len(m.FTab)-1] {
		if !isAt(m.FuncNameTab, int(m.function(entry).NameOff), function) {
			continue
		}
		at := m.Text + uintptr(entry.EntryOff)
		if found := runtime.FuncForPC(at); found == nil || found.Name() != function || found.Entry() != at {
			return 0
		}
		return at
	}
	return 0
}

func (m *ModuleData) function(entry FuncTab) *Func {
	return (*Func)(unsafe.Pointer(&m.PCLnTable[entry.FuncOff]))
}

// isAt reports whether the text that ends with a zero is there.
func isAt(names []byte, at int, text string) bool {
	end := at + len(text)
	return end < len(names) && names[end] == 0 && string(names[at:end]) == text
}

// Quantum is what differences of program counters are counted in.
func Quantum() int {
	if runtime.GOARCH == "arm64" {
		return 4
	}
	return 1
}

func checkModule() error {
	m, at := Program, pc()
	switch {
	case m == nil || m.PCHeader == nil:
		return errors.New("there is none")
	case m.HasMain != 1 || m.MinPC > at || at >= m.MaxPC || m.Text > at || at >= m.EText:
		return errors.New("its code is elsewhere")
	case m.PCHeader.Magic != PCLnTabMagic || m.PCHeader.Pad1 != 0 || m.PCHeader.Pad2 != 0,
		int(m.PCHeader.PtrSize) != int(unsafe.Sizeof(at)) || int(m.PCHeader.MinLC) != Quantum(),
		m.PCHeader.NFunc != len(m.FTab)-1:
		return errors.New("the head of its tables is another")
	case m.nameOf(at) != runtime.FuncForPC(at).Name():
		return fmt.Errorf("it calls %s %s", runtime.FuncForPC(at).Name(), m.nameOf(at))
	}
	return m.holdsData()
}

// holdsData looks for things of the binary where its module says that such things are.
func (m *ModuleData) holdsData() error {
	for _, c := range []struct {
		what     string
		p        unsafe.Pointer
		from, to uintptr
	}{
		{"types", compiledWord(reflect.TypeFor[probe]()), m.Types, m.ETypes},
		{"data", unsafe.Pointer(&inData), m.Data, m.EData},
		{"zeroed data", unsafe.Pointer(&inBSS), m.BSS, m.EBSS},
	} {
		if uintptr(c.p) < c.from || uintptr(c.p) >= c.to {
			return fmt.Errorf("its %s are not at %#x to %#x", c.what, c.from, c.to)
		}
	}
	return nil
}

var (
	inData = &inBSS // a variable that the compiler gives its value
	inBSS  [4]*byte
)

//go:noinline
func pc() uintptr {
	at, _, _, _ := runtime.Caller(0)
	return at
}

// nameOf looks a function up in a module's tables, without their index.
func (m *ModuleData) nameOf(at uintptr) string {
	for i := range len(m.FTab) - 1 {
		if m.Text+uintptr(m.FTab[i+1].EntryOff) > at {
			text := m.FuncNameTab[m.function(m.FTab[i]).NameOff:]
			n := 0
			for text[n] != 0 {
				n++
			}
			return string(text[:n])
		}
	}
	return ""
}
