package vm

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// A parked is what the runtime says of one goroutine of the process at one instant: what it waits for ("running", "runnable" and "syscall"
// are states, too), and the function that started it.
type parked struct{ state, starter string }

// maxSnapshot bounds the text of a snapshot: some ten thousand goroutines.
const maxSnapshot = 64 << 20

// snapshot tells of all goroutines of the process at one instant, by the runtime's numbers; nil where there are too many.
func snapshot() map[uint64]parked {
	for size := 64 << 10; size <= maxSnapshot; size *= 4 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return parseSnapshot(buf[:n])
		}
	}
	return nil
}

const createdBy = "created by "

// parseSnapshot reads the text of runtime.Stack: blocks with an empty line between them, each with its number and state first.
func parseSnapshot(text []byte) map[uint64]parked {
	all := map[uint64]parked{}
	for block := range bytes.SplitSeq(text, []byte("\n\n")) {
		head, rest, _ := strings.Cut(string(block), "\n")
		number, state, ok := strings.Cut(strings.TrimPrefix(head, "goroutine "), " [")
		id, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil {
			continue
		}
		state, _, _ = strings.Cut(state, "]")
		state, _, _ = strings.Cut(state, ", ") // how long, and whether it is locked to a thread
		state = strings.TrimSuffix(state, " (scan)")
		p := parked{state: state}
		if i := strings.LastIndex(rest, createdBy); i >= 0 {
			line, _, _ := strings.Cut(rest[i+len(createdBy):], "\n")
			p.starter, _, _ = strings.Cut(line, " in goroutine ")
		}
		all[id] = p
	}
	return all
}

// goidAt is where the runtime's descriptor of a goroutine has its number: 0 where that was not found.
var goidAt = sync.OnceValue(func() uintptr {
	const words = 64
	var at uintptr
	for range 3 { // several goroutines, as numbers may be found in other places by chance
		found := make(chan [words]bool)
		go func() { found <- goidPlaces() }()
		places, n := <-found, 0
		for i, yes := range places {
			if yes && (at == 0 || at == uintptr(i)*unsafe.Sizeof(at)) {
				at = uintptr(i) * unsafe.Sizeof(at)
				n++
			}
		}
		if n != 1 {
			return 0
		}
	}
	return at
})

// goidPlaces are the words of the running goroutine's descriptor that hold its number.
func goidPlaces() (places [64]bool) {
	var b [64]byte
	text, _, _ := strings.Cut(strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine "), " ")
	id, err := strconv.ParseUint(text, 10, 64)
	for i := range places {
		places[i] = err == nil && i > 1 && goidWord(getg(), uintptr(i)*8) == id
	}
	return places
}

// goidWord reads a word of a goroutine's descriptor. The runtime keeps descriptors for ever, for other goroutines after theirs.
//
//go:nocheckptr
func goidWord(gp, at uintptr) uint64 {
	return *(*uint64)(unsafe.Add(pointer(nil), gp+at))
}

// number is the runtime's number of the goroutine; 0 where it is not known, or has not begun.
func (g *routine) number() uint64 {
	gp, at := g.gp.Load(), goidAt()
	if gp == 0 || at == 0 {
		return 0
	}
	return goidWord(gp, at)
}
