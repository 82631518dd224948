package main

func work() int {
	weights, values := []int{12, 7, 11, 8, 9, 6, 5, 14, 3, 10}, []int{24, 13, 23, 15, 16, 11, 9, 28, 5, 19}
	const limit = 500
	best := [limit + 1]int{}
	for round := 0; round < 5; round++ {
		for i, w := range weights {
			for c := limit; c >= w; c-- {
				best[c] = max(best[c], best[c-w]+values[i])
			}
		}
	}
	return best[limit]
}
