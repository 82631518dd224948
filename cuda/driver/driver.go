package driver

// A Driver is one way to reach devices: libcuda, or the emulator.
type Driver interface {
	// Name is "native" or "emulated".
	Name() string
	// Init prepares the driver (cuInit). It may be called often and does its work once; every other
	// method fails with ErrorNotInitialized before it.
	Init() error
	// Version is the newest CUDA version that the driver speaks (cuDriverGetVersion).
	Version() (Version, error)
	// DeviceCount counts the devices (cuDeviceGetCount).
	DeviceCount() (int, error)
	// Device gives the device of that ordinal, in [0, DeviceCount) (cuDeviceGet); others are
	// ErrorInvalidDevice.
	Device(ordinal int) (Device, error)
}

// A Device is what a driver found. It needs no context and is never destroyed.
type Device interface {
	Ordinal() int
	// Name is the product's name (cuDeviceGetName).
	Name() (string, error)
	// UUID tells this device from all others (cuDeviceGetUuid).
	UUID() (UUID, error)
	// TotalMem is the device's memory in bytes (cuDeviceTotalMem).
	TotalMem() (uint64, error)
	// ComputeCapability is the architecture the device executes: (9, 0) for an H200.
	ComputeCapability() (ComputeCapability, error)
	// Attribute asks for one number (cuDeviceGetAttribute); units are those of CUDA's
	// documentation.
	Attribute(DeviceAttribute) (int, error)
	// CanAccessPeer reports whether this device can read and write the memory of another one
	// (cuDeviceCanAccessPeer).
	CanAccessPeer(Device) (bool, error)
	// NewContext gives a context on the device; each call is paired with one Context.Release.
	//
	// The emulated device makes a new one each time, with memory and failures of its own. libcuda
	// has one a process and device, the primary context (cuDevicePrimaryCtxRetain), made at the
	// first call and counted after it, so that other libraries of the process share it. After a
	// fault it may be refused for the rest of the process (fault.go).
	NewContext() (Context, error)
}
