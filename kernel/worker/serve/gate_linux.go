package serve

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A gate waits until a pipe holds something. While nobody waits, whoever writes into the pipe wakes
// nobody: the runtime's poller, which looks at a pipe all the time, would be woken for every line
// that a cell prints. So it looks at a second poller, which looks at the pipe once each time it is
// told to.
type gate struct {
	file *os.File // the second poller, which the runtime's looks at
	raw  syscall.RawConn
	pipe int32
}

func newGate(f *os.File, pipe syscall.RawConn) (g gate, err error) {
	poller, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return g, os.NewSyscallError("epoll_create1", err)
	}
	if err = unix.SetNonblock(poller, true); err == nil { // as the runtime's poller wants its files
		g.file = os.NewFile(uintptr(poller), "poller of "+f.Name())
		g.raw, err = g.file.SyscallConn()
	}
	if err != nil {
		_ = unix.Close(poller)
		return g, err
	}
	failed := pipe.Control(func(fd uintptr) {
		g.pipe = int32(fd)
		err = unix.EpollCtl(poller, unix.EPOLL_CTL_ADD, int(fd), &unix.EpollEvent{Events: unix.EPOLLONESHOT, Fd: g.pipe})
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		_ = g.file.Close()
		return g, os.NewSyscallError("epoll_ctl", err)
	}
	return g, nil
}

// wait calls look until it is true: when the pipe may hold something.
func (g gate) wait(look func() bool) error {
	var failed error
	err := g.raw.Read(func(poller uintptr) bool {
		ended := g.shut(poller)
		if look() {
			return true
		}
		if !ended {
			failed = g.open(poller)
		}
		return failed != nil
	})
	if err == nil {
		err = failed
	}
	return err
}

// shut takes what was seen, after which the pipe is not looked at, and reports whether nobody can
// write into it any more.
func (g gate) shut(poller uintptr) (ended bool) {
	var seen [1]unix.EpollEvent
	// Raw, and no error that matters: it returns at once, with or without something.
	_, _, _ = syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, poller, uintptr(unsafe.Pointer(&seen)), 1, 0, 0, 0)
	return seen[0].Events&unix.EPOLLHUP != 0
}

// open has the pipe looked at, until something is seen: at once, where it holds something.
func (g gate) open(poller uintptr) error {
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT, Fd: g.pipe}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_CTL, poller, unix.EPOLL_CTL_MOD, uintptr(g.pipe),
		uintptr(unsafe.Pointer(&e)), 0, 0); errno != 0 {
		return os.NewSyscallError("epoll_ctl", errno)
	}
	return nil
}

// polled says that the runtime's poller is to look at pipes that have a gate.
const polled = false

func (g gate) close() { _ = g.file.Close() }
