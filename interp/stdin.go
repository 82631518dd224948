package interp

import (
	"bufio"
	"context"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A Stdin is what cells read where they read os.Stdin or call fmt.Scan: each line is asked of the
// person, by the cell that the goroutine which reads belongs to. It is made before the engine that
// reads it and the session that fills it.
type Stdin struct{ session *Session }

// input is that of the running goroutine's shell; one that is refused where there is none.
func (s *Stdin) input() *input {
	if s.session != nil {
		if sh := s.session.shell(); sh != nil {
			return &sh.input
		}
	}
	return new(input)
}

// Read asks for a line where none is left. Errors: io.EOF, worker.ErrStdinNotAllowed, one that
// wraps the context's.
func (s *Stdin) Read(p []byte) (int, error) { return s.input().Read(p) }

// ReadRune is Read of one character.
func (s *Stdin) ReadRune() (r rune, size int, err error) { return s.input().ReadRune() }

// UnreadRune takes the last ReadRune back.
func (s *Stdin) UnreadRune() error { return s.input().UnreadRune() }

// Reader is the one reader of an engine: an io.RuneScanner, so that a scan does not read too far.
func (s *Stdin) Reader() io.Reader { return s }

// An input is what is read of one shell's cells.
type input struct {
	mu   sync.Mutex
	ctx  context.Context // of the cell that runs
	host worker.Host
	line []byte // what is left of the last answer
	last []byte // the same before the last ReadRune; nil: something else was done since
}

// enter says whose front end is asked from now on. What an earlier cell was given and did not read,
// as the end of the line behind what it scanned, is gone with it.
func (s *input) enter(ctx context.Context, host worker.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.host, s.line, s.last = ctx, host, nil, nil
}

// within says until when the person is asked: the end of what runs, which may be before that of the
// cell.
func (s *input) within(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx = ctx
}

// An unanswered is the error of who reads while the cell is interrupted: what a cell shows of it,
// or panics with, is the interrupt.
type unanswered struct{ error }

func (unanswered) Error() string     { return "the wait for input was interrupted" }
func (unanswered) Interrupted() bool { return true }
func (u unanswered) Unwrap() error   { return u.error }

// Read asks for a line where none is left.
func (s *input) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fill(); err != nil || len(p) == 0 {
		return 0, err
	}
	n := copy(p, s.line)
	s.line, s.last = s.line[n:], nil
	return n, nil
}

// ReadRune is Read of one character.
func (s *input) ReadRune() (r rune, size int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fill(); err != nil {
		return 0, 0, err
	}
	r, size = utf8.DecodeRune(s.line)
	s.line, s.last = s.line[size:], s.line
	return r, size, nil
}

// UnreadRune takes the last ReadRune back.
func (s *input) UnreadRune() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return bufio.ErrInvalidUnreadRune
	}
	s.line, s.last = s.last, nil
	return nil
}

// fill asks for a line where none is left.
func (s *input) fill() error {
	if len(s.line) > 0 {
		return nil
	}
	s.last = nil
	if s.host == nil {
		return worker.ErrStdinNotAllowed
	}
	answer, err := s.host.Input(s.ctx, "", false)
	if err != nil && s.ctx.Err() != nil {
		return unanswered{s.ctx.Err()}
	}
	if err != nil {
		return err
	}
	s.line = []byte(answer + "\n")
	return nil
}
