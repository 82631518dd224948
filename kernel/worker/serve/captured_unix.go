//go:build unix

package serve

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// currentCell is whose output the streams are: the cell that runs, or the last one.
func (s *server) currentCell() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// copyCaptured reads some of a pipe and sends it.
func (s *server) copyCaptured(k protocol.Kind, fd int) (int, error) {
	buf := make([]byte, protocol.ChunkBytes)
	for {
		n, err := unix.Read(fd, buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return 0, nil
		case err == nil && n <= 0:
			return 0, unix.EPIPE // nobody can write any more
		case err != nil:
			return 0, err
		}
		s.emit(k, s.currentCell(), buf[:n])
		return n, nil
	}
}
