package main

func counter(step int) func() int {
	n := 0
	return func() int {
		n += step
		return n
	}
}

func apply(xs []int, f func(int) int) int {
	s := 0
	for _, x := range xs {
		s += f(x)
	}
	return s
}

func work() int {
	xs := make([]int, 1000)
	for i := range xs {
		xs[i] = i
	}
	next := counter(3)
	s := 0
	for i := 0; i < 500; i++ {
		k := next()
		s += apply(xs, func(x int) int { return x*k + i })
	}
	return s
}
