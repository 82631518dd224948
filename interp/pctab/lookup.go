package pctab

import (
	"runtime"
	"unsafe"
)

// Compiled is the address of the program's function of that name, as its *runtime.Func has it; 0 where there is none, or where Check failed. It
// looks through the functions in the order of their addresses: the runtime's come early.
func Compiled(function string) uintptr {
	if checked() != nil {
		return 0
	}
	m := program
	for _, entry := range m.ftab[:len(m.ftab)-1] {
		f := (*funcInfo)(unsafe.Pointer(&m.pclntable[entry.funcoff]))
		if !isAt(m.funcnametab, int(f.nameOff), function) {
			continue
		}
		at := m.text + uintptr(entry.entryoff)
		if found := runtime.FuncForPC(at); found == nil || found.Name() != function || found.Entry() != at {
			return 0
		}
		return at
	}
	return 0
}

// program is the module that the linker made. What this package links follows it.
var program = lastmoduledatap

// isAt tells whether the text that ends with a zero is there.
func isAt(names []byte, at int, text string) bool {
	end := at + len(text)
	return end < len(names) && names[end] == 0 && string(names[at:end]) == text
}
