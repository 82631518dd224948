package main

func quicksort(x []int) {
	for len(x) > 12 {
		p, i, j := x[len(x)/2], 0, len(x)-1
		for i <= j {
			for x[i] < p {
				i++
			}
			for x[j] > p {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		quicksort(x[:j+1])
		x = x[i:]
	}
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

func work() int {
	x := make([]int, 200_000)
	r := uint32(1)
	for i := range x {
		r = r*1664525 + 1013904223
		x[i] = int(r >> 8)
	}
	quicksort(x)
	return x[0] + x[len(x)/2]
}
