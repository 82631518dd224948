package pctab

import (
	"runtime"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Compiled is the address of the program's function of that name, as its *runtime.Func has it; 0 where there is none, or where Check failed. It
// looks through the functions in the order of their addresses: the runtime's come early.
func Compiled(function string) uintptr {
	if checked() != nil {
		return 0
	}
	m := gorelease.Program
	for _, entry := range m.FTab[:len(m.FTab)-1] {
		f := (*funcInfo)(unsafe.Pointer(&m.PCLnTable[entry.FuncOff]))
		if !isAt(m.FuncNameTab, int(f.NameOff), function) {
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

// isAt reports whether the text that ends with a zero is there.
func isAt(names []byte, at int, text string) bool {
	end := at + len(text)
	return end < len(names) && names[end] == 0 && string(names[at:end]) == text
}
