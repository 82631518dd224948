package main

func fannkuch(n int) (checksum, flips int) {
	perm1, perm, count := make([]int, n), make([]int, n), make([]int, n)
	for i := range perm1 {
		perm1[i] = i
	}
	r := n
	for nperm := 0; ; nperm++ {
		for ; r != 1; r-- {
			count[r-1] = r
		}
		copy(perm, perm1)
		f := 0
		for k := perm[0]; k != 0; k = perm[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				perm[i], perm[j] = perm[j], perm[i]
			}
			f++
		}
		flips = max(flips, f)
		if nperm%2 == 0 {
			checksum += f
		} else {
			checksum -= f
		}
		for {
			if r == n {
				return
			}
			first := perm1[0]
			for i := 0; i < r; i++ {
				perm1[i] = perm1[i+1]
			}
			perm1[r] = first
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
	}
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func work() int {
	c, f := fannkuch(8)
	return c*1000 + f
}
