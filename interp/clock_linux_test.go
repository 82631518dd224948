package interp

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is what this process has taken: other programs of the machine are not in it.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
