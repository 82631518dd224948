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
	// Attribute asks for one number (cuDeviceGetAttribute); units are those of CUDA's documentation.
	Attribute(DeviceAttribute) (int, error)
	// CanAccessPeer says whether this device can read and write the memory of another one
	// (cuDeviceCanAccessPeer).
	CanAccessPeer(Device) (bool, error)
	// RetainPrimary gives the device's primary context, made at the first call and counted after it
	// (cuDevicePrimaryCtxRetain). Each call is paired with one Context.Release.
	RetainPrimary() (Context, error)
	// PrimaryState says whether the primary context is alive (cuDevicePrimaryCtxGetState).
	PrimaryState() (active bool, err error)
	// ResetPrimary destroys everything in the primary context, whoever holds it
	// (cuDevicePrimaryCtxReset). Every handle made in it is dead afterwards. Whether it also ends a
	// sticky error is told in fault.go.
	ResetPrimary() error
}
