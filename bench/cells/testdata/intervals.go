package main

import "sort"

type interval struct{ from, to int }

type byFrom []interval

func (s byFrom) Len() int           { return len(s) }
func (s byFrom) Less(i, j int) bool { return s[i].from < s[j].from }
func (s byFrom) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func merge(all []interval) []interval {
	sort.Sort(byFrom(all))
	var out []interval
	for _, x := range all {
		if n := len(out); n > 0 && x.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, x.to)
		} else {
			out = append(out, x)
		}
	}
	return out
}

func work() int {
	var all []interval
	for i := 0; i < 1_000; i++ {
		from := i * 7919 % 20_011
		all = append(all, interval{from, from + i%17})
	}
	sum := 0
	for i, x := range merge(all) {
		sum += i * (x.to - x.from)
	}
	return sum
}
