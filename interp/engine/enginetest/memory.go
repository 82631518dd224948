package enginetest

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// growing are cells that a session executes again and again: nothing of the earlier times may stay.
var growing = map[string]string{
	"variable": "big := make([]byte, 1<<20)\nbig[%d] = 1",
	"function": "func f(x int) int { return x + %d }\n_ = f(1)",
	"closure":  "g := func() int { return %d }\n_ = g()",
	"unchanged type": "type T struct{ a, b int }\nfunc (t T) String() string { return fmt.Sprint(t.a) }\n_ = T{%d, " +
		"0}.String()",
	"statements": "for i := range 3 {\n\t_ = fmt.Sprint(i, %d)\n}",
	"panic":      "func() { defer func() { recover() }(); panic(%d) }()",
	"goroutine":  "func() { c := make(chan int); go func() { c <- %d }(); <-c }()",
}

// Memory executes each cell rounds times, and compares the heap after a quarter of them with that
// at the end.
func Memory(t *testing.T, open conformance.Open, rounds int) {
	for name, cell := range growing {
		t.Run(name, func(t *testing.T) {
			s, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			run := func(from, to int) uint64 {
				for i := from; i < to; i++ {
					if err := s.Cell(t.Context(), fmt.Sprintf(cell, i)); err != nil {
						t.Fatal(err)
					}
				}
				return heapBytes()
			}
			early := run(0, rounds/4)
			late := run(rounds/4, rounds)
			if late > early+early/10+256<<10 {
				t.Errorf("%d bytes after %d cells, %d after %d", early, rounds/4, late, rounds)
			}
		})
	}
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
