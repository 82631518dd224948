package main

import "errors"

type celsius float64
type label string

var errNone = errors.New("none")

func weigh(v any) (int, error) {
	switch v := v.(type) {
	case nil:
		return 0, errNone
	case int:
		return v, nil
	case string:
		return len(v), nil
	case celsius:
		return int(v), nil
	case label:
		return 2 * len(v), nil
	case []int:
		return len(v), nil
	case map[string]int:
		return v["a"], nil
	case error:
		return -1, v
	}
	return -2, nil
}

func work() int {
	values := []any{1, "two", celsius(3.5), label("four"), []int{5}, map[string]int{"a": 6}, errNone, nil, 2.5}
	sum := 0
	for i := 0; i < 2_000; i++ {
		for _, v := range values {
			n, err := weigh(v)
			if errors.Is(err, errNone) {
				n++
			}
			if s, ok := v.(string); ok {
				n += len(s)
			}
			sum += n
		}
	}
	return sum
}
