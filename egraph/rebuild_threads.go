package egraph

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// shareOut calls do for as many ranges of 0 to n as there are threads, at the same time.
func shareOut(threads, n int, do func(from, to int)) {
	if threads == 1 {
		do(0, n)
		return
	}
	var done sync.WaitGroup
	for i := range threads {
		done.Go(func() { do(i*n/threads, (i+1)*n/threads) })
	}
	done.Wait()
}

// workers is how many threads the graph may use.
func (g *EGraph) workers() int {
	if g.threads > 0 {
		return g.threads
	}
	return runtime.GOMAXPROCS(0)
}

// workersFor is how many threads pay for passes over a table: starting one costs more than a small table.
func (g *EGraph) workersFor(t *table) int {
	if t.rows() < g.closing.parallelFrom {
		return 1
	}
	return g.workers()
}

// share calls do for every number below n, on so many threads at the same time, each of which takes the next number.
func share(threads, n int, do func(i int)) {
	if threads = min(threads, n); threads <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	for range threads - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
}
