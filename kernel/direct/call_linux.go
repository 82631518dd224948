package direct

import (
	"syscall"
	"unsafe"
)

// read and write are the system calls, again where a signal came. b is not empty.
func read(fd uintptr, b []byte) (int, error)  { return call(syscall.SYS_READ, fd, b) }
func write(fd uintptr, b []byte) (int, error) { return call(syscall.SYS_WRITE, fd, b) }

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
