package cuda

import (
	"container/list"
	"errors"
	"fmt"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Cache keeps things that are slow to make, modules and captured graphs, by a key that says what
// they are good for. It is bounded: the least recently used goes first, and what is in use never
// goes. Goroutines that miss the same key at once wait for one of them to make it.
type Cache[K comparable, V any] struct {
	capacity int
	close    func(V) error

	mu    sync.Mutex
	items map[K]*cached[K, V] // guarded by mu
	order *list.List          // guarded by mu: of *cached, the most recently used in front
	stats CacheStats          // guarded by mu
	shut  bool                // guarded by mu
	// waits has for what each goroutine waits.
	waits map[string]*cached[K, V] // guarded by mu
}

// CacheStats are what a cache did.
type CacheStats struct {
	Hits, Misses, Evictions uint64
	// Kept is how many things it holds now.
	Kept int
}

type cached[K comparable, V any] struct {
	key     K
	builder string        // the goroutine that makes it
	ready   chan struct{} // closed when value, err or panicked is there
	value   V
	err     error
	users   int // guarded by the cache's mu
	place   *list.Element
	// panicked says that making it ended in a panic, which is the builder's; others make it anew.
	panicked bool
}

// NewCache makes a cache of at most capacity things, which is at least 1; close gives one back.
func NewCache[K comparable, V any](capacity int, close func(V) error) (*Cache[K, V], error) {
	const op = "NewCache"
	if capacity < 1 {
		return nil, &Error{Op: op, Want: "a capacity of at least 1", Got: fmt.Sprint(capacity)}
	}
	if close == nil {
		return nil, &Error{Op: op, Want: "a function that gives a thing back", Got: "nil"}
	}
	return &Cache[K, V]{capacity: capacity, close: close, items: map[K]*cached[K, V]{}, order: list.New(),
		waits: map[string]*cached[K, V]{}}, nil
}

// checkLocked refuses a cache that is closed; the caller holds mu.
func (c *Cache[K, V]) checkLocked(op string) error {
	if c.shut {
		return &Error{Op: op, Got: "the cache is closed", Fix: "make another", code: driver.ErrorInvalidHandle}
	}
	return nil
}

// Get gives the thing of a key, made by build where it is not there, and a function to call when it
// is not used any more. What build could not make is not kept: the next Get tries again. Interrupt
// ends the wait for another goroutine's build. A build that asks for what waits for it, itself
// maybe, is refused.
func (c *Cache[K, V]) Get(key K, build func() (V, error)) (V, func(), error) {
	const op = "Cache.Get"
	var none V
	if c == nil || c.waits == nil {
		return none, nil, missing(op, "a cache", "NewCache")
	}
	if build == nil {
		return none, nil, &Error{Op: op, Want: "a function that makes the thing", Got: "nil"}
	}
	for {
		item, mine, err := c.take(op, key)
		if err != nil {
			return none, nil, err
		}
		if mine {
			c.make(item, build)
		} else if err := c.wait(op, item); err != nil {
			return none, nil, err
		}
		if item.panicked {
			continue // in another goroutine, to which the panic belongs
		}
		if item.err != nil {
			return item.value, nil, item.err
		}
		c.evict()
		var once sync.Once
		return item.value, func() { once.Do(func() { c.release(item) }) }, nil
	}
}

// take finds the item of a key, or begins one, which is the caller's to make.
func (c *Cache[K, V]) take(op string, key K) (item *cached[K, V], mine bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkLocked(op); err != nil {
		return nil, false, err
	}
	if item := c.items[key]; item != nil {
		c.stats.Hits++
		item.users++
		c.order.MoveToFront(item.place)
		return item, false, nil
	}
	item = &cached[K, V]{key: key, builder: hostcall.Goroutine(), ready: make(chan struct{}), users: 1}
	item.place = c.order.PushFront(item)
	c.items[key] = item
	c.stats.Misses++
	return item, true, nil
}

// make makes an item, and lets those that wait for it go on, also where build panics or ends its
// goroutine.
func (c *Cache[K, V]) make(item *cached[K, V], build func() (V, error)) {
	item.panicked = true
	defer func() {
		if item.panicked || item.err != nil {
			c.mu.Lock()
			if c.items[item.key] == item {
				delete(c.items, item.key)
				c.order.Remove(item.place)
			}
			c.mu.Unlock()
		}
		close(item.ready)
	}()
	item.value, item.err = build()
	item.panicked = false
}

// wait waits for what another goroutine makes.
func (c *Cache[K, V]) wait(op string, item *cached[K, V]) error {
	if made(item.ready) {
		return nil
	}
	interrupt, self := interrupted(), hostcall.Goroutine()
	if err := c.waitsFor(op, self, item); err != nil {
		return err
	}
	defer func() {
		c.mu.Lock()
		delete(c.waits, self)
		c.mu.Unlock()
	}()
	select {
	case <-item.ready:
		return nil
	case <-interrupt:
		c.release(item)
		return &InterruptedError{Op: op}
	}
}

// waitsFor notes for what a goroutine waits, and refuses a circle of builds that wait for each
// other.
func (c *Cache[K, V]) waitsFor(op, self string, item *cached[K, V]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := item; at != nil; at = c.waits[at.builder] {
		if at.builder == self && !made(at.ready) {
			item.users--
			return &Error{Op: op, What: fmt.Sprint("key ", item.key), Got: "the thing is being made, and waits for this call",
				Fix: "ask for it outside of the function that makes it", code: driver.ErrorIllegalState}
		}
	}
	c.waits[self] = item
	return nil
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

// Stats says what the cache did so far; nothing for a nil or a zero cache.
func (c *Cache[K, V]) Stats() CacheStats {
	if c == nil || c.waits == nil {
		return CacheStats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Kept = len(c.items)
	return s
}

// Close gives everything back, what is being made once it is there. Things in use are given back
// too: their users are done first.
func (c *Cache[K, V]) Close() error {
	const op = "Cache.Close"
	if c == nil || c.waits == nil {
		return missing(op, "a cache", "NewCache")
	}
	c.mu.Lock()
	if err := c.checkLocked(op); err != nil {
		c.mu.Unlock()
		return err
	}
	self := hostcall.Goroutine()
	for _, item := range c.items {
		if item.builder == self && !made(item.ready) {
			c.mu.Unlock()
			return &Error{Op: op, Got: "something of the cache is being made by this call's caller", Fix: "close it outside",
				code: driver.ErrorIllegalState}
		}
	}
	c.shut = true
	items := c.items
	c.items, c.order = map[K]*cached[K, V]{}, list.New()
	c.mu.Unlock()
	var errs []error
	for _, item := range items {
		<-item.ready
		if item.err == nil && !item.panicked {
			errs = append(errs, c.close(item.value))
		}
	}
	return errors.Join(errs...)
}

// table is the card of a cache.
func (c *Cache[K, V]) table(title string) display.Table {
	if c == nil || c.waits == nil {
		return *display.Card("No cache")
	}
	s := c.Stats()
	t := display.Card(title)
	t.Add("kept", fmt.Sprintf("%d of at most %d", s.Kept, c.capacity))
	t.Add("hits", s.Hits)
	t.Add("misses", s.Misses)
	t.Add("evictions", s.Evictions)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		t.Note("Closed.")
	}
	return *t
}
