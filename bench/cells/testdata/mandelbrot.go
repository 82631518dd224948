package main

func work() int {
	const size, limit = 160, 50
	inside := 0
	for py := 0; py < size; py++ {
		ci := 2*float64(py)/size - 1
		for px := 0; px < size; px++ {
			cr := 2*float64(px)/size - 1.5
			zr, zi := 0.0, 0.0
			n := 0
			for ; n < limit && zr*zr+zi*zi <= 4; n++ {
				zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			}
			if n == limit {
				inside++
			}
		}
	}
	return inside
}
