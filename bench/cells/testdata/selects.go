package main

func work() int {
	a, b, done := make(chan int), make(chan int), make(chan bool)
	go func() {
		for i := 0; i < 5_000; i++ {
			a <- i
		}
		done <- true
	}()
	go func() {
		for i := 0; i < 5_000; i++ {
			b <- 2 * i
		}
		done <- true
	}()
	s := 0
	for n := 0; n < 2; {
		select {
		case x := <-a:
			s += x
		case x := <-b:
			s += x
		case <-done:
			n++
		}
	}
	return s
}
