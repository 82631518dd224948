package cuda

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A GraphCache keeps captured graphs by a key that says what they are good for: sizes as capacity
// classes, say, so that one graph serves every length of its class. It is a Cache for cells, which
// cannot instantiate generic types.
type GraphCache struct {
	dev   *Device
	cache *Cache[any, *Graph]
}

// NewGraphCache makes a cache of at most capacity graphs on the device, which is at least 1. Close
// it before the device.
func (d *Device) NewGraphCache(capacity int) (*GraphCache, error) {
	const op = "Device.NewGraphCache"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	c, err := NewCache[any](capacity, (*Graph).Close)
	if err != nil {
		return nil, &Error{Op: op, Err: err}
	}
	return &GraphCache{d, c}, nil
}

func (c *GraphCache) check(op string) error {
	if c == nil || c.cache == nil {
		return missing(op, "a graph cache", "Device.NewGraphCache")
	}
	return c.dev.checkOpen(op)
}

// Get gives the graph of a key, which has to be comparable, made by capture where it is not there,
// and a function to call when the graph is not used any more: a graph in use is never closed. What
// capture could not make is not kept: the next Get tries again.
func (c *GraphCache) Get(key any, capture func() (*Graph, error)) (*Graph, func(), error) {
	const op = "GraphCache.Get"
	if err := c.check(op); err != nil {
		return nil, nil, err
	}
	if v := reflect.ValueOf(key); v.IsValid() && !v.Comparable() {
		return nil, nil, &Error{Op: op, Want: "a key that can be compared", Got: typeName(key)}
	}
	if capture == nil {
		return nil, nil, &Error{Op: op, Want: "a function that captures a graph", Got: "nil"}
	}
	return c.cache.Get(key, func() (*Graph, error) {
		g, err := capture()
		if err == nil {
			err = g.of(op, c.dev)
		}
		return g, err
	})
}

// of refuses what capture gave where it is no open graph of a device.
func (g *Graph) of(op string, d *Device) error {
	if err := g.check(op); err != nil {
		return err
	}
	if g.dev != d {
		return &Error{Op: op, What: g.name, Want: "a graph of " + d.String(), Got: "one of " + d.apart(g.dev),
			code: driver.ErrorInvalidHandle}
	}
	return nil
}

// Stats says what the cache did so far; nothing for a nil or a zero cache.
func (c *GraphCache) Stats() CacheStats {
	if c == nil {
		return CacheStats{}
	}
	return c.cache.Stats()
}

// Close closes all graphs.
func (c *GraphCache) Close() error {
	const op = "GraphCache.Close"
	if c == nil || c.cache == nil {
		return missing(op, "a graph cache", "Device.NewGraphCache")
	}
	return wrap(op, "", c.cache.Close())
}

// Table is the cache's card.
func (c *GraphCache) Table() display.Table {
	if c == nil {
		return *display.Card("No graph cache")
	}
	return c.cache.table("Graph cache")
}
