package main

func work() int {
	in, out := make(chan int), make(chan int)
	go func() {
		for x := range in {
			out <- x * 2
		}
		close(out)
	}()
	s := 0
	for i := 0; i < 20_000; i++ {
		in <- i
		s += <-out
	}
	close(in)
	return s
}
