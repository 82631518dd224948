package cuda

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Live lists what was made and not given back, oldest first: devices, buffers, modules, streams,
// events, graphs. Tests end with it empty.
func Live() []LiveHandle {
	live.mu.Lock()
	defer live.mu.Unlock()
	handles := make([]LiveHandle, 0, len(live.m))
	for h := range live.m {
		handles = append(handles, *h)
	}
	slices.SortFunc(handles, func(a, b LiveHandle) int { return int(a.serial) - int(b.serial) })
	return handles
}

// A LiveHandle is something on a device that was made and not given back.
type LiveHandle struct {
	// Kind is "buffer", "stream" and so on; What tells which.
	Kind, What string
	serial     int64
	callers    [12]uintptr
}

// Where tells the calls that made it, this package's own left out, innermost first.
func (h LiveHandle) Where() string {
	var b strings.Builder
	frames := runtime.CallersFrames(h.callers[:])
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") && !ours(f) {
			fmt.Fprintf(&b, "\n\t%s %s:%d", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

func (h LiveHandle) String() string { return h.Kind + " " + h.What + ", made at" + h.Where() }

var live struct {
	mu     sync.Mutex
	m      map[*LiveHandle]struct{} // guarded by mu
	serial int64                    // guarded by mu
}

// track notes a new handle; the caller forgets it when it is given back.
func track(kind, what string) *LiveHandle {
	h := &LiveHandle{Kind: kind, What: what}
	runtime.Callers(3, h.callers[:])
	live.mu.Lock()
	defer live.mu.Unlock()
	if live.m == nil {
		live.m = map[*LiveHandle]struct{}{}
	}
	live.serial++
	h.serial = live.serial
	live.m[h] = struct{}{}
	return h
}

func (h *LiveHandle) forget() {
	live.mu.Lock()
	defer live.mu.Unlock()
	delete(live.m, h)
}
