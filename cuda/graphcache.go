package cuda

import "reflect"

// A GraphCache keeps captured graphs by a key that says what they are good for: sizes as capacity classes, say, so that one
// graph serves every length of its class. It is a Cache for cells, which cannot instantiate generic types.
type GraphCache struct{ cache *Cache[any, *Graph] }

// NewGraphCache makes a cache of at most capacity graphs on the device. Close it before the device.
func (d *Device) NewGraphCache(capacity int) *GraphCache {
	return &GraphCache{NewCache[any](capacity, (*Graph).Close)}
}

// Get gives the graph of a key, which has to be comparable, made by capture where it is not there, and a function to call when
// the graph is not used any more: a graph in use is never closed.
func (c *GraphCache) Get(key any, capture func() (*Graph, error)) (*Graph, func(), error) {
	if v := reflect.ValueOf(key); v.IsValid() && !v.Comparable() {
		return nil, nil, &Error{Op: "GraphCache.Get", Want: "a key that can be compared", Got: typeName(key)}
	}
	return c.cache.Get(key, capture)
}

// Stats says what the cache did so far.
func (c *GraphCache) Stats() CacheStats { return c.cache.Stats() }

// Close closes all graphs.
func (c *GraphCache) Close() error { return c.cache.Close() }
