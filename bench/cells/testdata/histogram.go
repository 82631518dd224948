package main

import "strings"

func work() int {
	text := []byte(strings.Repeat("It was the best of times, it was the worst of times. ", 100))
	var counts [256]int
	for _, b := range text {
		counts[b]++
	}
	best := 0
	for b, n := range counts {
		if n > counts[best] {
			best = b
		}
	}
	for i, b := range text {
		switch {
		case b >= 'a' && b <= 'z':
			text[i] = (b-'a'+13)%26 + 'a'
		case b >= 'A' && b <= 'Z':
			text[i] = (b-'A'+13)%26 + 'A'
		}
	}
	return best*1000 + strings.Count(string(text), "orfg")
}
