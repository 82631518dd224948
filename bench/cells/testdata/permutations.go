package main

func permute(xs []int, k int, visit func([]int)) {
	if k == len(xs) {
		visit(xs)
		return
	}
	for i := k; i < len(xs); i++ {
		xs[k], xs[i] = xs[i], xs[k]
		permute(xs, k+1, visit)
		xs[k], xs[i] = xs[i], xs[k]
	}
}

func work() int {
	n := 0
	permute([]int{1, 2, 3, 4, 5, 6, 7}, 0, func(xs []int) {
		if xs[0] < xs[6] {
			n += xs[3]
		}
	})
	return n
}
