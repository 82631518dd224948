package main

func work() int {
	m := map[int]int{}
	for i := 0; i < 100_000; i++ {
		m[i*7] = i
	}
	return len(m)
}
