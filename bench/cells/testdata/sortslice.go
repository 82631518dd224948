package main

import "sort"

func work() int {
	x := make([]int, 200_000)
	r := uint32(1)
	for i := range x {
		r = r*1664525 + 1013904223
		x[i] = int(r >> 8)
	}
	sort.Slice(x, func(i, j int) bool { return x[i] < x[j] })
	return x[0] + x[len(x)/2]
}
