package main

type entry struct {
	key, value int
	prev, next *entry
}

type cache struct {
	entries     map[int]*entry
	first, last *entry
	size        int
}

func newCache(size int) *cache {
	c := &cache{entries: map[int]*entry{}, first: &entry{}, last: &entry{}, size: size}
	c.first.next, c.last.prev = c.last, c.first
	return c
}

func (c *cache) unlink(e *entry) { e.prev.next, e.next.prev = e.next, e.prev }

func (c *cache) front(e *entry) {
	e.prev, e.next = c.first, c.first.next
	e.prev.next, e.next.prev = e, e
}

func (c *cache) get(key int) (int, bool) {
	e, ok := c.entries[key]
	if !ok {
		return 0, false
	}
	c.unlink(e)
	c.front(e)
	return e.value, true
}

func (c *cache) put(key, value int) {
	if e, ok := c.entries[key]; ok {
		e.value = value
		c.unlink(e)
		c.front(e)
		return
	}
	if len(c.entries) == c.size {
		old := c.last.prev
		c.unlink(old)
		delete(c.entries, old.key)
	}
	e := &entry{key: key, value: value}
	c.entries[key] = e
	c.front(e)
}

func work() int {
	c := newCache(100)
	hits, x := 0, 1
	for i := 0; i < 10_000; i++ {
		x = x * 1103515245 % 2147483647
		key := x % 150
		if v, ok := c.get(key); ok {
			hits += v % 3
		} else {
			c.put(key, i)
		}
	}
	return hits
}
