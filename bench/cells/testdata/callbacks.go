package main

func work() int {
	var fs []func(int) int
	for i := 0; i < 100; i++ {
		fs = append(fs, func(x int) int { return x*i + 1 })
	}
	s := 0
	for n := 0; n < 300; n++ {
		for _, f := range fs {
			s += f(n) & 0xff
		}
	}
	return s
}
