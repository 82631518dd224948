package vm

import (
	"io"
	"os"
)

// ownInput is the process's standard input, in whose place cells read the session's: a file that a cell
// puts into os.Stdin is read itself.
var ownInput = os.Stdin

// stdin is what the running goroutine's cell reads.
func stdin() io.Reader {
	if g := current(); g != nil && g.vm.options.Stdin != nil && os.Stdin == ownInput {
		return g.vm.options.Stdin
	}
	return os.Stdin
}

// writerOf is what a cell writes to where it writes to a file.
func writerOf(f *os.File) io.Writer {
	if g := current(); g != nil && g.vm.options.Writer != nil && f != nil {
		return g.vm.options.Writer(f)
	}
	return f
}
