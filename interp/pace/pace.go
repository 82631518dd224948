package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// usual is the runtime's own percentage, at which it collects no heap below smallest; that grows
// with the percentage.
const (
	usual    = 100
	smallest = 4 << 20
)

var state struct {
	sync.Mutex
	floor uint64 // 0: Keep was not called, or is to do nothing
	set   int    // the percentage that was set last
}

// Keep has the collector wait, from now on, until the heap has grown to floor bytes. It is called
// once, by the process that is to be so.
func Keep(floor uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	state.Lock()
	state.floor, state.set = floor, usual
	state.Unlock()
	adjust()
	witness()
}

// A cycle is collected by the next one. It has a pointer, as the runtime puts small objects without
// any together.
type cycle struct{ _ *cycle }

// witness has each cycle end with adjust.
func witness() {
	runtime.AddCleanup(&cycle{}, func(int) {
		adjust()
		witness()
	}, 0)
}

// adjust sets the percentage for the next cycle.
func adjust() {
	state.Lock()
	defer state.Unlock()
	if state.floor == 0 || percentage() != state.set {
		return // a cell has said what it wants
	}
	percent := percentFor(live(), state.floor)
	if d := percent - state.set; d*8 > state.set || -d*8 > state.set || percent == usual && d != 0 {
		debug.SetGCPercent(percent) // stops all for some 10 us, so not for little
		state.set = percent
	}
}

// percentFor is by how much of what lives the heap may grow to be at the floor.
func percentFor(live, floor uint64) int {
	if live*2 >= floor {
		return usual
	}
	return int(min((floor-live)*100/max(live, 1), floor*usual/smallest))
}

// live is how many bytes the last cycle found in use.
func live() uint64 { return read("/gc/heap/live:bytes") }

func percentage() int { return int(read("/gc/gogc:percent")) }

func read(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
