package main

import (
	"context"
	"fmt"
	"go/types"
	"io"
	"reflect"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/pace"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

// workerHeap is the floor of the heap of a worker (cmd/vyre-kernel), where cells run.
const workerHeap = 32 << 20

// serve answers for one engine until in ends.
func serve(name string, in io.Reader, out io.Writer) error {
	find, other := findInYaegi, func(string) (string, bool) { return "", false }
	switch name {
	case "vm":
		pace.Keep(workerHeap)
		find, other = findInVM, latency
	case "yaegi":
	default:
		return fmt.Errorf("no engine %s", name)
	}
	kept := map[string]func() int{}
	answer(in, out, func(program string) (func() int, error) {
		if f, ok := kept[program]; ok {
			return f, nil
		}
		f, err := find(program)
		if err == nil {
			kept[program] = f
		}
		return f, err
	}, other)
	return nil
}

// findInYaegi gives the program to an interpreter of its own.
func findInYaegi(program string) (f func() int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	source, err := text(program, "package main\n")
	if err != nil {
		return nil, err
	}
	i := interp.New(interp.Options{})
	if err := i.Use(stdlib.Symbols); err != nil {
		return nil, err
	}
	if _, err := i.Eval(source); err != nil {
		return nil, err
	}
	v, err := i.Eval("main.work")
	if err != nil {
		return nil, err
	}
	return v.Interface().(func() int), nil
}

// cells is a session on the vm without what the kernel does beside.
type cells struct {
	check  *check.Checker
	engine engine.Engine
	number int
}

func newCells() (*cells, error) {
	c, err := check.New(nil)
	if err != nil {
		return nil, err
	}
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	if err != nil {
		return nil, err
	}
	c.Compiled = func(f *types.Func, args []types.Type) bool { return check.CompiledBy(e, f, args) }
	return &cells{check: c, engine: e}, nil
}

// load checks and compiles a cell.
func (c *cells) load(source string) (*engine.Unit, error) {
	c.number++
	k, err := c.check.Check(c.number, source)
	if err != nil {
		return nil, err
	}
	if err := c.engine.Load(k.Unit); err != nil {
		return nil, err
	}
	c.check.Commit(k)
	return k.Unit, nil
}

func (c *cells) run(source string) ([]reflect.Value, error) {
	u, err := c.load(source)
	if err != nil {
		return nil, err
	}
	return c.engine.Run(context.Background(), u)
}

// findInVM gives the program to a session as a cell; its work is a cell's expression, a func value
// of the engine.
func findInVM(program string) (func() int, error) {
	source, err := text(program, "")
	if err != nil {
		return nil, err
	}
	c, err := newCells()
	if err != nil {
		return nil, err
	}
	if _, err := c.run(source); err != nil {
		return nil, err
	}
	values, err := c.run("work")
	if err != nil {
		return nil, err
	}
	work := values[0].Interface().(func() int)
	return func() (n int) {
		if err := c.engine.Do(context.Background(), func() { n = work() }); err != nil {
			panic(err)
		}
		return n
	}, nil
}
