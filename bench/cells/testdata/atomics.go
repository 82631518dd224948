package main

import (
	"sync"
	"sync/atomic"
)

func work() int {
	var n, hits int64
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 2_000; i++ {
				if atomic.AddInt64(&n, 1)%4 == 0 {
					atomic.AddInt64(&hits, 1)
				}
			}
		}()
	}
	wg.Wait()
	return int(atomic.LoadInt64(&n) + atomic.LoadInt64(&hits))
}
