package main

import (
	"context"
	"sync"
)

type keyType string

func produce(ctx context.Context, out chan<- int) {
	defer close(out)
	for i := 0; ; i++ {
		select {
		case out <- i:
		case <-ctx.Done():
			return
		}
	}
}

func work() int {
	sum := 0
	for r := 0; r < 50; r++ {
		ctx, cancel := context.WithCancel(context.WithValue(context.Background(), keyType("n"), r))
		out := make(chan int)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); produce(ctx, out) }()
		for i := 0; i < 20; i++ {
			sum += <-out
		}
		cancel()
		wg.Wait()
		sum += ctx.Value(keyType("n")).(int)
	}
	return sum
}
