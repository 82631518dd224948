package main

import "strings"

func work() int {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog and runs ", 4_000)
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[w]++
	}
	n := 0
	for w, k := range counts {
		n += len(w) * k
	}
	return n
}
