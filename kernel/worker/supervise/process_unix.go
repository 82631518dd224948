//go:build unix

package supervise

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// A Command is the worker process to start: Path with Args, in Dir, with Env added to this
// process's environment. It runs Serve. Its process group is its own.
type Command struct {
	Path string
	Args []string
	Dir  string
	Env  []string
}

var _ Launcher = Command{}

const (
	// maxCrash bounds what is kept of a crash report of the Go runtime; its beginning tells why.
	maxCrash = 64 << 10
	// maxLeft bounds what is read from the pipes of a worker that died.
	maxLeft = 4 << 20
	// crashGrace is how long the end of a crash report may take after the process has ended. Only a
	// process that inherited the descriptor could hold it open.
	crashGrace = 500 * time.Millisecond
)

// pipes are both ends of all that connects a worker.
type pipes struct {
	requestsRead, requestsWrite *os.File
	controlRead, controlWrite   *os.File
	eventsRead, eventsWrite     *os.File
	stdoutRead, stdoutWrite     *os.File
	stderrRead, stderrWrite     *os.File
	crashRead, crashWrite       *os.File
}

func (p *pipes) each(do func(r, w **os.File) error) error {
	return errors.Join(
		do(&p.requestsRead, &p.requestsWrite), do(&p.controlRead, &p.controlWrite), do(&p.eventsRead, &p.eventsWrite),
		do(&p.stdoutRead, &p.stdoutWrite), do(&p.stderrRead, &p.stderrWrite),
		do(&p.crashRead, &p.crashWrite))
}

func openPipes() (*pipes, error) {
	p := new(pipes)
	err := p.each(func(r, w **os.File) (err error) {
		if r == &p.stdoutRead || r == &p.stderrRead {
			*r, *w, err = quietPipe()
		} else {
			*r, *w, err = os.Pipe()
		}
		return err
	})
	if err != nil {
		p.closeAll()
		return nil, err
	}
	enlargePipe(p.stdoutRead, protocol.PipeBytes)
	enlargePipe(p.stderrRead, protocol.PipeBytes)
	enlargePipe(p.eventsRead, protocol.PipeBytes)
	return p, nil
}

// quietPipe makes a pipe that the runtime's poller does not watch: it would wake this process for
// every line that a cell prints, which the worker reads.
func quietPipe() (r, w *os.File, err error) {
	var ends [2]int
	syscall.ForkLock.RLock() // no process is started between the two calls
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(ends[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	unix.CloseOnExec(ends[0])
	unix.CloseOnExec(ends[1])
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}

func (p *pipes) closeAll() {
	_ = p.each(func(r, w **os.File) error {
		closeFiles(*r, *w)
		return nil
	})
}

// closeFiles closes files that may not be open: nothing was written that an error could lose.
func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

func (c Command) launch() (*link, error) {
	p, err := openPipes()
	if err != nil {
		return nil, &StartError{Path: c.Path, Err: err}
	}
	cookie := rand.Text()
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append(append(os.Environ(), c.Env...), protocol.CookieVariable+"="+cookie)
	cmd.Stdout, cmd.Stderr = p.stdoutWrite, p.stderrWrite
	cmd.ExtraFiles = []*os.File{p.requestsRead, p.controlRead, p.eventsWrite, p.stdoutRead, p.stderrRead, p.crashWrite}
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		p.closeAll()
		return nil, &StartError{Path: c.Path, Err: err}
	}
	closeFiles(p.requestsRead, p.controlRead, p.eventsWrite, p.stdoutWrite, p.stderrWrite, p.crashWrite)
	crash := readCrash(p.crashRead)
	kill := func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) } // the group may be gone already
	return &link{
		pid: cmd.Process.Pid, in: direct.New(p.requestsWrite), control: direct.New(p.controlWrite),
		out: direct.New(p.eventsRead), cookie: cookie, kill: kill,
		expire: func(t time.Time) { _ = p.eventsRead.SetReadDeadline(t) },
		close:  func() { closeFiles(p.eventsRead) },
		wait: func() ending {
			_ = cmd.Wait() // the state tells more than the error
			kill()
			_ = p.crashRead.SetReadDeadline(time.Now().Add(crashGrace))
			e := ending{State: cmd.ProcessState.String(), Crash: <-crash}
			e.Stdout, e.Stderr = readLeft(p.stdoutRead), readLeft(p.stderrRead)
			closeFiles(p.requestsWrite, p.controlWrite, p.stdoutRead, p.stderrRead, p.crashRead)
			return e
		},
	}, nil
}

// readCrash gathers the beginning of what comes, to the end.
func readCrash(f *os.File) <-chan string {
	c := make(chan string, 1)
	go func() {
		var kept bytes.Buffer
		_, _ = io.CopyN(&kept, f, maxCrash)
		_, _ = io.Copy(io.Discard, f) // so that the dying process does not wait for a reader
		c <- kept.String()
	}()
	return c
}

// readLeft reads what a pipe holds, without waiting for more: a process that the worker started may
// live on and keep it open.
func readLeft(f *os.File) []byte {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	var left []byte
	_ = raw.Control(func(fd uintptr) {
		if unix.SetNonblock(int(fd), true) != nil {
			return
		}
		buf := make([]byte, protocol.ChunkBytes)
		for len(left) < maxLeft {
			n, err := unix.Read(int(fd), buf)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || n <= 0 {
				return
			}
			left = append(left, buf[:n]...)
		}
	})
	return left
}
