package machine

import (
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// In a bubble of package testing/synctest the runtime decides when the clock advances and who is
// blocked for good: by what goroutines wait for. There they wait as compiled code does, for nothing
// of the engine's beside: an interrupt ends those that compute or are parked on a channel, and
// where all others wait the runtime ends the bubble.

// bubbles is how many calls of synctest.Test are under way.
var bubbles atomic.Int32

func inBubble() bool { return bubbles.Load() > 0 && gorelease.InBubble()() }

// Bubbled runs f, which begins a bubble; it panics where the runtime does not tell who is in one.
func Bubbled(f func()) {
	if err := gorelease.Bubbles.Err(); err != nil {
		panic(err)
	}
	bubbles.Add(1)
	defer bubbles.Add(-1)
	f()
}
