package pctab

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

type (
	moduledata = gorelease.ModuleData
	functab    = gorelease.FuncTab
	funcInfo   = gorelease.Func
)

const (
	bucketText  = gorelease.FindFuncText
	bucketBytes = gorelease.FindFuncBytes
)

// last is the last module of the runtime's list.
var last = gorelease.Program

// newModule makes a module of one function with lines from first on, at an address. The runtime
// marks these types as not in the heap, and package reflect insists on it, so that all is in the
// arena.
func newModule(function, file string, first, lines int, at uintptr) (*moduledata, error) {
	bytes := uintptr(lines * lineBytes)
	tables, files, numbers := pcTables(first, lines)
	a, err := newArena(int(unsafe.Sizeof(moduledata{})+unsafe.Sizeof(funcInfo{})+bytes/bucketText*bucketBytes) +
		len(function) + len(file) + len(tables) + 256)
	if err != nil {
		return nil, err
	}
	m, f, entries := place[moduledata](a, 1), place[funcInfo](a, 1), place[functab](a, 2)
	f[0] = funcInfo{NameOff: 1, PCFile: files, PCLn: numbers, StartLine: int32(first)}
	entries[1].EntryOff = uint32(bytes)
	m[0] = moduledata{
		PCHeader:    last.PCHeader,
		FuncNameTab: place[byte](a, len(function)+2), // an offset of zero is no name
		CUTab:       place[uint32](a, 1),
		FileTab:     place[byte](a, len(file)+1),
		PCTab:       place[byte](a, len(tables)),
		PCLnTable:   unsafe.Slice((*byte)(unsafe.Pointer(&f[0])), unsafe.Sizeof(f[0])),
		FTab:        entries,
		// the first function in every bucket
		FindFuncTab: unsafe.Pointer(&place[[bucketBytes / 4]uint32](a, int(bytes/bucketText)+1)[0]),
		MinPC:       at, MaxPC: at + bytes, Text: at, EText: at + bytes,
	}
	copy(m[0].FuncNameTab[1:], function)
	copy(m[0].FileTab, file)
	copy(m[0].PCTab, tables)
	return &m[0], nil
}

// link puts a module behind all others. The runtime reads the list at any time and without a lock.
func link(m *moduledata) {
	gorelease.Link(last, m)
	last = m
}
