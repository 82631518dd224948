package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// ExecuteFile runs a Go program from its file as one cell, with this process's standard streams, and returns the exit status:
// the program's own, 2 after a panic, whose text and stack go to stderr, RefusedStatus if it was not executed.
func ExecuteFile(open Open, file string, stderr io.Writer) int {
	source, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return RefusedStatus
	}
	s, err := open()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return RefusedStatus
	}
	err = s.Cell(context.Background(), string(source))
	status, text, refused := ending(err)
	if refused != nil {
		fmt.Fprintln(stderr, "refused:", refused)
		return RefusedStatus
	}
	if text != "" {
		fmt.Fprintf(stderr, "%s\n\ngoroutine 1 [running]:\n", text)
		printStack(stderr, err)
	}
	return status
}

func printStack(w io.Writer, err error) {
	var p *engine.Panic
	if !errors.As(err, &p) {
		return
	}
	for i, f := range p.Stack {
		if i == 50 {
			fmt.Fprintf(w, "... %d more\n", len(p.Stack)-i)
			return
		}
		fmt.Fprintf(w, "%s(...)\n\t%s\n", f.Function, f.Pos)
	}
}
