package main

func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			best := d[i-1][j-1] + cost
			if x := d[i-1][j] + 1; x < best {
				best = x
			}
			if x := d[i][j-1] + 1; x < best {
				best = x
			}
			d[i][j] = best
		}
	}
	return d[len(a)][len(b)]
}

func work() int {
	a, b := "", ""
	for i := 0; i < 500; i++ {
		a += string(rune('a' + i*7%26))
		b += string(rune('a' + i*11%26))
	}
	return distance(a, b)
}
