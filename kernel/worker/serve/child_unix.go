//go:build unix

package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// The descriptors that a worker inherits beside stdin (empty; see stdin_linux.go), stdout and
// stderr. Those two are the write ends of pipes; the worker gets the read ends as well and drains
// them itself, in order with its displays, and what a dying worker leaves in them the kernel reads,
// which holds them too.
const (
	fdRequests = 3 + iota
	fdControl
	fdEvents
	fdStdout
	fdStderr
	fdCrash // where the Go runtime writes why it died
	fdEnd
)

// ErrKernelGone is returned by Process when the kernel process went away without saying so.
var ErrKernelGone = errors.New("worker: the kernel is gone")

// Process makes this process a worker: it answers the kernel that started it until that says
// shutdown (nil) or is gone (ErrKernelGone). Errors before that: *NotSupervisedError,
// *HandshakeError. The process is to exit when Process returns: cells may have left things running
// that nobody can stop.
func Process(open Opener) error {
	cookie, ok := os.LookupEnv(protocol.CookieVariable)
	if !ok {
		return &NotSupervisedError{Missing: "the environment variable " + protocol.CookieVariable}
	}
	if err := os.Unsetenv(protocol.CookieVariable); err != nil {
		return err
	}
	files, err := inherit()
	if err != nil {
		return err
	}
	in, control, out := files[fdRequests], files[fdControl], files[fdEvents]
	if err := greetKernel(in, out, cookie); err != nil {
		return err
	}
	if err := debug.SetCrashOutput(files[fdCrash], debug.CrashOptions{}); err != nil {
		return fmt.Errorf("worker: crash output: %w", err)
	}
	s := newServer(direct.New(in), direct.New(control), protocol.NewChannel(direct.New(out), out))
	if err := s.capture(files[fdStdout], files[fdStderr]); err != nil {
		return err
	}
	s.stdin = openStdin()
	err = s.serve(open)
	if errors.Is(err, io.EOF) || errors.Is(err, unix.EPIPE) {
		err = ErrKernelGone
	}
	if err != nil {
		killGroup()
	}
	return err
}

// inherit opens the descriptors and keeps them from processes that cells start.
func inherit() (map[int]*os.File, error) {
	files := make(map[int]*os.File, fdEnd)
	for fd := fdRequests; fd < fdEnd; fd++ {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
			return nil, &NotSupervisedError{Missing: fmt.Sprintf("the pipe at descriptor %d", fd)}
		}
	}
	for fd := fdRequests; fd < fdEnd; fd++ {
		unix.CloseOnExec(fd)
		// The runtime's poller looks at files that do not block when they are made.
		captured := fd == fdStdout || fd == fdStderr
		if err := unix.SetNonblock(fd, fd != fdCrash && (polled || !captured)); err != nil {
			return nil, fmt.Errorf("worker: descriptor %d: %w", fd, err)
		}
		files[fd] = os.NewFile(uintptr(fd), fmt.Sprintf("pipe-%d", fd))
		if captured {
			if err := unix.SetNonblock(fd, true); err != nil {
				return nil, fmt.Errorf("worker: descriptor %d: %w", fd, err)
			}
		}
	}
	return files, nil
}

// greetKernel checks that the other end is the kernel that started this process, of this version.
func greetKernel(in io.Reader, out io.Writer, cookie string) error {
	if err := protocol.ReceiveHello(in, cookie); err != nil {
		return err
	}
	return protocol.SendHello(out, cookie)
}

// capture starts reading what arrives at descriptors 1 and 2.
func (s *server) capture(stdout, stderr *os.File) error {
	for _, c := range []struct {
		kind protocol.Kind
		file *os.File
	}{{protocol.KindStdout, stdout}, {protocol.KindStderr, stderr}} {
		capture, err := newCapture(c.kind, c.file, s.captured, s.captures)
		if err != nil {
			return fmt.Errorf("worker: capture: %w", err)
		}
		s.captures = append(s.captures, capture)
	}
	return nil
}

// killGroup ends the processes that cells started, and this one.
func killGroup() {
	if pid := os.Getpid(); unix.Getpgrp() == pid {
		_ = unix.Kill(-pid, unix.SIGKILL)
	}
}
