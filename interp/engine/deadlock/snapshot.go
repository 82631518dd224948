package deadlock

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
)

// A Parked is what the runtime says of one goroutine of the process at one instant: what it waits
// for ("running", "runnable" and "syscall" are states, too), and the function that started it.
type Parked struct{ State, Starter string }

// maxSnapshot bounds the text of a snapshot: some ten thousand goroutines.
const maxSnapshot = 64 << 20

// Snapshot tells of all goroutines of the process at one instant, by the runtime's numbers; nil
// where there are too many.
func Snapshot() map[uint64]Parked {
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

// groupMember is the function that (*sync.WaitGroup).Go calls, which tells whose the goroutine is:
// the line two above that one's in its stack.
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

// parseSnapshot reads the text of runtime.Stack: blocks with an empty line between them, each with
// its number and state first.
func parseSnapshot(text []byte) map[uint64]Parked {
	all := map[uint64]Parked{}
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
		p := Parked{State: state}
		if i := strings.LastIndex(rest, createdBy); i >= 0 {
			line, _, _ := strings.Cut(rest[i+len(createdBy):], "\n")
			p.Starter, _, _ = strings.Cut(line, " in goroutine ")
			if p.Starter == inGroup {
				p.Starter = groupMember(rest)
			}
		}
		all[id] = p
	}
	return all
}

// own is the running goroutine's number.
func own() uint64 {
	var b [64]byte
	text, _, _ := strings.Cut(strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine "), " ")
	id, _ := strconv.ParseUint(text, 10, 64) // 0, which no goroutine has
	return id
}
