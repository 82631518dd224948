package cuda

import (
	"crypto/sha256"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A moduleKey says which compiled code a text becomes.
type moduleKey struct {
	digest  [sha256.Size]byte
	compute driver.ComputeCapability
}

// ModuleCache keeps loaded modules by the digest of their PTX and the architecture they were
// compiled for, so that code that makes kernels from templates compiles each once.
type ModuleCache struct {
	dev   *Device
	cache *Cache[moduleKey, *Module]
}

// NewModuleCache makes a cache of at most capacity modules on the device, which is at least 1.
// Close it before the device.
func (d *Device) NewModuleCache(capacity int) (*ModuleCache, error) {
	const op = "Device.NewModuleCache"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	c, err := NewCache[moduleKey](capacity, (*Module).Close)
	if err != nil {
		return nil, &Error{Op: op, Err: err}
	}
	return &ModuleCache{dev: d, cache: c}, nil
}

// Kernel gives a kernel of a PTX text, loaded where it is not there yet, and a function to call when the
// kernel is not used any more: a module in use is never unloaded.
func (c *ModuleCache) Kernel(ptx, name string) (*Kernel, func(), error) {
	const op = "ModuleCache.Kernel"
	if c == nil || c.cache == nil {
		return nil, nil, missing(op, "a module cache", "Device.NewModuleCache")
	}
	if err := c.dev.checkOpen(op); err != nil {
		return nil, nil, err
	}
	key := moduleKey{sha256.Sum256([]byte(ptx)), c.dev.info.Compute}
	m, release, err := c.cache.Get(key, func() (*Module, error) { return c.dev.LoadPTX(ptx) })
	if err != nil {
		return nil, nil, err
	}
	k, err := m.Kernel(name)
	if err != nil {
		release()
		return nil, nil, err
	}
	return k, release, nil
}

// Stats says what the cache did so far; nothing for a nil or a zero cache.
func (c *ModuleCache) Stats() CacheStats {
	if c == nil {
		return CacheStats{}
	}
	return c.cache.Stats()
}

// Close unloads all modules.
func (c *ModuleCache) Close() error {
	const op = "ModuleCache.Close"
	if c == nil || c.cache == nil {
		return missing(op, "a module cache", "Device.NewModuleCache")
	}
	return wrap(op, "", c.cache.Close())
}

// Table is the cache's card.
func (c *ModuleCache) Table() display.Table {
	if c == nil {
		return *display.Card("No module cache")
	}
	return c.cache.table("Module cache")
}
