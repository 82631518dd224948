package vm

import (
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// ownInput is the process's standard input, in whose place cells read the session's: a file that a cell
// puts into os.Stdin is read itself.
var ownInput = os.Stdin

// stdin is what the running goroutine's cell reads.
func stdin() io.Reader {
	if g := current(); g != nil && g.vm.options.Stdin != nil && os.Stdin == ownInput {
		return g.vm.options.Stdin
	}
	return os.Stdin
}

// asked passes on what a question gave, to a goroutine that goes on.
func asked(n int, err error) (int, error) {
	g := current()
	if g == nil {
		return n, err
	}
	return standin.Asked(n, err, g.run.done, g.run.isStopped, g.stopNow)
}

// readFile is (*os.File).Read for cells.
func readFile(f *os.File, p []byte) (int, error) {
	if f != nil && f == ownInput && f == os.Stdin {
		return asked(stdin().Read(p))
	}
	return f.Read(p)
}

// writerOf is what a cell writes to where it writes to a file.
func writerOf(f *os.File) io.Writer {
	if g := current(); g != nil && g.vm.options.Writer != nil && f != nil {
		return g.vm.options.Writer(f)
	}
	return f
}

// printers are the functions that write to os.Stdout by themselves, for engines that have a Writer.
var printers = map[string]reflect.Value{
	"fmt.Print":   reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(writerOf(os.Stdout), a...) }),
	"fmt.Println": reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(writerOf(os.Stdout), a...) }),
	"fmt.Printf":  reflect.ValueOf(func(f string, a ...any) (int, error) { return fmt.Fprintf(writerOf(os.Stdout), f, a...) }),
}

var (
	readerType = reflect.TypeFor[io.Reader]()
	writerType = reflect.TypeFor[io.Writer]()
	fileWord   = rtype.WordOf(reflect.TypeFor[*os.File]())
)

// standardFiles lets compiled functions that take an io.Reader (bufio.NewReader, io.ReadAll, fmt.Fscan) read the cell's
// standard input where a cell hands them os.Stdin, and those that take an io.Writer (fmt.Fprintln, log.New) write what the
// engine's Writer says. args is changed to the slots that the call is to use; the op fills them.
func (c *compiler) standardFiles(ft reflect.Type, args []slotOf) op {
	var fill []op
	for i := range args {
		as := c.standIn(ft, i)
		if as == nil {
			continue
		}
		from, to := args[i].at, c.temp(args[i].typ)
		args[i].at = to
		fill = append(fill, func(fp pointer) { *ref[pair](fp, to) = as(fp, *ref[pair](fp, from)) })
	}
	if len(fill) == 0 {
		return nil
	}
	return func(fp pointer) {
		for _, f := range fill {
			f(fp)
		}
	}
}

// standIn gives a compiled function's argument i the session's place of a standard file's; nil where it cannot be one.
func (c *compiler) standIn(ft reflect.Type, i int) func(fp pointer, v pair) pair {
	switch {
	case i >= ft.NumIn():
	case ft.In(i) == readerType && c.unit.vm.options.Stdin != nil:
		return asStdin
	case ft.In(i) == writerType && c.unit.vm.options.Writer != nil:
		return asWriter
	}
	return nil
}

// asStdin is the reader r, or what stands for it if it is os.Stdin.
func asStdin(fp pointer, r pair) pair {
	if r.a == nil || rtype.ItabType(r.a) != fileWord || r.b != pointer(ownInput) || os.Stdin != ownInput {
		return r
	}
	in := head(fp).g.vm.options.Stdin
	return *(*pair)(pointer(&in))
}

// asWriter is the writer w, or what stands for it if it is a file.
func asWriter(fp pointer, w pair) pair {
	if w.a == nil || rtype.ItabType(w.a) != fileWord || w.b == nil {
		return w
	}
	out := head(fp).g.vm.options.Writer((*os.File)(w.b))
	return *(*pair)(pointer(&out))
}
