package yaegi

import (
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// stdin is what cells read.
func (e *yaegi) stdin() io.Reader {
	if e.options.Stdin != nil {
		return e.options.Stdin
	}
	return os.Stdin
}

// writer is what a cell writes to where it writes to a file.
func (e *yaegi) writer(f *os.File) io.Writer {
	if e.options.Writer != nil && f != nil {
		return e.options.Writer(f)
	}
	return f
}

// standard are the functions that read os.Stdin or write os.Stdout by themselves.
func (e *yaegi) standard(name string) (reflect.Value, bool) {
	switch name {
	case "fmt.Scan":
		return reflect.ValueOf(func(a ...any) (int, error) { return asked(fmt.Fscan(e.stdin(), a...)) }), true
	case "fmt.Scanln":
		return reflect.ValueOf(func(a ...any) (int, error) { return asked(fmt.Fscanln(e.stdin(), a...)) }), true
	case "fmt.Scanf":
		return reflect.ValueOf(func(f string, a ...any) (int, error) { return asked(fmt.Fscanf(e.stdin(), f, a...)) }), true
	case "fmt.Print":
		return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(e.writer(os.Stdout), a...) }), true
	case "fmt.Println":
		return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(e.writer(os.Stdout), a...) }), true
	case "fmt.Printf":
		return reflect.ValueOf(func(f string, a ...any) (int, error) { return fmt.Fprintf(e.writer(os.Stdout), f, a...) }),
			true
	case "os.NewFile":
		return reflect.ValueOf(standin.NewFile), true
	case "io.MultiWriter":
		return reflect.ValueOf(func(ws ...io.Writer) io.Writer { return standin.MultiWriter(ws, e.writer) }), true
	case "os.Open":
		return reflect.ValueOf(standin.Open), true
	case "os.ReadFile":
		return reflect.ValueOf(func(name string) ([]byte, error) { return standin.ReadFile(name, e.stdin()) }), true
	case "syscall.Close":
		return reflect.ValueOf(standin.CloseDescriptor), true
	case "syscall.Write":
		return reflect.ValueOf(func(fd int, p []byte) (int, error) { return standin.Write(fd, p, e.writer) }), true
	}
	return reflect.Value{}, false
}

// asked passes on what a question gave, to a goroutine that goes on.
func asked(n int, err error) (int, error) {
	g := current()
	if g == nil {
		return n, err
	}
	return standin.Asked(n, err, g.run.done, g.run.over, g.stop)
}

// standardMethod is the same for methods of files.
func (e *yaegi) standardMethod(name string) (reflect.Value, bool) {
	switch name {
	case "Read":
		return reflect.ValueOf(func(f *os.File, p []byte) (int, error) {
			if f != nil && f == os.Stdin {
				return asked(e.stdin().Read(p))
			}
			return f.Read(p)
		}), true
	case "Write":
		return reflect.ValueOf(func(f *os.File, p []byte) (int, error) { return e.writer(f).Write(p) }), true
	case "Close":
		return reflect.ValueOf(standin.CloseFile), true
	case "ReadFrom":
		return reflect.ValueOf(func(f *os.File, r io.Reader) (int64, error) { return standin.ReadFrom(f, r, e.writer) }), true
	case "WriteString":
		return reflect.ValueOf(func(f *os.File, s string) (int, error) { return io.WriteString(e.writer(f), s) }), true
	}
	return reflect.Value{}, false
}

var (
	readerType = reflect.TypeFor[io.Reader]()
	writerType = reflect.TypeFor[io.Writer]()
	fileType   = reflect.TypeFor[*os.File]()
)

// standardFile lets compiled functions that take an io.Reader or io.Writer use the cell's where a
// cell hands them a file.
func (e *yaegi) standardFile(t reflect.Type, v reflect.Value) reflect.Value {
	if t != readerType && t != writerType || v.IsNil() || v.Elem().Type() != fileType {
		return v
	}
	f, _ := v.Elem().Interface().(*os.File)
	switch {
	case t == readerType && f == os.Stdin && e.options.Stdin != nil:
		return reflect.ValueOf(&e.options.Stdin).Elem()
	case t == writerType && f != nil && e.options.Writer != nil:
		w := e.options.Writer(f)
		return reflect.ValueOf(&w).Elem()
	}
	return v
}
