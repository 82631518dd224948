//go:build unix && !linux

package direct

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// read and write are ordinary system calls here, again where a signal came.
func read(fd uintptr, b []byte) (int, error)  { return again(syscall.Read, fd, b) }
func write(fd uintptr, b []byte) (int, error) { return again(syscall.Write, fd, b) }

// readable reports whether a read would not wait.
func readable(fd uintptr) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	return n > 0 && err == nil
}

func again(call func(int, []byte) (int, error), fd uintptr, b []byte) (int, error) {
	for {
		n, err := call(int(fd), b)
		if err == nil || err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
