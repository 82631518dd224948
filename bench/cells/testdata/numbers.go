package main

import "strconv"

func work() int {
	sum := 0
	for i := 0; i < 2_000; i++ {
		s := strconv.Itoa(i * 37)
		n, err := strconv.Atoi(s)
		if err != nil {
			return -1
		}
		f, err := strconv.ParseFloat(strconv.FormatFloat(float64(n)/8, 'f', 3, 64), 64)
		if err != nil {
			return -2
		}
		h, err := strconv.ParseInt(strconv.FormatInt(int64(n), 16), 16, 64)
		if err != nil {
			return -3
		}
		sum += n + int(f*8) - int(h)
	}
	return sum
}
