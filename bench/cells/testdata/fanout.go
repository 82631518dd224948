package main

import "sync"

func work() int {
	results := make([]int, 1_000)
	var wg sync.WaitGroup
	for i := range results {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for j := 0; j < 50; j++ {
				results[i] += i * j
			}
		}(i)
	}
	wg.Wait()
	s := 0
	for _, r := range results {
		s += r
	}
	return s
}
