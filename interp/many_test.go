package interp

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
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
func twice[T any](x T) []T { return []T{x, x} }
back := make(chan int)
go func() { back <- len(twice(P{})) }()
y += <-back
_ = fmt.Sprintln(P{y, len(big)}, h(3))`

// TestManyCells: cells that declare the same names again and again do not slow down, and leave nothing behind: time and heap at the end are
// those after a tenth of the cells.
func TestManyCells(t *testing.T) {
	for _, name := range []string{"vm", "yaegi"} {
		t.Run(name, func(t *testing.T) { testManyCells(t, name) })
	}
}

func testManyCells(t *testing.T, engine string) {
	e, err := enginetest.Engines[engine]()
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, e)
	n := manyCells(t)
	var times []time.Duration
	var early uint64
	for i := range n {
		start := time.Now()
		if r := execute(s, i+1, fmt.Sprintf(turning, i, i%7)); r.Error != nil {
			t.Fatal(r.Error.Value)
		}
		times = append(times, time.Since(start))
		if i == n/10 {
			early = heapBytes()
		}
	}
	late, most := heapBytes(), early+early/10
	for tries := 0; late > most && tries < 50; tries++ { // goroutines of the last cells may not have been given time to end
		time.Sleep(100 * time.Millisecond)
		late = heapBytes()
	}
	first, last := median(times[n/20:3*n/20]), median(times[n-n/10:])
	t.Logf("%d cells: median %v and heap %.2f MB after a tenth, %v and %.2f MB at the end", n, first, float64(early)/1e6, last, float64(late)/1e6)
	if n >= 10000 && last > first+first/10 {
		t.Errorf("a cell takes %v after %d cells, %v after %d", last, n, first, n/10)
	}
	if quickest(times[n-n/10:]) > 2*quickest(times[n/20:3*n/20]) { // a busy machine; by itself the median is within a tenth
		t.Errorf("a cell takes %v after %d cells, %v after %d", last, n, first, n/10)
	}
	if late > most {
		t.Errorf("heap of %d bytes after %d cells, %d after %d", late, n, early, n/10)
	}
}

// quickest is the time that a tenth of the list stays below.
func quickest(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/10]
}

func median(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
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
