package main

type number interface{ ~int | ~float64 }

func sum[T number](xs []T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

func apply[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func work() int {
	xs := make([]int, 1_000)
	for i := range xs {
		xs[i] = i
	}
	s := 0
	for n := 0; n < 50; n++ {
		s += int(sum(apply(xs, func(x int) float64 { return float64(x) / 2 })))
	}
	return s
}
