package process

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A Relay is between a process and the streams of a cell. Of two pipes nobody can tell afterwards
// which was written to first. So these hold one write each: they have one slot (F_SETPIPE_SZ of a
// page), and nothing is added to a slot that is in use (O_DIRECT, pipe(7)'s packets). Whoever
// writes a second time to the same stream waits until the first was read; and which of the two
// streams was written to first is the order in which edge-triggered epoll reports them. A process
// that writes to one after the other, itself or through those that it starts and waits for, is in
// order.
type Relay struct {
	out, err *os.File // the process's ends
	streams  [2]*stream
	poller   int
	asked    int // an eventfd: somebody waits until what came before was passed on
	page     int

	mu      sync.Mutex
	waiting []chan struct{}
	ended   chan struct{}
}

// A stream is one of the two pipes.
type stream struct {
	fd   int
	open bool
	lines
}

// whole is how long the beginning of a line waits for its rest, after a full buffer.
const whole = 50 * time.Millisecond

// newRelay makes the pipes; stdout and stderr are written to by one goroutine, which ends when
// nobody can write to the pipes.
func newRelay(stdout, stderr io.Writer) (*Relay, error) {
	r := &Relay{poller: -1, asked: -1, page: os.Getpagesize(), ended: make(chan struct{})}
	err := r.open(stdout, stderr)
	if err != nil {
		r.closeOwn()
		r.closeTheirs()
		return nil, err
	}
	go r.pass()
	return r, nil
}

func (r *Relay) open(stdout, stderr io.Writer) (err error) {
	if r.poller, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if r.asked, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	if err = r.look(r.asked); err != nil {
		return err
	}
	if r.streams[0], r.out, err = r.pipe(stdout); err != nil {
		return err
	}
	r.streams[1], r.err, err = r.pipe(stderr)
	return err
}

// pipe makes one that holds one write.
func (r *Relay) pipe(to io.Writer) (*stream, *os.File, error) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC|unix.O_DIRECT); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	s, w := &stream{fd: ends[0], open: true, lines: lines{to: to}}, os.NewFile(uintptr(ends[1]), "relay")
	_, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, r.page)
	if err == nil {
		err = unix.SetNonblock(s.fd, true)
	}
	if err == nil {
		err = r.look(s.fd)
	}
	if err != nil {
		_ = w.Close()
		return s, nil, err
	}
	return s, w, nil
}

// look has the poller report what comes at a descriptor, each time once.
func (r *Relay) look(fd int) error {
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(fd)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(r.poller, unix.EPOLL_CTL_ADD, fd, &e))
}

// pass passes on what comes, in the order in which it came, until nobody can write.
func (r *Relay) pass() {
	defer close(r.ended)
	defer r.closeOwn()
	var seen [4]unix.EpollEvent
	buf := make([]byte, r.page)
	for r.streams[0].open || r.streams[1].open {
		n, err := unix.EpollWait(r.poller, seen[:], r.patience())
		if err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		if n == 0 {
			r.flush()
		}
		for _, e := range seen[:max(n, 0)] {
			if int(e.Fd) == r.asked {
				r.answer()
				continue
			}
			for _, s := range r.streams {
				if s.fd == int(e.Fd) && s.open {
					s.take(buf, e.Events&unix.EPOLLHUP != 0)
				}
			}
		}
	}
}

// patience is the time, in milliseconds, until what is held is passed on as it is; -1 where nothing
// is.
func (r *Relay) patience() int {
	if r.streams[0].holds() || r.streams[1].holds() {
		return int(whole.Milliseconds())
	}
	return -1
}

// take passes on the write that was reported, or the rest where nobody can write any more.
func (s *stream) take(buf []byte, last bool) {
	for {
		n, err := unix.Read(s.fd, buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case n > 0:
			s.add(buf[:n], n == len(buf))
			if last {
				continue
			}
		case !errors.Is(err, unix.EAGAIN):
			s.flush()
			s.open = false
		}
		return
	}
}

func (r *Relay) flush() {
	for _, s := range r.streams {
		s.flush()
	}
}

// answer tells those who wait that all that was written before they asked was passed on.
func (r *Relay) answer() {
	var count [8]byte
	_, _ = unix.Read(r.asked, count[:]) // it is never at its limit, whether it is read or not
	r.mu.Lock()
	waiting := r.waiting
	r.waiting = nil
	r.mu.Unlock()
	r.flush()
	for _, done := range waiting {
		close(done)
	}
}

// settle returns when all was passed on that had been written before.
func (r *Relay) settle() {
	done := make(chan struct{})
	r.mu.Lock()
	select {
	case <-r.ended:
		r.mu.Unlock()
		return
	default:
	}
	r.waiting = append(r.waiting, done)
	_, _ = unix.Write(r.asked, binary.NativeEndian.AppendUint64(nil, 1))
	r.mu.Unlock()
	select {
	case <-done:
	case <-r.ended:
	}
}

// closeTheirs closes the process's ends, of which it has its own.
func (r *Relay) closeTheirs() {
	for _, f := range []*os.File{r.out, r.err} {
		if f != nil {
			_ = f.Close()
		}
	}
}

func (r *Relay) closeOwn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.streams {
		if s != nil {
			_ = unix.Close(s.fd)
		}
	}
	for _, fd := range []int{r.poller, r.asked} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	r.asked = -1
}
