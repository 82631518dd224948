package main

func work() int {
	n := 0
	for i := 0; i < 300; i++ {
		s := ""
		for j := 0; j < 100; j++ {
			s += string(rune('a' + j%26))
		}
		if s > "abc" {
			n += len(s)
		}
	}
	return n
}
