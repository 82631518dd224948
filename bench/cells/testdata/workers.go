package main

import "sync"

type task struct{ id, size int }

type result struct {
	task task
	sum  int
}

func work() int {
	tasks, results := make(chan task), make(chan result, 8)
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for t := range tasks {
				sum := 0
				for i := 0; i < t.size; i++ {
					sum += i * t.id
				}
				results <- result{t, sum}
			}
		}()
	}
	go func() {
		for i := 0; i < 500; i++ {
			tasks <- task{i, 100}
		}
		close(tasks)
		wg.Wait()
		close(results)
	}()
	total := 0
	for r := range results {
		total += r.sum - r.task.id
	}
	return total
}
