package machine

import (
	"io"
	"os"
)

// OwnInput is the process's standard input, in whose place cells read the session's: a file that a
// cell puts into os.Stdin is read itself.
var OwnInput = os.Stdin

// Stdin is what the running goroutine's cell reads.
func Stdin() io.Reader {
	if g := Current(); g != nil && g.Machine.Options.Stdin != nil && os.Stdin == OwnInput {
		return g.Machine.Options.Stdin
	}
	return os.Stdin
}

// WriterOf is what a cell writes to where it writes to a file.
func WriterOf(f *os.File) io.Writer {
	if g := Current(); g != nil && g.Machine.Options.Writer != nil && f != nil {
		return g.Machine.Options.Writer(f)
	}
	return f
}
