package interp

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A shell is where cells run one after the other: the main shell, or a subshell. Cells of different
// shells run concurrently. A goroutine belongs to the shell whose cell started it: what it prints,
// shows and asks goes to the cell that this shell ran last. A goroutine that no cell started, as
// one of a server in compiled code, belongs to the shell whose cell began last.
type shell struct {
	screen   screen
	input    input
	out, err orderedFile
	last     atomic.Pointer[asked] // the cell that ran last
	// cancel ends what runs, nil: nothing does; died is what a goroutine panicked with meanwhile.
	// Guarded by Session.mu.
	cancel context.CancelFunc
	died   *engine.Panic
}

// An asked is a cell with what it can ask of the kernel.
type asked struct {
	host    worker.Host
	request worker.ExecuteRequest
}

// shellKey is what contexts have the shell under that they belong to.
type shellKey struct{}

// enter notes that a cell begins, and gives the context that its goroutines belong to.
func (s *Session) enter(ctx context.Context, req worker.ExecuteRequest, host worker.Host) (context.Context, *shell) {
	sh := s.begun(req, host)
	ctx = context.WithValue(ctx, shellKey{}, sh)
	sh.screen.enter(ctx, host)
	sh.input.enter(ctx, host)
	if s.options.Streams != nil {
		s.options.Streams.give(sh, host)
	}
	return ctx, sh
}

func (s *Session) begun(req worker.ExecuteRequest, host worker.Host) *shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shells[req.Subshell]
	if sh == nil {
		sh = new(shell)
		sh.screen.init()
		if out := s.options.Streams; out != nil {
			sh.out, sh.err = orderedFile{out.out.file, out, sh}, orderedFile{out.err.file, out, sh}
		}
		s.shells[req.Subshell] = sh
	}
	sh.last.Store(&asked{host, req})
	s.running = append(s.running, sh)
	s.newest.Store(sh)
	return sh
}

// leave notes that the shell's cell has ended. What belongs to no shell goes to one that runs.
func (s *Session) leave(sh *shell) {
	s.mu.Lock()
	s.running = slices.DeleteFunc(s.running, func(r *shell) bool { return r == sh })
	var other *shell
	if n := len(s.running); n > 0 && s.newest.Load() == sh {
		other = s.running[n-1]
		s.newest.Store(other)
	}
	s.mu.Unlock()
	if other != nil && s.options.Streams != nil {
		s.options.Streams.give(other, other.last.Load().host)
	}
}

// shell is that of the calling goroutine; nil before the first cell.
func (s *Session) shell() *shell { return s.shellOf(s.current().Context()) }

// shellOf is the shell that a context belongs to, the newest where it belongs to none.
func (s *Session) shellOf(ctx context.Context) *shell {
	if sh := owner(ctx); sh != nil {
		return sh
	}
	return s.newest.Load()
}

func owner(ctx context.Context) *shell {
	if ctx == nil {
		return nil
	}
	sh, _ := ctx.Value(shellKey{}).(*shell)
	return sh
}

// others reports whether a cell of another shell runs.
func (s *Session) others(self *shell) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.running, func(r *shell) bool { return r != self })
}

// stdout and stderr are what is written to for the cell of a context.
func (s *Session) stdout(ctx context.Context) io.Writer { return s.stream(ctx, os.Stdout) }
func (s *Session) stderr(ctx context.Context) io.Writer { return s.stream(ctx, os.Stderr) }

func (s *Session) stream(ctx context.Context, f *os.File) io.Writer {
	if out := s.options.Streams; out != nil {
		return out.writer(f, s.shellOf(ctx))
	}
	return f
}

// write is for texts beside what a cell prints: where they cannot be written there is nobody to
// tell.
func write(w io.Writer, lines ...string) { _, _ = io.WriteString(w, strings.Join(lines, "\n")+"\n") }

// A Front is what the code of cells asks of the kernel: each call is for the cell that the calling
// goroutine belongs to. Before the first cell it does nothing.
type Front struct{ s *Session }

// Comm sends an event to the front end.
func (f Front) Comm(e worker.CommEvent) {
	if sh := f.s.shell(); sh != nil {
		sh.last.Load().host.Comm(e)
	}
}

// MessageID is the parent of what the cell shows.
func (f Front) MessageID() string {
	if sh := f.s.shell(); sh != nil {
		return sh.last.Load().request.MessageID
	}
	return ""
}
