package main

import "encoding/json"

type item struct {
	Name  string             `json:"name"`
	Tags  []string           `json:"tags"`
	Sizes map[string]float64 `json:"sizes"`
}

func work() int {
	n := 0
	for i := 0; i < 2_000; i++ {
		text, err := json.Marshal(item{"a", []string{"x", "y"}, map[string]float64{"w": float64(i), "h": 2}})
		if err != nil {
			return -1
		}
		var back item
		if err := json.Unmarshal(text, &back); err != nil {
			return -2
		}
		n += len(text) + int(back.Sizes["w"])
	}
	return n
}
