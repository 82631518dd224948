package main

import (
	"cmp"
	"maps"
	"slices"
)

type pair struct {
	word  string
	count int
}

func work() int {
	counts := map[string]int{}
	for i := 0; i < 2_000; i++ {
		counts[string(rune('a'+i*i%26))+string(rune('a'+i%7))]++
	}
	var pairs []pair
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		pairs = append(pairs, pair{k, counts[k]})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.count, a.count) })
	i, ok := slices.BinarySearchFunc(pairs, 5, func(p pair, n int) int { return cmp.Compare(n, p.count) })
	sum := i
	if ok {
		sum += 1000
	}
	for i, p := range slices.Backward(pairs) {
		sum += i * p.count
	}
	return sum
}
