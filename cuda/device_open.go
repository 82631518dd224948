package cuda

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
)

// DeviceVariable is the environment variable that says which device Open without an argument opens;
// its value is what Open takes.
const DeviceVariable = "VYRE_CUDA_DEVICE"

// drivers are the ways to reach devices, in the order in which Open tries them, made once a
// process.
var drivers = []*driverEntry{
	{name: "native", new: newNative},
	{name: "emulated", new: newEmulated},
}

// A driverEntry is a driver that is made when it is first needed.
type driverEntry struct {
	name string
	new  func() (driver.Driver, error)

	mu  sync.Mutex
	drv driver.Driver // guarded by mu
}

func newNative() (driver.Driver, error) { return native.New(), nil }

// get initialises the driver. A failure is tried again by the next call.
func (e *driverEntry) get() (driver.Driver, error) {
	drv, err := e.made()
	if err != nil {
		return nil, err
	}
	return drv, drv.Init()
}

func (e *driverEntry) made() (_ driver.Driver, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.drv == nil {
		e.drv, err = e.new()
	}
	return e.drv, err
}

// Open opens a device: without an argument the first GPU, or the emulated device where there is
// none (the card says why); "native" or "emulated" say which driver, "native:1" which of its
// devices. Without an argument DeviceVariable decides where it is set.
//
// A GPU that is there and cannot be used is an error, not a reason to emulate.
//
// Each emulated device that Open gives is one of its own: its memory is shared with no other, and a
// fault of a kernel leaves the others alone. "emulated:1" to "emulated:7" are further ones, for
// programs that tell devices apart. What is opened on a GPU shares its memory and its faults, as
// all of a process does.
//
// What was made on one device is refused by another, also by a second Open of the same GPU.
// OpenEmulated opens an emulated device with checks switched off, or one whose kernels print
// elsewhere.
func Open(where ...string) (*Device, error) {
	if len(where) > 1 {
		return nil, &Error{Op: "Open", Want: "at most one argument", Got: strconv.Itoa(len(where)),
			Fix: "cuda.OpenEmulated takes settings"}
	}
	name := os.Getenv(DeviceVariable)
	if len(where) == 1 {
		name = where[0]
	}
	if name == "" {
		return openFirst()
	}
	entry, ordinal, err := find(name)
	if err != nil {
		return nil, err
	}
	return openOn(entry, ordinal, nil)
}

// OpenDriver opens a device of a driver that the caller brings: one that injects faults, say.
func OpenDriver(drv Driver, ordinal int) (*Device, error) {
	if drv == nil {
		return nil, &Error{Op: "OpenDriver", Want: "a driver", Got: "nil"}
	}
	if err := drv.Init(); err != nil {
		return nil, wrap("Open", drv.Name(), err)
	}
	return newDevice(drv, ordinal, nil)
}

// openFirst takes the first driver that has a device. The reasons of those that have none are told
// by the device that is opened.
func openFirst() (*Device, error) {
	var reasons []error
	for _, e := range drivers {
		dev, err := openOn(e, 0, reasons)
		if err == nil || !errors.Is(err, driver.ErrorNoDevice) {
			return dev, err
		}
		reasons = append(reasons, err)
	}
	return nil, &Error{Op: "Open", What: "no device", Err: errors.Join(reasons...), code: driver.ErrorNoDevice}
}

// find reads a name such as "native:1".
func find(name string) (*driverEntry, int, error) {
	kind, number, numbered := strings.Cut(name, ":")
	ordinal := 0
	if numbered {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return nil, 0, &Error{Op: "Open", What: name, Want: "a device number behind the colon", Got: strconv.Quote(number)}
		}
		ordinal = n
	}
	var names []string
	for _, e := range drivers {
		if e.name == kind {
			return e, ordinal, nil
		}
		names = append(names, strconv.Quote(e.name))
	}
	return nil, 0, &Error{Op: "Open", Want: strings.Join(names, " or "), Got: strconv.Quote(kind)}
}

func openOn(e *driverEntry, ordinal int, reasons []error) (*Device, error) {
	drv, err := e.get()
	if err != nil {
		return nil, notOpenedDriver(e.name, err)
	}
	if more, ok := drv.(interface{ Grow(devices int) error }); ok {
		if err := more.Grow(ordinal + 1); err != nil {
			return nil, wrap("Open", fmt.Sprintf("%s:%d", e.name, ordinal), err)
		}
	}
	return newDevice(drv, ordinal, reasons)
}

// notOpenedDriver says what to do without a GPU, where the driver does not say it.
func notOpenedDriver(name string, err error) error {
	var told *Error
	if errors.As(err, &told) {
		return err
	}
	e := &Error{Op: "Open", What: name, Err: err}
	if name == "native" && !strings.Contains(err.Error(), "What to do:") {
		e.Fix = `cuda.Open("emulated") works without a GPU`
	}
	return e
}

// Devices lists the devices of every driver without opening them, and for drivers that have none
// the reason.
func Devices() []DeviceInfo {
	var list []DeviceInfo
	for _, e := range drivers {
		drv, err := e.get()
		if err != nil {
			list = append(list, DeviceInfo{Driver: e.name, Err: err})
			continue
		}
		list = append(list, found(e.name, drv)...)
	}
	return list
}

func found(name string, drv driver.Driver) []DeviceInfo {
	n, err := drv.DeviceCount()
	if err != nil {
		return []DeviceInfo{{Driver: name, Err: err}}
	}
	var list []DeviceInfo
	for i := range n {
		var info DeviceInfo
		dev, err := drv.Device(i)
		if err == nil {
			info, err = describe(drv, dev)
		}
		if err != nil {
			info = DeviceInfo{Driver: name, Ordinal: i, Err: err}
		}
		list = append(list, info)
	}
	return list
}

// String is "native:0 NVIDIA H200".
func (i DeviceInfo) String() string {
	if i.Err != nil {
		return fmt.Sprintf("%s: %v", i.Driver, i.Err)
	}
	return fmt.Sprintf("%s:%d %s", i.Driver, i.Ordinal, i.Name)
}
