package cuda

import (
	"crypto/sha256"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A moduleKey says which compiled code a text becomes.
type moduleKey struct {
	digest  [sha256.Size]byte
	compute driver.ComputeCapability
}

// ModuleCache keeps loaded modules by the digest of their PTX and the architecture they were compiled
// for, so that code that makes kernels from templates compiles each once.
type ModuleCache struct {
	dev   *Device
	cache *Cache[moduleKey, *Module]
}

// NewModuleCache makes a cache of at most capacity modules on the device. Close it before the device.
func (d *Device) NewModuleCache(capacity int) *ModuleCache {
	return &ModuleCache{dev: d, cache: NewCache[moduleKey](capacity, (*Module).Unload)}
}

// Kernel gives a kernel of a PTX text, loaded where it is not there yet, and a function to call when the
// kernel is not used any more: a module in use is never unloaded.
func (c *ModuleCache) Kernel(ptx, name string) (*Kernel, func(), error) {
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

// Stats says what the cache did so far.
func (c *ModuleCache) Stats() CacheStats { return c.cache.Stats() }

// Close unloads all modules.
func (c *ModuleCache) Close() error { return c.cache.Close() }
