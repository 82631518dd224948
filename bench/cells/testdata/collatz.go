package main

func work() int {
	best, at := 0, 0
	for n := 1; n < 60_000; n++ {
		steps := 0
		for x := n; x != 1; steps++ {
			if x%2 == 0 {
				x /= 2
			} else {
				x = 3*x + 1
			}
		}
		if steps > best {
			best, at = steps, n
		}
	}
	return at
}
