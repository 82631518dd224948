package rtype_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// largeFrame is a size of which the runtime keeps the type outside the object.
const largeFrame = 32 << 10

// The runtime notes the type of a large object outside the heap and, in a cycle of the collector, shades it when the
// memory of the note is used again, which may be long after the object: a type that has been freed meanwhile ends the
// process with "found bad pointer in Go heap" or "found pointer to free object".
func TestLargeFramesAndTheirTypes(t *testing.T) {
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		for i := range uintptr(400) {
			frameType(t, largeFrame, 8*i).New()
		}
		runtime.GC() // no frame is left, nor what only frames have kept
		runtime.GC()
		for collected := collecting(); ; sink = make([]*int, largeFrame/8) {
			if _, goesOn := <-collected; !goesOn {
				break
			}
		}
	}
}

var sink []*int

// collecting gives values for as long as the garbage collector is in a cycle.
func collecting() <-chan bool {
	end, goesOn := make(chan bool), make(chan bool)
	go func() {
		runtime.GC()
		close(end)
	}()
	go func() {
		defer close(goesOn)
		for {
			select {
			case <-end:
				return
			case goesOn <- true:
			}
		}
	}()
	return goesOn
}

func TestWhichFrameTypesAreKept(t *testing.T) {
	for _, c := range []struct {
		size uintptr
		kept bool
	}{{64, false}, {largeFrame - 8, false}, {largeFrame, true}, {1 << 20, true}} {
		first, others := weak.Make(frameType(t, c.size, 16)), frameType(t, c.size, 24)
		runtime.GC()
		runtime.GC()
		if (first.Value() != nil) != c.kept {
			t.Errorf("%d bytes: kept: %v", c.size, !c.kept)
		}
		again := frameType(t, c.size, 16)
		if (first.Value() == again) != c.kept || again == others || again == frameType(t, c.size+8, 16) {
			t.Errorf("%d bytes: another type for the same frame, or one for others", c.size)
		}
	}
}

func frameType(t *testing.T, size, off uintptr) *rtype.FrameType {
	t.Helper()
	f, err := rtype.NewFrameType(size, []uintptr{off})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
