package main

func work() int {
	a, b := map[int]struct{}{}, map[int]bool{}
	for i := 0; i < 3_000; i++ {
		a[i*3] = struct{}{}
		b[i*5] = true
	}
	both := 0
	for k := range a {
		if b[k] {
			both++
			delete(a, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; ok {
			return -1
		}
		if k%2 == 0 {
			delete(b, k)
		}
	}
	return both + len(a) + len(b)
}
