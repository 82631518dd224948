package main

import "sync"

type config struct {
	once  sync.Once
	value int
}

func (c *config) get() int {
	c.once.Do(func() { c.value = 42 })
	return c.value
}

var pool = sync.Pool{New: func() any { return new([64]int) }}

func work() int {
	c, sum := &config{}, 0
	var mu sync.RWMutex
	for i := 0; i < 3_000; i++ {
		a := pool.Get().(*[64]int)
		a[i%64] = i
		mu.RLock()
		sum += c.get() + a[i%64]
		mu.RUnlock()
		pool.Put(a)
	}
	return sum
}
