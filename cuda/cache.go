package cuda

import (
	"container/list"
	"errors"
	"sync"
)

// A Cache keeps things that are slow to make, modules and captured graphs, by a key that says what they
// are good for. It is bounded: the least recently used goes first, and what is in use never goes.
// Goroutines that miss the same key at once wait for one of them to make it.
type Cache[K comparable, V any] struct {
	capacity int
	close    func(V) error

	mu    sync.Mutex
	items map[K]*cached[K, V] // guarded by mu
	order *list.List          // guarded by mu: of *cached, the most recently used in front
	stats CacheStats          // guarded by mu
	shut  bool                // guarded by mu
}

// CacheStats are what a cache did.
type CacheStats struct {
	Hits, Misses, Evictions uint64
	// Kept is how many things it holds now.
	Kept int
}

type cached[K comparable, V any] struct {
	key   K
	ready chan struct{} // closed when value or err is there
	value V
	err   error
	users int // guarded by the cache's mu
	place *list.Element
}

// NewCache makes a cache of at most capacity things; close gives one back. A capacity under 1 is an error
// of the program, and 1 is taken.
func NewCache[K comparable, V any](capacity int, close func(V) error) *Cache[K, V] {
	return &Cache[K, V]{capacity: max(capacity, 1), close: close, items: map[K]*cached[K, V]{}, order: list.New()}
}

// Get gives the thing of a key, made by build where it is not there, and a function to call when it is
// not used any more. What build could not make is not kept: the next Get tries again.
func (c *Cache[K, V]) Get(key K, build func() (V, error)) (V, func(), error) {
	c.mu.Lock()
	if c.shut {
		c.mu.Unlock()
		var none V
		return none, nil, &Error{Op: "Cache.Get", Got: "the cache is closed"}
	}
	if item := c.items[key]; item != nil {
		c.stats.Hits++
		item.users++
		c.order.MoveToFront(item.place)
		c.mu.Unlock()
		return c.wait(item)
	}
	item := &cached[K, V]{key: key, ready: make(chan struct{}), users: 1, err: errPanicked}
	item.place = c.order.PushFront(item)
	c.items[key] = item
	c.stats.Misses++
	c.mu.Unlock()
	func() {
		defer close(item.ready) // also where build panics: those who wait must not wait for ever
		item.value, item.err = build()
	}()
	return c.wait(item)
}

var errPanicked = &Error{Op: "Cache.Get", Got: "making the thing panicked"}

// wait gives an item when it was made.
func (c *Cache[K, V]) wait(item *cached[K, V]) (V, func(), error) {
	<-item.ready
	if item.err != nil {
		c.mu.Lock()
		if c.items[item.key] == item {
			delete(c.items, item.key)
			c.order.Remove(item.place)
		}
		c.mu.Unlock()
		return item.value, nil, item.err
	}
	c.evict()
	var once sync.Once
	return item.value, func() { once.Do(func() { c.release(item) }) }, nil
}

func (c *Cache[K, V]) release(item *cached[K, V]) {
	c.mu.Lock()
	item.users--
	c.mu.Unlock()
	c.evict()
}

// evict closes what is too much and not in use. A failure to close is told by Close.
func (c *Cache[K, V]) evict() {
	for _, item := range c.surplus() {
		if err := c.close(item.value); err != nil {
			c.mu.Lock()
			c.items[item.key], item.place = item, c.order.PushBack(item) // it is still there
			c.stats.Evictions--
			c.mu.Unlock()
			return
		}
	}
}

func (c *Cache[K, V]) surplus() []*cached[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*cached[K, V]
	for e := c.order.Back(); e != nil && len(c.items) > c.capacity; {
		item, before := e.Value.(*cached[K, V]), e.Prev()
		if item.users == 0 && made(item.ready) {
			delete(c.items, item.key)
			c.order.Remove(e)
			c.stats.Evictions++
			out = append(out, item)
		}
		e = before
	}
	return out
}

func made(ready <-chan struct{}) bool {
	select {
	case <-ready:
		return true
	default:
		return false
	}
}

// Stats says what the cache did so far.
func (c *Cache[K, V]) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Kept = len(c.items)
	return s
}

// Close gives everything back. Things in use are given back too: their users are done first.
func (c *Cache[K, V]) Close() error {
	c.mu.Lock()
	c.shut = true
	items := c.items
	c.items, c.order = map[K]*cached[K, V]{}, list.New()
	c.mu.Unlock()
	var errs []error
	for _, item := range items {
		<-item.ready
		if item.err == nil {
			errs = append(errs, c.close(item.value))
		}
	}
	return errors.Join(errs...)
}
