//go:build unix

package worker

import (
	"errors"

	"golang.org/x/sys/unix"
)

// currentCell is whose output the streams are: the cell that runs, or the last one.
func (s *server) currentCell() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// copyCaptured reads some of a pipe and sends it.
func (s *server) copyCaptured(k kind, fd int) (int, error) {
	buf := make([]byte, captureChunk)
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
