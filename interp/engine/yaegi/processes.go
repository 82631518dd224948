package yaegi

import (
	"io"
	"os"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/process"
)

// processes are the methods of *exec.Cmd.
var processes = standin.Processes{Writer: writerOf, Wait: waitProcess}

// writerOf is what the running goroutine's cell writes to where it writes to a file.
func writerOf(f *os.File) io.Writer {
	if g := current(); g != nil {
		return g.e.writer(f)
	}
	return f
}

// waitProcess waits for a process of a cell.
func waitProcess(p *os.Process, done <-chan error) error {
	g := current()
	if g == nil {
		return <-done
	}
	defer g.waiting("process", awaited{})()
	select {
	case err := <-done:
		return err
	case <-g.run.done:
		go process.Interrupt(p, done, standin.Grace)
		g.stop()
		return <-done
	}
}
