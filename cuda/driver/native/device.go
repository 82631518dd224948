package native

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A device is a CUdevice. There is one value a device, so devices and their contexts can be
// compared.
type device struct {
	lib     *library
	handle  int32
	ordinal int

	mu      sync.Mutex
	primary *context // guarded by mu; nil while nobody holds it
	holders int      // guarded by mu
}

func (d *device) Ordinal() int { return d.ordinal }

func (d *device) Name() (string, error) {
	buf := make([]byte, 256)
	if err := d.lib.call(cuDeviceGetName, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)),
		uintptr(d.handle)); err != nil {
		return "", err
	}
	name, _, _ := strings.Cut(string(buf), "\x00")
	return name, nil
}

func (d *device) UUID() (driver.UUID, error) {
	var id driver.UUID
	err := d.lib.call(cuDeviceGetUuid, uintptr(unsafe.Pointer(&id)), uintptr(d.handle))
	return id, err
}

func (d *device) TotalMem() (uint64, error) {
	var n uint64
	err := d.lib.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(d.handle))
	return n, err
}

func (d *device) ComputeCapability() (driver.ComputeCapability, error) {
	major, err := d.Attribute(driver.AttrComputeCapabilityMajor)
	if err != nil {
		return driver.ComputeCapability{}, err
	}
	minor, err := d.Attribute(driver.AttrComputeCapabilityMinor)
	return driver.ComputeCapability{Major: major, Minor: minor}, err
}

func (d *device) Attribute(a driver.DeviceAttribute) (int, error) {
	var v int32
	err := d.lib.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(a), uintptr(d.handle))
	return int(v), err
}

func (d *device) CanAccessPeer(other driver.Device) (bool, error) {
	peer, ok := other.(*device)
	if !ok {
		return false, refuse(cuDeviceCanAccessPeer, driver.ErrorInvalidDevice, "the other device belongs to another driver")
	}
	var v int32
	err := d.lib.call(cuDeviceCanAccessPeer, uintptr(unsafe.Pointer(&v)), uintptr(d.handle), uintptr(peer.handle))
	return v != 0, err
}

func (d *device) NewContext() (driver.Context, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.primary != nil {
		d.holders++
		return d.primary, nil
	}
	var handle uintptr
	if err := d.lib.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&handle)), uintptr(d.handle)); err != nil {
		return nil, err
	}
	d.primary = newContext(d, handle)
	d.holders = 1
	return d.primary, nil
}

// release gives back one hold on a context; the last one gives it back to the driver. A context
// that was reset away is gone already.
func (d *device) release(c *context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.primary != c {
		if c.wasReset.Load() {
			return nil
		}
		return refuse(cuDevicePrimaryCtxRelease, driver.ErrorInvalidContext, "released more often than retained")
	}
	if d.holders--; d.holders > 0 {
		return nil
	}
	d.primary = nil
	c.die()
	return d.lib.call(cuDevicePrimaryCtxRelease, uintptr(d.handle))
}

// reset destroys the context, unless it is gone already.
func (d *device) reset(c *context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.primary != c {
		return nil
	}
	c.wasReset.Store(true)
	c.die()
	d.primary, d.holders = nil, 0
	// The library still counts the hold that NewContext took. It is given back so that resetting
	// often does not pile holds up; what it answers is about work that the reset throws away.
	_ = d.lib.call(cuDevicePrimaryCtxRelease, uintptr(d.handle))
	return d.lib.call(cuDevicePrimaryCtxReset, uintptr(d.handle))
}
