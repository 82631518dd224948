package main

import "strconv"

func work() int {
	keys := make([]string, 500)
	for i := range keys {
		keys[i] = "key" + strconv.Itoa(i)
	}
	counts, lists := map[string]int{}, map[string][]int{}
	for i := 0; i < 20_000; i++ {
		counts[keys[i*7%500]]++
		lists[keys[i*3%500]] = append(lists[keys[i*3%500]], i)
	}
	for i := 0; i < 250; i++ {
		delete(counts, keys[i])
	}
	return len(counts) + len(lists["key3"])
}
