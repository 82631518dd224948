package supervise

import (
	"os"

	"golang.org/x/sys/unix"
)

// enlargePipe asks for room for n bytes. Where the system refuses, the usual size does.
func enlargePipe(f *os.File, n int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, n) })
}
