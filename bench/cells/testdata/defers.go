package main

func guarded(n int) (r int) {
	defer func() { r += n }()
	defer func() {
		if e := recover(); e != nil {
			r = -1
		}
	}()
	if n%64 == 0 {
		panic(n)
	}
	return n * 2
}

func work() int {
	s := 0
	for i := 0; i < 20_000; i++ {
		s += guarded(i)
	}
	return s
}
