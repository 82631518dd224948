package vm

import (
	"os"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/process"
)

// processes are the methods of *exec.Cmd.
var processes = standin.Processes{Writer: machine.WriterOf, Wait: waitProcess}

// waitProcess waits for a process of a cell.
func waitProcess(p *os.Process, done <-chan error) error {
	g := machine.Current()
	if g == nil {
		return <-done
	}
	end := g.Waiting("process", machine.Awaited{})
	defer end()
	select {
	case err := <-done:
		return err
	case <-g.Run.Done:
		go process.Interrupt(p, done, standin.Grace)
		g.Stop()
		return <-done
	}
}
