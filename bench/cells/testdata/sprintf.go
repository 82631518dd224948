package main

import "fmt"

func work() int {
	n := 0
	for i := 0; i < 10_000; i++ {
		n += len(fmt.Sprintf("%d:%s:%v", i, "name", 1.5))
	}
	return n
}
