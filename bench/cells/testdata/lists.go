package main

import "container/list"

func work() int {
	l := list.New()
	for i := 0; i < 2_000; i++ {
		if i%3 == 0 {
			l.PushFront(i)
		} else {
			l.PushBack(i)
		}
	}
	sum := 0
	for e := l.Front(); e != nil; e = e.Next() {
		sum = sum*31%1_000_003 + e.Value.(int)
	}
	return sum
}
