package main

import (
	"errors"
	"fmt"
	"strconv"
)

var errOdd = errors.New("odd")

func parse(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("parse: %w", err)
	}
	if n%2 == 1 {
		return n, errOdd
	}
	return n, nil
}

func work() int {
	s := 0
	for i := 0; i < 5_000; i++ {
		text := strconv.Itoa(i)
		if i%50 == 0 {
			text = "x"
		}
		n, err := parse(text)
		switch {
		case errors.Is(err, errOdd):
			s += n
		case err != nil:
			s--
		default:
			s += 2
		}
	}
	return s
}
