package main

import (
	"bufio"
	"strings"
)

func work() int {
	text := strings.Repeat("one two three\nfour five six seven\n\neight nine\n", 200)
	lines, words := 0, map[string]int{}
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		lines++
		for _, w := range strings.Fields(s.Text()) {
			words[strings.ToUpper(w)]++
		}
	}
	return lines + 1000*len(words) + words["SIX"]
}
