package interp

import (
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// Streams keep the order of what cells write to standard output and standard error. The two are
// pipes, and nobody can tell afterwards which of two bytes came first; so what stands in one is
// passed on before a cell writes to the other.
//
// What processes write that cells start is in order where package process starts them; what
// compiled code writes that reaches the descriptors by itself is in order on each stream alone.
type Streams struct {
	out, err orderedFile
	last     atomic.Pointer[orderedFile] // that was written to

	mu    sync.Mutex // held while the host passes on
	flush func()
}

// NewStreams is for the process's standard output and standard error as they are now.
func NewStreams() *Streams {
	s := &Streams{flush: func() {}}
	s.out, s.err = orderedFile{os.Stdout, s}, orderedFile{os.Stderr, s}
	s.last.Store(&s.out)
	return s
}

// enter says whose output it is from now on.
func (s *Streams) enter(host worker.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush = func() {}
	if h, ok := host.(interface{ Flush() }); ok {
		s.flush = h.Flush
	}
}

// Writer is what cells write to in the place of a file: for the two streams one that keeps the
// order.
func (s *Streams) Writer(f *os.File) io.Writer {
	switch f {
	case s.out.file:
		return &s.out
	case s.err.file:
		return &s.err
	}
	return f
}

// An orderedFile is one of the streams.
type orderedFile struct {
	file    *os.File
	streams *Streams
}

// turn makes f the stream that is written to, after all that the other holds was passed on.
func (f *orderedFile) turn() {
	s := f.streams
	if s.last.Load() == f {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Load() != f {
		s.flush()
	}
	s.last.Store(f)
}

func (f *orderedFile) Write(p []byte) (int, error) {
	f.turn()
	return f.file.Write(p)
}

func (f *orderedFile) WriteString(p string) (int, error) {
	f.turn()
	return f.file.WriteString(p)
}
