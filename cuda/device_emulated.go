package cuda

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// An Emulation says how an emulated device is to be, where Open("emulated"), which has every check
// on and prints to standard output, is not what is wanted. The zero Emulation is that device.
type Emulation struct {
	// Unchecked switches every check off, the others one each: accesses that nothing orders, reads
	// of memory that nothing wrote, lanes that do not meet. Accesses outside of buffers are always
	// refused.
	Unchecked                                         bool
	SkipRaces, SkipUninitialized, SkipSynchronization bool
	// Printf gets what kernels print; nil means standard output.
	Printf io.Writer
	// BlockSeed, where it is not 0, gives the blocks of each launch a random order.
	BlockSeed uint64
	// Memory is the device's memory in bytes; 0 means 8 GiB. Host memory is taken as it is needed.
	Memory uint64
}

// OpenEmulated opens an emulated device of its own, as the Emulation says.
func OpenEmulated(e Emulation) (*Device, error) {
	const op = "OpenEmulated"
	if e.Memory > 1<<46 {
		return nil, &Error{Op: op, What: "Memory", Want: "at most 64 TiB", Got: fmt.Sprint(e.Memory)}
	}
	checks := vm.Checked()
	if e.Unchecked {
		checks = vm.Options{}
	}
	checks.Races = checks.Races && !e.SkipRaces
	checks.Uninitialized = checks.Uninitialized && !e.SkipUninitialized
	checks.Synchronization = checks.Synchronization && !e.SkipSynchronization
	return OpenDriver(emulated.NewWith(emulated.Options{Checks: checks, Stdout: e.Printf, Shuffle: e.BlockSeed,
		MemoryBytes: e.Memory}), 0)
}

// EmulatedVariable is the environment variable that says how many emulated devices there are, 1 to
// emulated.MaxDevices: for programs that count them. Without it there is one, and Open brings
// others into being; what is no such number is an error of Open.
const EmulatedVariable = "VYRE_EMULATED_DEVICES"

func newEmulated() (driver.Driver, error) {
	n := 1
	if asked := os.Getenv(EmulatedVariable); asked != "" {
		var err error
		if n, err = strconv.Atoi(asked); err != nil || n < 1 || n > emulated.MaxDevices {
			return nil, &Error{Op: "Open", What: "environment variable " + EmulatedVariable,
				Want: fmt.Sprintf("a number of devices from 1 to %d", emulated.MaxDevices), Got: strconv.Quote(asked)}
		}
	}
	return emulated.NewWith(emulated.Options{Checks: vm.Checked(), Devices: n}), nil
}
