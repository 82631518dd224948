package worker

import (
	"runtime"
	"syscall"
)

// wakeMonitor sees to it that an interrupt is heard while a cell computes. Where the runtime may run one goroutine at a time, nobody but its monitor looks for
// what comes in, and takes the processor away from a loop; the monitor sleeps while nothing runs, for up to a minute, and package direct, which reads the pipe of cells, tells it
// nothing. An ordinary system call does. Where there are more processors, the goroutine of a cell has a thread woken that waits for what comes in.
func wakeMonitor() {
	if runtime.GOMAXPROCS(0) == 1 {
		_ = syscall.Close(-1) // no descriptor: there is nothing to close
	}
}
