package pace

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

// What a rest gives back, and when: at least so much, so long after the last cell.
const (
	worthwhile = 12 << 20
	restAfter  = time.Second
)

var resting struct {
	cells atomic.Int64 // cells begun
	armed atomic.Bool
}

// Begin notes that a cell begins; the answer is to be called when it has ended. A second after the
// last one, what the heap holds dead is given back to the system, if it is worth it.
func Begin() (end func()) {
	resting.cells.Add(1)
	return rest
}

func rest() {
	state.Lock()
	kept := state.floor
	state.Unlock()
	if kept != 0 && resting.armed.CompareAndSwap(false, true) {
		settle(resting.cells.Load())
	}
}

// held is what the heap has of the system: objects, dead ones too, and what is free.
func held() uint64 {
	return read("/memory/classes/heap/objects:bytes") + read("/memory/classes/heap/free:bytes") +
		read("/memory/classes/heap/unused:bytes")
}

// settle waits until no cell has begun for restAfter.
func settle(cells int64) {
	time.AfterFunc(restAfter, func() {
		if now := resting.cells.Load(); now != cells {
			settle(now)
			return
		}
		resting.armed.Store(false)
		if held() >= live()+worthwhile {
			debug.FreeOSMemory()
		}
	})
}
