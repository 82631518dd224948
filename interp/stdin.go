package interp

import (
	"bufio"
	"context"
	"io"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A Stdin is what cells read where they read os.Stdin or call fmt.Scan: each line is asked of the person. It is made
// before the engine that reads it and the session that fills it.
type Stdin struct {
	mu   sync.Mutex
	ctx  context.Context // of the cell that runs
	host worker.Host
	line []byte // what is left of the last answer
}

// Reader is the one reader of an engine. Its buffer keeps what a scan read too far.
func (s *Stdin) Reader() io.Reader { return bufio.NewReader(s) }

// enter says whose front end is asked from now on.
func (s *Stdin) enter(ctx context.Context, host worker.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.host, s.line = ctx, host, nil
}

// Read asks for a line where none is left. Errors: worker.ErrStdinNotAllowed, the context's.
func (s *Stdin) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.line) == 0 {
		if s.host == nil {
			return 0, worker.ErrStdinNotAllowed
		}
		answer, err := s.host.Input(s.ctx, "", false)
		if err != nil {
			return 0, err
		}
		s.line = []byte(answer + "\n")
	}
	n := copy(p, s.line)
	s.line = s.line[n:]
	return n, nil
}
