package gorelease

import (
	"sync/atomic"
	"unsafe"
)

// ModuleData is runtime.moduledata (runtime/symtab.go).
type ModuleData struct {
	PCHeader              *PCHeader
	FuncNameTab           []byte
	CUTab                 []uint32
	FileTab               []byte
	PCTab                 []byte
	PCLnTable             []byte
	FTab                  []FuncTab
	FindFuncTab           unsafe.Pointer
	MinPC, MaxPC          uintptr
	Text, EText           uintptr
	NoPtrData, ENoPtrData uintptr
	Data, EData           uintptr
	BSS, EBSS             uintptr
	NoPtrBSS, ENoPtrBSS   uintptr
	CovCtrs, ECovCtrs     uintptr
	End, GCData, GCBSS    uintptr
	moduleTypes
	ROData      uintptr
	GoFunc      uintptr
	EPCLnTab    uintptr
	TextSectMap []struct{ VAddr, End, BaseAddr uintptr }
	moduleLinks
	PTab                  []struct{ Name, Type int32 }
	PluginPath            string
	PkgHashes             []struct{}
	InitTasks             []unsafe.Pointer
	ModuleName            string
	ModuleHashes          []struct{}
	HasMain               uint8
	Bad                   bool
	GCDataMask, GCBSSMask struct {
		N        int32
		ByteData *uint8
	}
	TypeMap unsafe.Pointer // a map
	Next    unsafe.Pointer
}

// PCHeader is runtime.pcHeader.
type PCHeader struct {
	Magic      uint32
	Pad1, Pad2 uint8
	MinLC      uint8
	PtrSize    uint8
	NFunc      int
	_          uint       // files
	_          [6]uintptr // offsets that only tools read
}

// PCLnTabMagic is internal/abi.CurrentPCLnTabMagic.
const PCLnTabMagic = 0xfffffff1

// FuncTab is runtime.functab.
type FuncTab struct{ EntryOff, FuncOff uint32 }

// Func is runtime._func without the tables behind it.
type Func struct {
	EntryOff    uint32
	NameOff     int32
	Args        int32
	DeferReturn uint32
	PCSP        uint32
	PCFile      uint32
	PCLn        uint32
	NPCData     uint32
	CUOffset    uint32
	StartLine   int32
	FuncID      uint8
	Flag        uint8
	_           [1]byte
	NFuncData   uint8
}

// A bucket of FindFuncTab stands for so many bytes of text, and has so many bytes itself.
const (
	FindFuncText  = 4096
	FindFuncBytes = 4 + 16
)

//go:linkname lastModule runtime.lastmoduledatap
var lastModule *ModuleData

// Program is the module that the linker made: cells load no plugins, and what is linked behind it
// follows it.
var Program = lastModule

// Link puts a module behind the last one of the runtime's list, which is read at any time and
// without a lock. Nothing unlinks it.
func Link(last, m *ModuleData) {
	atomic.StorePointer(&last.Next, unsafe.Pointer(m))
	lastModule = m
}
