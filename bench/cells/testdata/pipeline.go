package main

func stage(in <-chan int, f func(int) int) <-chan int {
	out := make(chan int, 64)
	go func() {
		defer close(out)
		for x := range in {
			out <- f(x)
		}
	}()
	return out
}

func work() int {
	in := make(chan int, 64)
	go func() {
		for i := 0; i < 20_000; i++ {
			in <- i
		}
		close(in)
	}()
	s := 0
	for x := range stage(stage(in, func(x int) int { return x + 1 }), func(x int) int { return x * 3 }) {
		s += x
	}
	return s
}
