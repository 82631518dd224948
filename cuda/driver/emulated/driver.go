package emulated

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// Options configure the emulated device.
type Options struct {
	// Checks are compiled into every kernel.
	Checks vm.Options
	// MemoryBytes is the size of the memory of each context; 0 means 8 GiB. Host memory is
	// taken as it is allocated.
	MemoryBytes uint64
	// Devices is how many devices there are, at most MaxDevices, which Init looks at; 0 means 1.
	// They share the host's cores.
	Devices int
	// Stdout gets what kernels print; nil means os.Stdout as it is at the time.
	Stdout io.Writer
	// Shuffle, when not 0, seeds a random order of the blocks of each launch; vm.Reversed begins
	// with the last.
	Shuffle uint64
	// Schedule chooses the order of what nothing orders: operations of different streams, and nodes
	// of a graph. A right program has the same result with each; one that lacks an order may show
	// it with some.
	Schedule uint64
}

// New gives the emulated driver with every check on.
func New() driver.Driver { return NewWith(Options{Checks: vm.Checked()}) }

// MaxDevices is the most devices that a driver has.
const MaxDevices = 8

// NewWith gives an emulated driver of its own, with its own devices and memory.
func NewWith(o Options) driver.Driver {
	if o.MemoryBytes == 0 {
		o.MemoryBytes = 8 << 30
	}
	d := &emulator{options: o}
	d.grow(min(max(o.Devices, 1), MaxDevices))
	return d
}

// Version is the CUDA version that the emulated driver speaks.
const Version driver.Version = 13000

// The newest PTX ISA that it reads.
const (
	ptxMajor = 9
	ptxMinor = 0
)

type emulator struct {
	options Options
	ready   atomic.Bool
	handles atomic.Uint64
	mu      sync.Mutex
	devices []*device // guarded by mu; replaced, never changed
}

func (d *emulator) list() []*device {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.devices
}

func (d *emulator) grow(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.devices = slices.Clone(d.devices)
	for i := len(d.devices); i < n; i++ {
		d.devices = append(d.devices, &device{driver: d, ordinal: i})
	}
}

// Grow sees to it that there are n devices at least: an ability of the emulated driver, found by
// assertion.
func (d *emulator) Grow(n int) error {
	if n > MaxDevices {
		return fail("cuDeviceGet", driver.ErrorInvalidDevice, "device %d asked, the emulator has at most %d", n-1, MaxDevices)
	}
	d.grow(n)
	return nil
}

func (d *emulator) Name() string { return "emulated" }

func (d *emulator) Init() error {
	if n := d.options.Devices; n < 0 || n > MaxDevices {
		return fail("cuInit", driver.ErrorInvalidValue, "%d emulated devices asked, 1 to %d can be had", n, MaxDevices)
	}
	d.ready.Store(true)
	return nil
}

// handle gives a number that nothing else of this driver has.
func (d *emulator) handle() uintptr { return uintptr(d.handles.Add(1)<<4 | 0xe00000000000) }

func (d *emulator) initialized(call string) error {
	if d.ready.Load() {
		return nil
	}
	return fail(call, driver.ErrorNotInitialized, "")
}

func (d *emulator) Version() (driver.Version, error) {
	return Version, d.initialized("cuDriverGetVersion")
}

func (d *emulator) DeviceCount() (int, error) {
	return len(d.list()), d.initialized("cuDeviceGetCount")
}

func (d *emulator) Device(ordinal int) (driver.Device, error) {
	if err := d.initialized("cuDeviceGet"); err != nil {
		return nil, err
	}
	devices := d.list()
	if ordinal < 0 || ordinal >= len(devices) {
		return nil, fail("cuDeviceGet", driver.ErrorInvalidDevice, "device %d asked, the emulator has %d",
			ordinal, len(devices))
	}
	return devices[ordinal], nil
}

type device struct {
	driver  *emulator
	ordinal int
}

func (d *device) Ordinal() int { return d.ordinal }

func (d *device) Name() (string, error) {
	return fmt.Sprintf("Emulated device (PTX %d.%d, %d cores)", ptxMajor, ptxMinor, runtime.GOMAXPROCS(0)), nil
}

func (d *device) UUID() (driver.UUID, error) {
	return driver.UUID{'v', 'y', 'r', 'e', '-', 'e', 'm', 'u', 'l', 'a', 't', 'e', 'd', 0, 0, byte(1 + d.ordinal)}, nil
}

func (d *device) TotalMem() (uint64, error) { return d.driver.options.MemoryBytes, nil }

func (d *device) ComputeCapability() (driver.ComputeCapability, error) {
	return driver.ComputeCapability{Major: 9, Minor: 0}, nil
}

var attributes = map[driver.DeviceAttribute]int{
	driver.AttrMaxThreadsPerBlock: vm.MaxThreads, driver.AttrMaxBlockDimX: vm.MaxThreads,
	driver.AttrMaxBlockDimY: vm.MaxThreads,
	driver.AttrMaxBlockDimZ: vm.MaxBlockZ, driver.AttrMaxGridDimX: vm.MaxGridX, driver.AttrMaxGridDimY: vm.MaxGridYZ,
	driver.AttrMaxGridDimZ: vm.MaxGridYZ, driver.AttrMaxSharedMemoryPerBlock: defaultShared,
	driver.AttrTotalConstantMemory: 64 << 10,
	driver.AttrWarpSize:            32, driver.AttrMaxRegistersPerBlock: 65536, driver.AttrClockRateKHz: 1000000,
	driver.AttrMultiprocessorCount: vm.Multiprocessors, driver.AttrIntegrated: 1, driver.AttrCanMapHostMemory: 1,
	driver.AttrConcurrentKernels: 0,
	driver.AttrECCEnabled:        0, driver.AttrMemoryClockRateKHz: 1000000, driver.AttrGlobalMemoryBusWidth: 64,
	driver.AttrL2CacheSize:                 1 << 20,
	driver.AttrMaxThreadsPerMultiprocessor: 2048, driver.AttrAsyncEngineCount: 0, driver.AttrUnifiedAddressing: 1,
	driver.AttrComputeCapabilityMajor: 9, driver.AttrComputeCapabilityMinor: 0, driver.AttrStreamPrioritiesSupported: 0,
	driver.AttrMaxSharedMemoryPerSM: 228 << 10, driver.AttrMaxRegistersPerSM: 65536, driver.AttrManagedMemory: 0,
	driver.AttrCooperativeLaunch:            1,
	driver.AttrMaxSharedMemoryPerBlockOptin: vm.MaxShared, driver.AttrMaxBlocksPerMultiprocessor: 32,
	driver.AttrReservedSharedMemoryPerBlock: 1024,
	driver.AttrMemoryPoolsSupported:         1, driver.AttrClusterLaunch: 1, driver.AttrUnifiedFunctionPointers: 0,
}

// defaultShared is what a block may use without asking for more.
const defaultShared = 48 << 10

func (d *device) Attribute(a driver.DeviceAttribute) (int, error) {
	if v, ok := attributes[a]; ok {
		return v, nil
	}
	return 0, fail("cuDeviceGetAttribute", driver.ErrorInvalidValue, "the emulated device has no attribute %d", a)
}

func (d *device) CanAccessPeer(other driver.Device) (bool, error) {
	if _, ok := other.(*device); !ok {
		return false, fail("cuDeviceCanAccessPeer", driver.ErrorInvalidDevice, "the other device is of another driver")
	}
	return false, nil
}

func (d *device) NewContext() (driver.Context, error) {
	if err := permitted("cuCtxCreate"); err != nil {
		return nil, err
	}
	return newContext(d), nil
}

func (o *Options) stdout() io.Writer {
	if o.Stdout != nil {
		return o.Stdout
	}
	return os.Stdout
}

// fail makes the error of a call.
func fail(call string, code driver.Result, detail string, args ...any) *driver.Error {
	if len(args) > 0 {
		detail = fmt.Sprintf(detail, args...)
	}
	return &driver.Error{Call: call, Code: code, Detail: detail}
}
