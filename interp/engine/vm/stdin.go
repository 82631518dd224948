package vm

import (
	"fmt"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// asked passes on what a question gave, to a goroutine that goes on.
func asked(n int, err error) (int, error) {
	g := machine.Current()
	if g == nil {
		return n, err
	}
	return standin.Asked(n, err, g.Run.Done, g.Run.Stopped, g.Stop)
}

// readFile is (*os.File).Read for cells.
func readFile(f *os.File, p []byte) (int, error) {
	if f != nil && f == machine.OwnInput && f == os.Stdin {
		return asked(machine.Stdin().Read(p))
	}
	return f.Read(p)
}

// printers are the functions that write to os.Stdout by themselves, for engines that have a Writer.
var printers = map[string]reflect.Value{
	"fmt.Print":   reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(machine.WriterOf(os.Stdout), a...) }),
	"fmt.Println": reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(machine.WriterOf(os.Stdout), a...) }),
	"fmt.Printf": reflect.ValueOf(func(f string, a ...any) (int, error) {
		return fmt.Fprintf(machine.WriterOf(os.Stdout), f, a...)
	}),
}
