package main

import "math"

func a(i, j int) float64 { return 1 / float64((i+j)*(i+j+1)/2+i+1) }

func times(v, u []float64) {
	for i := range v {
		s := 0.0
		for j := range u {
			s += a(i, j) * u[j]
		}
		v[i] = s
	}
}

func timesTransposed(v, u []float64) {
	for i := range v {
		s := 0.0
		for j := range u {
			s += a(j, i) * u[j]
		}
		v[i] = s
	}
}

func work() int {
	const n = 120
	u, v, t := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = 1
	}
	for i := 0; i < 10; i++ {
		times(t, u)
		timesTransposed(v, t)
		times(t, v)
		timesTransposed(u, t)
	}
	var vbv, vv float64
	for i := range u {
		vbv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	return int(math.Sqrt(vbv/vv) * 1e9)
}
