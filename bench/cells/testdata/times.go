package main

import "time"

func work() int {
	t := time.Date(2026, 1, 31, 23, 59, 58, 0, time.UTC)
	sum := 0
	for i := 0; i < 500; i++ {
		t = t.Add(37 * time.Hour)
		text := t.Format("2006-01-02 15:04:05")
		back, err := time.Parse("2006-01-02 15:04:05", text)
		if err != nil || !back.Equal(t) {
			return -1
		}
		if t.Weekday() == time.Monday {
			sum += t.YearDay()
		}
	}
	return sum
}
