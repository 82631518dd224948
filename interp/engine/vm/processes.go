package vm

import (
	"os"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/process"
)

// processes are the methods of *exec.Cmd.
var processes = standin.Processes{Writer: writerOf, Wait: waitProcess}

// waitProcess waits for a process of a cell.
func waitProcess(p *os.Process, done <-chan error) error {
	g := current()
	if g == nil {
		return <-done
	}
	end := g.waiting("process", awaited{})
	defer end()
	select {
	case err := <-done:
		return err
	case <-g.run.done:
		go process.Interrupt(p, done, standin.Grace)
		g.stopNow()
		return <-done
	}
}
