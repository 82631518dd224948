package main

func work() int {
	const n = 60
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range a[i] {
			a[i][j] = float64((i*j+i+j)%17) + 1
		}
		a[i][i] += 100
	}
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j <= n; j++ {
				a[i][j] -= f * a[k][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		s := a[i][n]
		for j := i + 1; j < n; j++ {
			s -= a[i][j] * x[j]
		}
		x[i] = s / a[i][i]
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return int(sum * 1e9)
}
