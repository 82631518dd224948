package vm

import (
	"io"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/calls"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/lower"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// Options of an engine. Symbols and Types find what the binary holds of compiled packages, as
// symbols.Lookup and symbols.Type do.
type Options struct {
	Symbols func(path, name string) (reflect.Value, bool)
	Types   func(path, name string) (reflect.Type, bool)
	// Stdin is what cells read where they read os.Stdin or call fmt.Scan; nil: the process's own.
	Stdin io.Reader
	// Writer is what compiled functions write to where a cell hands them a file, or prints: a
	// session that keeps the order of standard output and standard error gives for those two what
	// does. nil: the file itself.
	Writer func(*os.File) io.Writer
	// MaxDepth is how deep calls of cell code may nest; 0: as the stack has room. Deeper is a
	// StackOverflow.
	MaxDepth int
}

// vm is one session's engine.
type vm struct{ *machine.Machine }

// New makes the engine of a session. The error is a *gorelease.FactError: this binary was built by
// a Go release that the engine does not know.
func New(o Options) (engine.Engine, error) {
	e := vm{}
	e.Machine = machine.New(machine.Options{
		Symbols: o.Symbols, Replaced: e.replaced(o.Writer != nil), ReplacedMethod: replacedMethod, Adapter: calls.Adapter,
		Stdin: o.Stdin, Writer: o.Writer, MaxDepth: o.MaxDepth,
	})
	var err error
	e.Session, err = link.New(link.Options{Symbols: e.Options.Symbols, Types: o.Types},
		calls.MethodSource{Machine: e.Machine}, lower.Units(e.Machine))
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (vm) Name() string { return "vm" }

var _ engine.Engine = vm{}
