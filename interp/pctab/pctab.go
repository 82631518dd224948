package pctab

import (
	"math/bits"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A Func is a function of a cell: its name as a stack shows it, the file where it is, and the lines
// where it begins and ends, 0 where the latter is not known.
type Func struct {
	Name, File string
	Line, End  int
}

// The addresses of functions begin where no memory can be: neither amd64 nor arm64 has pointers
// with this bit alone.
const firstAddress = 1 << 60

var table struct {
	sync.Mutex
	entry map[Func]entry
	next  uintptr
}

// An entry is a function in the table.
type entry struct {
	pc    uintptr
	lines int
}

// Of gives the program counter of a line of a function, as runtime.Callers would: a return address.
// It stays as it is for the life of the process. Lines before the function's own are taken for it.
// 0, which is a place that the runtime does not know, says that the system has no memory for the
// table, or that the layout is not known.
func Of(f Func, line int) uintptr {
	line = max(line-f.Line, 0)
	if e := entryOf(f, line); e.lines > 0 {
		return e.pc + uintptr(line*lineBytes+lineBytes/2)
	}
	return 0
}

// Entry gives the program counter where a function begins, what its *runtime.Func says, or 0 as Of
// does.
func Entry(f Func) uintptr { return entryOf(f, 0).pc }

// entryOf is a function in the table, with room for a line counted from the function's.
func entryOf(f Func, line int) entry {
	table.Lock()
	defer table.Unlock()
	e, ok := table.entry[f]
	if !ok || line >= e.lines {
		e = enter(f, length(f, line))
	}
	return e
}

// length is how many lines of a function, at least those up to one, get addresses.
func length(f Func, line int) int {
	if n := f.End - f.Line + 1; f.End > 0 && line < n {
		return n
	}
	return max(minLines, 1<<bits.Len(uint(line)))
}

// enter puts a function into the runtime's tables; one that turned out to be longer is there anew.
// Nothing is put into tables that are not as this package knows them.
func enter(f Func, lines int) entry {
	if !gorelease.Modules.Holds() {
		return entry{}
	}
	if table.entry == nil {
		table.entry, table.next = map[Func]entry{}, firstAddress
	}
	m, err := newModule(f.Name, f.File, f.Line, lines, table.next)
	if err != nil {
		return entry{}
	}
	link(m)
	e := entry{table.next, lines}
	table.entry[f] = e
	table.next += uintptr(lines*lineBytes+bucketText-1) &^ (bucketText - 1)
	return e
}
