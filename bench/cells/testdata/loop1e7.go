package main

func work() int {
	s := 0
	for i := 0; i < 10_000_000; i++ {
		s += i
	}
	return s
}
