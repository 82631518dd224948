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

// An unanswered is the error of who reads while the cell is interrupted: what a cell shows of it, or panics with, is the interrupt.
type unanswered struct{ error }

func (unanswered) Error() string     { return "the wait for input was interrupted" }
func (unanswered) Interrupted() bool { return true }
func (u unanswered) Unwrap() error   { return u.error }

// Read asks for a line where none is left. Errors: worker.ErrStdinNotAllowed, one that wraps the context's.
func (s *Stdin) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.line) == 0 {
		if s.host == nil {
			return 0, worker.ErrStdinNotAllowed
		}
		answer, err := s.host.Input(s.ctx, "", false)
		if err != nil && s.ctx.Err() != nil {
			return 0, unanswered{s.ctx.Err()}
		}
		if err != nil {
			return 0, err
		}
		s.line = []byte(answer + "\n")
	}
	n := copy(p, s.line)
	s.line = s.line[n:]
	return n, nil
}
