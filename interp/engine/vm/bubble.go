package vm

import (
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/pctab"
)

// In a bubble of package testing/synctest the runtime decides when the clock advances and who is
// blocked for good: by what goroutines wait for. There they wait as compiled code does, for nothing
// of the engine's beside: an interrupt ends those that compute or are parked on a channel, and
// where all others wait the runtime ends the bubble.

// bubbles is how many calls of synctest.Test are under way.
var bubbles atomic.Int32

// isInBubble asks the runtime whether the running goroutine is in a bubble; nil where it does not
// tell.
var isInBubble = sync.OnceValue(func() func() bool {
	at := pctab.Compiled("internal/synctest.IsInBubble")
	if at == 0 {
		return nil
	}
	word := &at
	return *(*func() bool)(pointer(&word))
})

func inBubble() bool { return bubbles.Load() > 0 && isInBubble()() }

// bubbled runs f, which begins a bubble; it panics where the runtime does not tell who is in one.
func bubbled(f func()) {
	if isInBubble() == nil {
		panic("testing/synctest.Test: the runtime of this kernel does not tell who is in a bubble")
	}
	bubbles.Add(1)
	defer bubbles.Add(-1)
	f()
}
