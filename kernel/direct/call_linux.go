package direct

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// read and write are the system calls, again where a signal came. b is not empty.
func read(fd uintptr, b []byte) (int, error)  { return call(syscall.SYS_READ, fd, b) }
func write(fd uintptr, b []byte) (int, error) { return call(syscall.SYS_WRITE, fd, b) }

// Waiting tells how many bytes can be read from a pipe without a wait.
func Waiting(fd int) (int, error) {
	var n int32
	if _, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TIOCINQ,
		uintptr(unsafe.Pointer(&n))); errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// readable reports whether a read would not wait.
func readable(fd uintptr) bool {
	f := unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	var none syscall.Timespec // no time at all
	n, _, errno := syscall.RawSyscall6(
		syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&f)), 1, uintptr(unsafe.Pointer(&none)), 0, 0, 0)
	return n > 0 && errno == 0
}

func call(number, fd uintptr, b []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		if errno == 0 {
			return int(n), nil
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}
