package display

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// A Screen is where values are shown while code runs. Its methods may be called by several
// goroutines at once.
type Screen interface {
	// Show displays a bundle. id, where not empty, names the output; with update every output of
	// that name is replaced.
	Show(b Bundle, id string, update bool)
	// Clear empties the output; with wait, when the next output comes.
	Clear(wait bool)
}

var screen struct {
	sync.RWMutex
	now Screen
}

// SetScreen says where values are shown from now on and returns what it was before. nil is standard
// output, as text.
func SetScreen(s Screen) (before Screen) {
	screen.Lock()
	defer screen.Unlock()
	before, screen.now = screen.now, s
	return before
}

// OnScreen reports whether a Screen is set: a person looks on, in a notebook.
func OnScreen() bool {
	screen.RLock()
	defer screen.RUnlock()
	return screen.now != nil
}

func current() Screen {
	screen.RLock()
	defer screen.RUnlock()
	if screen.now == nil {
		return terminal{os.Stdout}
	}
	return screen.now
}

// Show displays values, one after the other, at once.
func Show(values ...any) {
	for _, v := range values {
		current().Show(Render(v), "", false)
	}
}

// A Handle is an output that can be replaced.
type Handle struct{ id string }

var handles atomic.Uint64

// ShowHandle displays a value so that it can be replaced later.
func ShowHandle(v any) Handle {
	h := Handle{id: "vyre-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(handles.Add(1), 36)}
	current().Show(Render(v), h.id, false)
	return h
}

// ID is the name of the output on the wire.
func (h Handle) ID() string { return h.id }

// Update replaces what is shown.
func (h Handle) Update(v any) { current().Show(Render(v), h.id, true) }

// Clear empties the output of the running cell; with wait, when the next output comes, which does
// not flicker.
func Clear(wait bool) { current().Clear(wait) }

// A terminal shows the text of things.
type terminal struct{ w io.Writer }

func (t terminal) Show(b Bundle, _ string, _ bool) { fmt.Fprintln(t.w, b.Data[TypeText]) }

// Clear does nothing: what is printed stays.
func (terminal) Clear(bool) {}
