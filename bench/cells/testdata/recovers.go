package main

import (
	"errors"
	"fmt"
)

var errNegative = errors.New("negative")

func check(i int) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("check %d: %w", i, r.(error))
		}
	}()
	if i%3 == 0 {
		panic(errNegative)
	}
	xs := []int{1, 2}
	return xs[i%4%3], nil
}

func work() int {
	failed, sum := 0, 0
	for i := 0; i < 500; i++ {
		n, err := check(i)
		if errors.Is(err, errNegative) {
			failed++
		} else if err != nil {
			failed += 1000
		}
		sum += n
	}
	return failed + sum
}
