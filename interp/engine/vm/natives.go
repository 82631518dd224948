package vm

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// A methodName names a method of a compiled type.
type methodName struct {
	recv reflect.Type
	name string
}

// replaced are the compiled functions that cells must not reach as they are: those that wait where
// nobody can stop them, that end the process, or that look at the stack and would see the engine's.
var replaced = map[string]reflect.Value{
	"fmt.Scan": reflect.ValueOf(func(a ...any) (int, error) {
		return asked(fmt.Fscan(machine.Stdin(), a...))
	}),
	"fmt.Scanln": reflect.ValueOf(func(a ...any) (int, error) {
		return asked(fmt.Fscanln(machine.Stdin(), a...))
	}),
	"fmt.Scanf": reflect.ValueOf(func(f string, a ...any) (int, error) {
		return asked(fmt.Fscanf(machine.Stdin(), f, a...))
	}),
	"time.Sleep": reflect.ValueOf(machine.Sleep),
	"os.Exit":    reflect.ValueOf(exit),
	"os.NewFile": reflect.ValueOf(standin.NewFile),
	"io.MultiWriter": reflect.ValueOf(func(ws ...io.Writer) io.Writer {
		return standin.MultiWriter(ws, machine.WriterOf)
	}),
	"os.Open": reflect.ValueOf(standin.Open),
	"os.ReadFile": reflect.ValueOf(func(name string) ([]byte, error) {
		return standin.ReadFile(name, machine.Stdin())
	}),
	"syscall.Close": reflect.ValueOf(standin.CloseDescriptor),
	"syscall.Write": reflect.ValueOf(func(fd int, p []byte) (int, error) {
		return standin.Write(fd, p, machine.WriterOf)
	}),
	"flag.Parse":                 reflect.ValueOf(func() { standin.ParseCommandLine(exit) }),
	"runtime.NumGoroutine":       reflect.ValueOf(numGoroutine),
	"runtime.GC":                 reflect.ValueOf(machine.GC),
	"runtime/debug.FreeOSMemory": reflect.ValueOf(machine.FreeOSMemory),
}

// replacedMethods is the same for methods.
var replacedMethods = map[methodName]reflect.Value{}

func init() { // through the code of callbacks, some of these reach the table
	maps.Copy(replacedMethods, map[methodName]reflect.Value{
		method[*os.File]("Read"): reflect.ValueOf(readFile),
		method[*os.File]("Write"): reflect.ValueOf(func(f *os.File, p []byte) (int, error) {
			return machine.WriterOf(f).Write(p)
		}),
		method[*os.File]("WriteString"): reflect.ValueOf(func(f *os.File, s string) (int, error) {
			return io.WriteString(machine.WriterOf(f), s)
		}),
		method[*sync.Mutex]("Lock"):     reflect.ValueOf(machine.LockMutex),
		method[*sync.RWMutex]("Lock"):   reflect.ValueOf(machine.LockRWMutex),
		method[*sync.RWMutex]("RLock"):  reflect.ValueOf(machine.ReadLockRWMutex),
		method[*sync.WaitGroup]("Wait"): reflect.ValueOf(machine.WaitGroup),
		method[*sync.WaitGroup]("Go"):   reflect.ValueOf(machine.GoInGroup),
		method[*sync.Cond]("Wait"):      reflect.ValueOf(machine.WaitCond),
		method[*sync.Once]("Do"): reflect.ValueOf(func(o *sync.Once, f func()) {
			standin.DoOnce(o, f, machine.LockOnce)
		}),
		method[*flag.FlagSet]("Parse"): reflect.ValueOf(func(f *flag.FlagSet, args []string) error {
			return standin.ParseFlags(f, args, exit)
		}),

		method[*os.File]("Close"): reflect.ValueOf(standin.CloseFile),
		method[*os.File]("ReadFrom"): reflect.ValueOf(func(f *os.File, r io.Reader) (int64, error) {
			return standin.ReadFrom(f, r, machine.WriterOf)
		}),

		method[*exec.Cmd]("Start"):          reflect.ValueOf(processes.Start),
		method[*exec.Cmd]("Run"):            reflect.ValueOf(processes.Run),
		method[*exec.Cmd]("Wait"):           reflect.ValueOf(processes.WaitFor),
		method[*exec.Cmd]("Output"):         reflect.ValueOf(processes.Output),
		method[*exec.Cmd]("CombinedOutput"): reflect.ValueOf(processes.CombinedOutput),
	})
	replaceCallers()
}

func replacedMethod(recv reflect.Type, name string) (reflect.Value, bool) {
	f, ok := replacedMethods[methodName{recv, name}]
	return f, ok
}

// replaced finds functions in the tables, those of printers too where the engine has a Writer.
func (e *vm) replaced(hasWriter bool) func(path, name string) (reflect.Value, bool) {
	return func(path, name string) (reflect.Value, bool) {
		name = path + "." + name
		if f, ok := replaced[name]; ok {
			return f, true
		}
		if name == "reflect.StructOf" {
			return reflect.ValueOf(e.Table.StructOf), true
		}
		f, ok := printers[name]
		return f, ok && hasWriter
	}
}

func method[T any](name string) methodName { return methodName{reflect.TypeFor[T](), name} }

// exit ends the cell as os.Exit would end the program: nothing deferred runs.
func exit(code int) {
	g := machine.Current()
	if g == nil {
		runtime.Goexit() // compiled code called back on a goroutine that is gone by now
	}
	g.Exit(code)
	runtime.Goexit()
}

// numGoroutine counts the cell's goroutines, not the kernel's.
func numGoroutine() int {
	if g := machine.Current(); g != nil {
		return g.Run.Alive()
	}
	return runtime.NumGoroutine()
}
