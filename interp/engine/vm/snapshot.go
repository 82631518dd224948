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

const (
	createdBy = "created by "
	inGroup   = "sync.(*WaitGroup).Go"
)

// groupMember is the function that (*sync.WaitGroup).Go calls, which tells whose the goroutine is: the line two above that one's in its stack.
func groupMember(stack string) string {
	lines := strings.Split(stack, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, inGroup+".") && i >= 2 {
			name, _, _ := strings.Cut(lines[i-2], "(0x")
			return strings.TrimSuffix(name, "(...)")
		}
	}
	return inGroup
}

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
			if p.starter == inGroup {
				p.starter = groupMember(rest)
			}
		}
		all[id] = p
	}
	return all
}

// goidAt is where the runtime's descriptor of a goroutine has its number: 0 where that was not found. It is the place that is right for several
// goroutines: in a young process numbers are small, and others are the same by chance.
var goidAt = sync.OnceValue(func() uintptr {
	const goroutines = 12
	right := map[int]int{}
	for range goroutines {
		found := make(chan [goidWords]bool)
		go func() { found <- goidPlaces() }()
		for i, yes := range <-found {
			if yes {
				right[i]++
			}
		}
	}
	var at uintptr
	for i, n := range right {
		if n == goroutines {
			if at != 0 {
				return 0
			}
			at = uintptr(i) * unsafe.Sizeof(at)
		}
	}
	return at
})

// goidWords is how much of a descriptor is looked at.
const goidWords = 64

// goidPlaces are the words of the running goroutine's descriptor that hold its number.
func goidPlaces() (places [goidWords]bool) {
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
