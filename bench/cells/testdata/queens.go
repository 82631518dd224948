package main

func place(n, row int, cols, up, down []bool) int {
	if row == n {
		return 1
	}
	found := 0
	for c := 0; c < n; c++ {
		if cols[c] || up[row+c] || down[row-c+n] {
			continue
		}
		cols[c], up[row+c], down[row-c+n] = true, true, true
		found += place(n, row+1, cols, up, down)
		cols[c], up[row+c], down[row-c+n] = false, false, false
	}
	return found
}

func work() int {
	const n = 9
	return place(n, 0, make([]bool, n), make([]bool, 2*n), make([]bool, 2*n+1))
}
