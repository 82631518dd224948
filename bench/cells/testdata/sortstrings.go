package main

import (
	"sort"
	"strconv"
)

type byLength []string

func (s byLength) Len() int      { return len(s) }
func (s byLength) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s byLength) Less(i, j int) bool {
	return len(s[i]) < len(s[j]) || len(s[i]) == len(s[j]) && s[i] < s[j]
}

func work() int {
	names := make([]string, 20_000)
	r := uint32(1)
	for i := range names {
		r = r*1664525 + 1013904223
		names[i] = strconv.Itoa(int(r >> 12))
	}
	sort.Sort(byLength(names))
	return len(names[0]) + len(names[len(names)-1])
}
