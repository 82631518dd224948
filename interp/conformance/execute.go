package conformance

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// ExecuteFile runs a Go program from its file as one cell, with this process's standard streams,
// and returns the exit status: the program's own, 2 after a panic, whose text and stack go to
// stderr, RefusedStatus if it was not executed.
func ExecuteFile(open Open, file string, stderr io.Writer) int {
	return execute(open, file, stderr, func(source string) ([]string, error) {
		return []string{positioned(file, source)}, nil
	})
}

// ExecuteInCells does the same with a cell for each declaration of the program, and one for what
// main does. A program that cannot be cut (CutDeclarations) is one cell.
func ExecuteInCells(open Open, file string, stderr io.Writer) int {
	return execute(open, file, stderr, CutDeclarations)
}

func execute(open Open, file string, stderr io.Writer, cut func(source string) ([]string, error)) int {
	source, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return RefusedStatus
	}
	os.Args = []string{strings.TrimSuffix(file, ".go")} // what the program is to see
	standin.OwnProgram()
	s, err := open()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return RefusedStatus
	}
	cells, err := cut(string(source))
	for i := 0; i < len(cells) && err == nil; i++ {
		err = s.Cell(context.Background(), cells[i])
	}
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

// positioned makes positions those of the file, as in a compiled program, by a line directive
// behind the package clause.
func positioned(file, source string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, source, parser.PackageClauseOnly)
	if err != nil {
		return source // package check has more to say
	}
	line := fset.PositionFor(f.Name.End(), false).Line
	lines := strings.SplitAfterN(source, "\n", line+1)
	if len(lines) <= line {
		return source
	}
	rest := lines[line]
	return source[:len(source)-len(rest)] + fmt.Sprintf("//line %s:%d\n", file, line+1) + rest
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
		fmt.Fprintf(w, "%s\n\t%s\n", f.Call(), f.Pos)
	}
}
