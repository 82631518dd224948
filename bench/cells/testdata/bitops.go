package main

import "math/bits"

func work() int {
	x, sum := uint64(88172645463325252), 0
	for i := 0; i < 20_000; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += bits.OnesCount64(x) - bits.TrailingZeros64(x) + int(x&0xff)&^3
		if x&(1<<40) != 0 {
			sum ^= int(uint32(x) >> 16)
		}
	}
	return sum
}
