//go:build unix

package direct

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// most is how many bytes are read or written without telling the scheduler: copying these takes
// microseconds.
const most = 64 << 10

// A Stream reads and writes one descriptor. One goroutine may read it while others write.
type Stream struct {
	io.ReadWriter // what it was made of
	raw           syscall.RawConn
	in, out       transfer
}

// A transfer is a call that is under way. It is kept between calls, so that these allocate nothing.
type transfer struct {
	mu   sync.Mutex
	b    []byte
	n    int
	err  error
	once bool
	try  func(fd uintptr) bool
}

// New makes a Stream of what has a descriptor that does not block: a net.Conn, an *os.File that is
// a pipe. Where it has none, calls go to it as they are.
func New(c io.ReadWriter) *Stream {
	s := &Stream{ReadWriter: c}
	if c, ok := c.(syscall.Conn); ok {
		s.raw, _ = c.SyscallConn() // fails only where c is closed, which the first call finds
	}
	s.in.try = func(fd uintptr) bool {
		s.in.n, s.in.err = read(fd, s.in.b)
		return !errors.Is(s.in.err, syscall.EAGAIN)
	}
	s.out.try = s.out.write
	return s
}

// write takes on what the system takes; true when that is all, or all that is to be tried.
func (t *transfer) write(fd uintptr) bool {
	for len(t.b) > t.n {
		n, err := write(fd, t.b[t.n:])
		if t.n += n; err != nil {
			if errors.Is(err, syscall.EAGAIN) {
				return t.once
			}
			t.err = err
			return true
		}
	}
	return true
}

// do makes a call and gives what came of it.
func (t *transfer) do(through func(func(fd uintptr) bool) error, b []byte, once bool) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b, t.n, t.err, t.once = b, 0, nil, once
	err := through(t.try)
	t.b = nil
	if err == nil {
		err = t.err
	}
	return t.n, err
}

// Read reads what is there, and waits where nothing is. io.EOF at the end.
func (s *Stream) Read(b []byte) (int, error) {
	if s.raw == nil || len(b) == 0 || len(b) > most {
		return s.ReadWriter.Read(b)
	}
	n, err := s.in.do(s.raw.Read, b, true)
	if err == nil && n == 0 {
		err = io.EOF
	}
	return n, err
}

// Ready reports whether something has come that is not read yet, or the end; false where there is
// no descriptor.
func (s *Stream) Ready() (ready bool) {
	if s.raw == nil {
		return false
	}
	_ = s.raw.Control(func(fd uintptr) { ready = readable(fd) }) // fails where it is closed
	return ready
}

// Write writes all of b, waiting where it must.
func (s *Stream) Write(b []byte) (int, error) {
	if s.raw == nil || len(b) == 0 || len(b) > most {
		return s.ReadWriter.Write(b)
	}
	return s.out.do(s.raw.Write, b, false)
}

// TryWrite writes what the system takes without a wait, and tells how much. Of large messages, and
// where the descriptor is of no use any more, that is nothing: Write tells why.
func (s *Stream) TryWrite(b []byte) int {
	if s.raw == nil || len(b) == 0 || len(b) > most {
		return 0
	}
	n, _ := s.out.do(s.raw.Write, b, true)
	return n
}
