package standin

import (
	"errors"
	"io"
	"os"
	"slices"
	"syscall"
)

// The process's own files are the session's: the next cell reads and prints too. What a cell closes
// of them stays open, and a file that it makes of one of their descriptors, which the collector
// closes, has a descriptor of its own.

// standard are those files, by their descriptors.
var standard = [...]*os.File{os.Stdin, os.Stdout, os.Stderr}

// CloseFile is (*os.File).Close.
func CloseFile(f *os.File) error {
	for _, own := range standard {
		if f == own && f != nil {
			return nil
		}
	}
	return f.Close()
}

// CloseDescriptor is syscall.Close.
func CloseDescriptor(fd int) error {
	if fd >= 0 && fd < len(standard) {
		return nil
	}
	return syscall.Close(fd)
}

// NewFile is os.NewFile.
func NewFile(fd uintptr, name string) *os.File {
	if fd >= uintptr(len(standard)) {
		return os.NewFile(fd, name)
	}
	syscall.ForkLock.RLock() // no process is started between the two calls
	defer syscall.ForkLock.RUnlock()
	own, err := syscall.Dup(int(fd))
	if err != nil {
		return os.NewFile(fd, name)
	}
	syscall.CloseOnExec(own)
	return os.NewFile(uintptr(own), name)
}

// Write is syscall.Write, in order with what is written to the files: to is what cells write to in
// the place of one.
func Write(fd int, p []byte, to func(*os.File) io.Writer) (int, error) {
	if fd != 1 && fd != 2 {
		return syscall.Write(fd, p)
	}
	n, err := to(standard[fd]).Write(p)
	var number syscall.Errno
	if errors.As(err, &number) {
		return n, number
	}
	return n, err
}

// ReadFrom is (*os.File).ReadFrom.
func ReadFrom(f *os.File, r io.Reader, to func(*os.File) io.Writer) (int64, error) {
	if w := to(f); w != io.Writer(f) {
		return io.Copy(w, r)
	}
	return f.ReadFrom(r)
}

// MultiWriter is io.MultiWriter.
func MultiWriter(ws []io.Writer, to func(*os.File) io.Writer) io.Writer {
	own := make([]io.Writer, len(ws))
	for i, w := range ws {
		own[i] = w
		if f, ok := w.(*os.File); ok && f != nil {
			own[i] = to(f)
		}
	}
	return io.MultiWriter(own...)
}

// inputs are the names of the standard input as a file. A file that is opened there waits in the
// runtime's poller, where nobody sees that it is to be asked for.
var inputs = []string{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}

// Open is os.Open.
func Open(name string) (*os.File, error) {
	if slices.Contains(inputs, name) {
		return os.Stdin, nil
	}
	return os.Open(name)
}

// ReadFile is os.ReadFile; stdin is what cells read in the place of os.Stdin.
func ReadFile(name string, stdin io.Reader) ([]byte, error) {
	if slices.Contains(inputs, name) {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
