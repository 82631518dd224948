package main

func work() int {
	text := make([]byte, 0, 200_000)
	for i := 0; i < 200_000; i++ {
		text = append(text, "lorem ipsum dolor"[i%17])
	}
	var histogram [256]int
	h := uint32(2166136261)
	for _, c := range text {
		histogram[c]++
		h = (h ^ uint32(c)) * 16777619
	}
	words, inside := 0, false
	for _, c := range text {
		if c == ' ' {
			inside = false
		} else if !inside {
			inside = true
			words++
		}
	}
	return int(h%1000) + words + histogram['o']
}
