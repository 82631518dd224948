package main

func factors(n int) []int {
	var fs []int
	for d := 2; d*d <= n; d++ {
		for n%d == 0 {
			fs = append(fs, d)
			n /= d
		}
	}
	if n > 1 {
		fs = append(fs, n)
	}
	return fs
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func work() int {
	sum := 0
	for n := 10_000; n < 10_400; n++ {
		for i, f := range factors(n) {
			sum += i * f
		}
		sum += gcd(n, 5040)
	}
	return sum
}
