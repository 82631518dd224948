package pctab

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// These are the runtime's types of Go 1.26, in runtime/symtab.go and runtime2.go.
type (
	moduledata struct {
		pcHeader              *pcHeader
		funcnametab           []byte
		cutab                 []uint32
		filetab               []byte
		pctab                 []byte
		pclntable             []byte
		ftab                  []functab
		findfunctab           unsafe.Pointer
		minpc, maxpc          uintptr
		text, etext           uintptr
		noptrdata, enoptrdata uintptr
		data, edata           uintptr
		bss, ebss             uintptr
		noptrbss, enoptrbss   uintptr
		covctrs, ecovctrs     uintptr
		end, gcdata, gcbss    uintptr
		types, etypes         uintptr
		rodata                uintptr
		gofunc                uintptr
		epclntab              uintptr
		textsectmap           []struct{ vaddr, end, baseaddr uintptr }
		typelinks             []int32
		itablinks             []unsafe.Pointer
		ptab                  []struct{ name, typ int32 }
		pluginpath            string
		pkghashes             []struct{}
		inittasks             []unsafe.Pointer
		modulename            string
		modulehashes          []struct{}
		hasmain               uint8
		bad                   bool
		gcdatamask, gcbssmask struct {
			n        int32
			bytedata *uint8
		}
		typemap map[int32]unsafe.Pointer
		next    unsafe.Pointer
	}
	pcHeader struct {
		magic      uint32
		pad1, pad2 uint8
		minLC      uint8
		ptrSize    uint8
		nfunc      int
		_          uint       // files
		_          [6]uintptr // offsets that only tools read
	}
	functab struct{ entryoff, funcoff uint32 }
	// _func without the tables behind it, of which a function of a cell has none.
	funcInfo struct {
		entryOff    uint32
		nameOff     int32
		args        int32
		deferreturn uint32
		pcsp        uint32
		pcfile      uint32
		pcln        uint32
		npcdata     uint32
		cuOffset    uint32
		startLine   int32
		funcID      uint8
		flag        uint8
		_           [1]byte
		nfuncdata   uint8
	}
)

// magic is internal/abi.CurrentPCLnTabMagic.
const magic = 0xfffffff1

// A bucket of findfunctab stands for so many bytes of text.
const (
	bucketText  = 4096
	bucketBytes = 4 + 16
)

//go:linkname lastmoduledatap runtime.lastmoduledatap
var lastmoduledatap *moduledata

// Check says whether the program's own tables have the layout that this package writes. It looks once, before anything is linked.
func Check() error { return checked() }

var checked = sync.OnceValue(func() error {
	m, at := lastmoduledatap, pc()
	switch {
	case m == nil || m.pcHeader == nil:
	case m.next != nil || m.hasmain != 1 || m.minpc > at || at >= m.maxpc || m.text > at || at >= m.etext:
	case m.pcHeader.magic != magic || m.pcHeader.pad1 != 0 || m.pcHeader.pad2 != 0:
	case int(m.pcHeader.ptrSize) != int(unsafe.Sizeof(at)) || int(m.pcHeader.minLC) != quantum() || m.pcHeader.nfunc != len(m.ftab)-1:
	case name(m, at) != runtime.FuncForPC(at).Name():
	default:
		return nil
	}
	return fmt.Errorf("pctab: the module data of %s have another layout than those of go1.26: build with the Go release that go.mod names", runtime.Version())
})

//go:noinline
func pc() uintptr {
	at, _, _, _ := runtime.Caller(0)
	return at
}

// name looks a function up in a module's tables, without their index.
func name(m *moduledata, at uintptr) string {
	for i := range len(m.ftab) - 1 {
		if m.text+uintptr(m.ftab[i+1].entryoff) > at {
			f := (*funcInfo)(unsafe.Pointer(&m.pclntable[m.ftab[i].funcoff]))
			text := m.funcnametab[f.nameOff:]
			n := 0
			for text[n] != 0 {
				n++
			}
			return string(text[:n])
		}
	}
	return ""
}

// newModule makes a module of one function with lines from first on, at an address. The runtime marks these types as not in the heap, and
// package reflect insists on it, so that all is in the arena.
func newModule(function, file string, first, lines int, at uintptr) (*moduledata, error) {
	bytes := uintptr(lines * lineBytes)
	tables, files, numbers := pcTables(first, lines)
	a, err := newArena(int(unsafe.Sizeof(moduledata{})+unsafe.Sizeof(funcInfo{})+bytes/bucketText*bucketBytes) + len(function) + len(file) + len(tables) + 256)
	if err != nil {
		return nil, err
	}
	m, f, entries := place[moduledata](a, 1), place[funcInfo](a, 1), place[functab](a, 2)
	f[0] = funcInfo{nameOff: 1, pcfile: files, pcln: numbers, startLine: int32(first)}
	entries[1].entryoff = uint32(bytes)
	m[0] = moduledata{
		pcHeader:    lastmoduledatap.pcHeader,
		funcnametab: place[byte](a, len(function)+2), // an offset of zero is no name
		cutab:       place[uint32](a, 1),
		filetab:     place[byte](a, len(file)+1),
		pctab:       place[byte](a, len(tables)),
		pclntable:   unsafe.Slice((*byte)(unsafe.Pointer(&f[0])), unsafe.Sizeof(f[0])),
		ftab:        entries,
		findfunctab: unsafe.Pointer(&place[[bucketBytes / 4]uint32](a, int(bytes/bucketText)+1)[0]), // the first function in every bucket
		minpc:       at, maxpc: at + bytes, text: at, etext: at + bytes,
	}
	copy(m[0].funcnametab[1:], function)
	copy(m[0].filetab, file)
	copy(m[0].pctab, tables)
	return &m[0], nil
}

// link puts a module behind all others. The runtime reads the list at any time and without a lock.
func link(m *moduledata) {
	atomic.StorePointer(&lastmoduledatap.next, unsafe.Pointer(m))
	lastmoduledatap = m
}
