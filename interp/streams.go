package interp

import (
	"io"
	"os"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// Streams keep the order of what cells write to standard output and standard error, and whose it
// is. The two are pipes, and nobody can tell afterwards which of two bytes came first, or which of
// two cells wrote it; so what stands in them is passed on before a cell writes to the other stream,
// or another shell's cell writes.
//
// What processes write that cells start is in order where package process starts them; what
// compiled code writes that reaches the descriptors by itself is in order on each stream alone, and
// goes to the cell that wrote, or began, last.
type Streams struct {
	out, err orderedFile
	session  *Session // set once, by New, before anything runs

	mu   sync.Mutex // held while something is written, or passed on
	file *os.File   // that was written to last
	turn *shell     // whose it was; nil: none's
	host worker.Host
}

// NewStreams is for the process's standard output and standard error as they are now.
func NewStreams() *Streams {
	s := &Streams{file: os.Stdout}
	s.out, s.err = orderedFile{os.Stdout, s, nil}, orderedFile{os.Stderr, s, nil}
	return s
}

// give makes what is written from now on the shell's, whose cell has this host.
func (s *Streams) give(sh *shell, host worker.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.give1(sh, host)
}

// give1 is give for those that hold the lock.
func (s *Streams) give1(sh *shell, host worker.Host) {
	s.turn, s.host = sh, host
	switch h := host.(type) {
	case interface{ Claim() }:
		h.Claim()
	case interface{ Flush() }:
		h.Flush()
	}
}

// Writer is what cells write to in the place of a file: for the two streams one that keeps the
// order.
func (s *Streams) Writer(f *os.File) io.Writer {
	if s.session == nil || f != s.out.file && f != s.err.file {
		return s.writer(f, nil)
	}
	return s.writer(f, s.session.shell())
}

// writer is what goroutines of a shell, or those that belong to none, write to in the place of a
// file.
func (s *Streams) writer(f *os.File, sh *shell) io.Writer {
	out, err := &s.out, &s.err
	if sh != nil {
		out, err = &sh.out, &sh.err
	}
	switch f {
	case s.out.file:
		return out
	case s.err.file:
		return err
	}
	return f
}

// An orderedFile is one of the streams, as a shell's goroutines have it.
type orderedFile struct {
	file    *os.File
	streams *Streams
	shell   *shell // that asked for it; nil: none did
}

// begin makes the stream the one that is written to, by the shell of the calling goroutine or else
// that which asked for the file, after all that was written before was passed on.
func (f *orderedFile) begin() {
	s := f.streams
	sh := f.shell
	var host worker.Host
	if s.session != nil {
		sh, host = s.session.writing(sh)
	}
	s.mu.Lock()
	switch {
	case sh != nil && (s.turn != sh || s.host != host):
		s.give1(sh, host)
	case s.file != f.file && s.host != nil:
		s.give1(s.turn, s.host)
	}
	s.file = f.file
}

// writing is the shell of the calling goroutine, else the one given, else the newest, and its host.
func (s *Session) writing(other *shell) (*shell, worker.Host) {
	sh := owner(s.current().Context())
	if sh == nil {
		sh = other
	}
	if sh == nil {
		sh = s.newest.Load()
	}
	if sh == nil {
		return nil, nil
	}
	return sh, sh.last.Load().host
}

func (f *orderedFile) Write(p []byte) (int, error) {
	f.begin()
	defer f.streams.mu.Unlock()
	return f.file.Write(p)
}

func (f *orderedFile) WriteString(p string) (int, error) {
	f.begin()
	defer f.streams.mu.Unlock()
	return f.file.WriteString(p)
}
