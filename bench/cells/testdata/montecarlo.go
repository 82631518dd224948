package main

import (
	"math"
	"math/rand"
)

func work() int {
	r := rand.New(rand.NewSource(7))
	inside, sum := 0, 0.0
	for i := 0; i < 20_000; i++ {
		x, y := r.Float64(), r.Float64()
		if x*x+y*y < 1 {
			inside++
		}
		sum += math.Sqrt(-2*math.Log(x+1e-9)) * math.Cos(2*math.Pi*y)
	}
	return inside + int(sum)
}
