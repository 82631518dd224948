package main

import "math/big"

func work() int {
	f := big.NewInt(1)
	for i := int64(2); i <= 300; i++ {
		f.Mul(f, big.NewInt(i))
	}
	sum := 0
	for _, c := range f.String() {
		sum += int(c - '0')
	}
	return sum
}
