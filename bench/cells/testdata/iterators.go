package main

import "iter"

func naturals(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func filter[T any](seq iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for x := range seq {
			if keep(x) && !yield(x) {
				return
			}
		}
	}
}

func work() int {
	sum := 0
	for x := range filter(naturals(10_000), func(x int) bool { return x%3 == 0 }) {
		if x > 9_000 {
			break
		}
		sum += x
	}
	return sum
}
