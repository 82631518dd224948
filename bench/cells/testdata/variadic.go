package main

func sum(xs ...int) int {
	s := 0
	for _, x := range xs {
		s += x
	}
	return s
}

func most(first int, rest ...int) (best, at int) {
	best = first
	for i, x := range rest {
		if x > best {
			best, at = x, i+1
		}
	}
	return best, at
}

func work() int {
	s := 0
	for i := 0; i < 10_000; i++ {
		s += sum(i, i+1, i+2)
		best, at := most(i%7, i%5, i%3)
		s += best - at + sum()
	}
	return s
}
