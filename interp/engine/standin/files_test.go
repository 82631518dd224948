package standin

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestOwnFiles is that a cell cannot close what the next one prints to, and closes its own.
func TestOwnFiles(t *testing.T) {
	if err := CloseFile(os.Stdout); err != nil {
		t.Error(err)
	}
	if err := CloseDescriptor(1); err != nil {
		t.Error(err)
	}
	f := NewFile(1, "mine")
	if f.Fd() == 1 {
		t.Error("a file of the cell's has the session's descriptor")
	}
	for i, want := range []error{nil, os.ErrClosed} {
		if err := CloseFile(f); (err == nil) != (want == nil) {
			t.Errorf("close %d: %v, want %v", i, err, want)
		}
	}
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	if err := CloseDescriptor(ends[1]); err != nil {
		t.Error(err)
	}
	if err := CloseDescriptor(ends[1]); err != syscall.EBADF {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := os.Stdout.Stat(); err != nil {
		t.Error(err)
	}
}

// TestWriters is that what is written to the process's files by other ways goes where the cell's
// does.
func TestWriters(t *testing.T) {
	var got strings.Builder
	to := func(f *os.File) io.Writer {
		if f == os.Stdout || f == os.Stderr {
			return &got
		}
		return f
	}
	if n, err := Write(2, []byte("a"), to); n != 1 || err != nil {
		t.Error(n, err)
	}
	if n, err := ReadFrom(os.Stdout, strings.NewReader("bc"), to); n != 2 || err != nil {
		t.Error(n, err)
	}
	fmt.Fprint(MultiWriter([]io.Writer{os.Stdout, &got}, to), "d")
	if got.String() != "abcdd" {
		t.Errorf("got %q", got.String())
	}
	if _, err := Write(1<<20, nil, to); err != syscall.EBADF {
		t.Errorf("no descriptor: %v", err)
	}
}
