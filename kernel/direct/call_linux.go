package direct

import (
	"syscall"
	"unsafe"
)

// read and write are the system calls, again where a signal came. b is not empty.
func read(fd uintptr, b []byte) (int, error)  { return call(syscall.SYS_READ, fd, b) }
func write(fd uintptr, b []byte) (int, error) { return call(syscall.SYS_WRITE, fd, b) }

// Waiting tells how many bytes can be read from a pipe without a wait.
func Waiting(fd int) (int, error) {
	var n int32
	if _, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return 0, errno
	}
	return int(n), nil
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
