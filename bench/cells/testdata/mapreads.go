package main

func work() int {
	m := map[int]int{}
	for i := 0; i < 1_000; i++ {
		m[i*3] = i
	}
	n := 0
	for r := 0; r < 30; r++ {
		for i := 0; i < 3_000; i++ {
			if v, ok := m[i]; ok {
				n += v
			}
			n += m[i+1]
		}
		m[r]++
	}
	for i := 0; i < 1_000; i++ {
		delete(m, i*3)
	}
	return n + len(m)
}
