package interp

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// manyCells is how many cells TestManyCells runs; VYRE_CELLS=10000 for the long run.
func manyCells(t *testing.T) int {
	n := 600
	if v := os.Getenv("VYRE_CELLS"); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

const turning = `y := %d
func h(a int) int { return a*%d + y }
type P struct{ X, Y int }
func (p P) String() string { return fmt.Sprint("P:", p.X, ",", p.Y) }
big := make([]byte, 1<<20)
for j := range 10 { y += h(j) }
_ = fmt.Sprintln(P{y, len(big)}, h(3))`

// TestManyCells: cells that declare the same names again and again do not slow down.
func TestManyCells(t *testing.T) {
	s := openVM(t)
	n := manyCells(t)
	var times []time.Duration
	for i := range n {
		start := time.Now()
		if r := execute(s, i+1, fmt.Sprintf(turning, i, i%7)); r.Error != nil {
			t.Fatal(r.Error.Value)
		}
		times = append(times, time.Since(start))
	}
	median := func(list []time.Duration) time.Duration {
		list = slices.Clone(list)
		slices.Sort(list)
		return list[len(list)/2]
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	early, late := median(times[:n/3]), median(times[2*n/3:])
	t.Logf("%d cells: median %v at first, %v at last, heap %.2f MB", n, early, late, float64(m.HeapAlloc)/1e6)
	if late > 2*early {
		t.Errorf("a cell takes %v after %d cells, %v at first", late, n, early)
	}
}

func BenchmarkNewSession(b *testing.B) {
	for b.Loop() {
		openVM(b)
	}
}

func BenchmarkFirstCell(b *testing.B) {
	for b.Loop() {
		if r := execute(openVM(b), 1, "1+1"); r.Error != nil {
			b.Fatal(r.Error.Value)
		}
	}
}
