package cuda

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// DeviceVariable is the environment variable that says which device Open without an argument opens; its
// value is what Open takes.
const DeviceVariable = "VYRE_CUDA_DEVICE"

// drivers are the ways to reach devices, in the order in which Open tries them, made once a process.
var drivers = []*driverEntry{
	{name: "native", new: func() (driver.Driver, error) { return native.New(), nil }},
	{name: "emulated", new: newEmulated},
}

// EmulatedVariable is the environment variable that says how many emulated devices there are, 1 to emulated.MaxDevices: for programs that
// count them. Without it there is one, and Open brings others into being.
const EmulatedVariable = "VYRE_EMULATED_DEVICES"

func newEmulated() (driver.Driver, error) {
	n, value := 1, os.Getenv(EmulatedVariable)
	if value != "" {
		var err error
		if n, err = strconv.Atoi(value); err != nil || n < 1 || n > emulated.MaxDevices {
			return nil, &Error{Op: "Open", What: "the environment variable " + EmulatedVariable,
				Want: fmt.Sprintf("a number of devices from 1 to %d", emulated.MaxDevices), Got: strconv.Quote(value)}
		}
	}
	return emulated.NewWith(emulated.Options{Checks: vm.Checked(), Devices: n}), nil
}

// A driverEntry is a driver that is made when it is first needed.
type driverEntry struct {
	name string
	new  func() (driver.Driver, error)
	mu   sync.Mutex
	drv  driver.Driver // guarded by mu
}

// get initialises the driver. A failure is tried again by the next call.
func (e *driverEntry) get() (driver.Driver, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.drv == nil {
		drv, err := e.new()
		if err != nil {
			return nil, err
		}
		e.drv = drv
	}
	return e.drv, e.drv.Init()
}

// Open opens a device: without an argument the first GPU, or the emulated device where there is none
// (the card says why); "native" or "emulated" say which driver, "native:1" which of its devices. Without
// an argument DeviceVariable decides where it is set.
//
// A GPU that is there and cannot be used is an error, not a reason to emulate.
//
// Each emulated device that Open gives is one of its own: its memory is shared with no other, and a fault
// of a kernel leaves the others alone. "emulated:1" to "emulated:7" are further ones, for programs that
// tell devices apart. What is opened on a GPU shares its memory and its faults, as all of a process does.
func Open(where ...string) (*Device, error) {
	if len(where) > 1 {
		return nil, &Error{Op: "Open", Want: "at most one argument", Got: strconv.Itoa(len(where))}
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

// MustOpen is Open for cells.
func MustOpen(where ...string) *Device { return must(Open(where...)) }

// OpenDriver opens a device of a driver that the caller brings: one that injects faults, say.
func OpenDriver(drv driver.Driver, ordinal int) (*Device, error) {
	if err := drv.Init(); err != nil {
		return nil, wrap("Open", drv.Name(), err)
	}
	return newDevice(drv, ordinal, nil)
}

// openFirst takes the first driver that has a device. The reasons of those that have none are told by
// the device that is opened.
func openFirst() (*Device, error) {
	var reasons []error
	for _, e := range drivers {
		dev, err := openOn(e, 0, reasons)
		if err == nil || !errors.Is(err, driver.ErrorNoDevice) {
			return dev, err
		}
		reasons = append(reasons, err)
	}
	return nil, &Error{Op: "Open", What: "no device", Err: errors.Join(reasons...)}
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
		return nil, &Error{Op: "Open", What: e.name, Err: err, Fix: fixForOpen(e.name)}
	}
	if more, ok := drv.(interface{ Grow(devices int) error }); ok {
		if err := more.Grow(ordinal + 1); err != nil {
			return nil, wrap("Open", fmt.Sprintf("%s:%d", e.name, ordinal), err)
		}
	}
	return newDevice(drv, ordinal, reasons)
}

func fixForOpen(name string) string {
	if name == "native" {
		return `cuda.Open("emulated") works without a GPU`
	}
	return ""
}

// Found describes a device without opening it, for a list of what there is.
type Found struct {
	// Driver and Ordinal are what Open takes: "native:0".
	Driver  string
	Ordinal int
	Name    string
	// Err says why a driver has no device; the other fields but Driver are empty then.
	Err error
}

// Devices lists the devices of every driver, and for drivers that have none the reason.
func Devices() []Found {
	var list []Found
	for _, e := range drivers {
		drv, err := e.get()
		if err != nil {
			list = append(list, Found{Driver: e.name, Err: err})
			continue
		}
		list = append(list, found(e.name, drv)...)
	}
	return list
}

func found(name string, drv driver.Driver) []Found {
	n, err := drv.DeviceCount()
	if err != nil {
		return []Found{{Driver: name, Err: err}}
	}
	var list []Found
	for i := range n {
		f := Found{Driver: name, Ordinal: i}
		dev, err := drv.Device(i)
		if err == nil {
			f.Name, err = dev.Name()
		}
		f.Err = err
		list = append(list, f)
	}
	return list
}

func (f Found) String() string {
	if f.Err != nil {
		return fmt.Sprintf("%s: %v", f.Driver, f.Err)
	}
	return fmt.Sprintf("%s:%d %s", f.Driver, f.Ordinal, f.Name)
}
