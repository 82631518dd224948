package complete_test

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// spent is the processor time that do takes on its goroutine: other programs of the machine are not
// in it.
func spent(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := threadTime()
	do()
	return threadTime() - began
}

func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
