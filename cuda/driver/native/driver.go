package native

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// minimum is the oldest driver whose functions this package can do its ordinary work with.
const minimum driver.Version = 12000

// A DriverError says that the installed driver is too old as a whole.
type DriverError struct{ Have, Need driver.Version }

func (e *DriverError) Error() string {
	return fmt.Sprintf("the installed driver speaks CUDA %s, and %s is the oldest that works here\nWhat to do: "+
		"update the NVIDIA driver (525 or newer)", e.Have, e.Need)
}

// Unwrap names the code CUDA has for this.
func (e *DriverError) Unwrap() error { return driver.ErrorCallRequiresNewerDriver }

// A cudaDriver is libcuda.
type cudaDriver struct {
	open func() (*library, error)

	mu      sync.Mutex
	lib     *library        // guarded by mu; nil before Init
	devices map[int]*device // guarded by mu
}

// New gives the driver of this machine. Nothing is loaded before Init.
func New() driver.Driver { return &cudaDriver{open: sharedLibrary, devices: map[int]*device{}} }

func (d *cudaDriver) Name() string { return "native" }

// Init loads the library and initialises it. A failure is not kept: a later Init tries again where
// the library was found.
func (d *cudaDriver) Init() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lib != nil {
		return nil
	}
	lib, err := d.open()
	if err != nil {
		return err
	}
	var version int32
	if err := lib.call(cuDriverGetVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return err
	}
	lib.version.Store(int64(version))
	if driver.Version(version) < minimum {
		return &DriverError{Have: driver.Version(version), Need: minimum}
	}
	if err := lib.call(cuInit, 0); err != nil {
		return err
	}
	d.lib = lib
	return nil
}

// ready gives the library after Init.
func (d *cudaDriver) ready(s symbol) (*library, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lib == nil {
		return nil, refuse(s, driver.ErrorNotInitialized, "")
	}
	return d.lib, nil
}

func (d *cudaDriver) Version() (driver.Version, error) {
	lib, err := d.ready(cuDriverGetVersion)
	if err != nil {
		return 0, err
	}
	return driver.Version(lib.version.Load()), nil
}

func (d *cudaDriver) DeviceCount() (int, error) {
	lib, err := d.ready(cuDeviceGetCount)
	if err != nil {
		return 0, err
	}
	var n int32
	err = lib.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n)))
	return int(n), err
}

func (d *cudaDriver) Device(ordinal int) (driver.Device, error) {
	lib, err := d.ready(cuDeviceGet)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if dev := d.devices[ordinal]; dev != nil {
		return dev, nil
	}
	if ordinal != int(int32(ordinal)) {
		return nil, refuse(cuDeviceGet, driver.ErrorInvalidDevice, fmt.Sprintf("ordinal %d", ordinal))
	}
	var handle int32
	if err := lib.call(cuDeviceGet, uintptr(unsafe.Pointer(&handle)), uintptr(ordinal)); err != nil {
		return nil, err
	}
	dev := &device{lib: lib, handle: handle, ordinal: ordinal}
	d.devices[ordinal] = dev
	return dev, nil
}
