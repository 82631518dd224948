package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  map[int]int
}

func (c *counter) add(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[k]++
}

func work() int {
	c := &counter{n: map[int]int{}}
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 5_000; i++ {
				c.add(i % 100)
			}
		}()
	}
	wg.Wait()
	return c.n[7]
}
