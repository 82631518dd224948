package lower

import (
	"io"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

var (
	readerType = reflect.TypeFor[io.Reader]()
	writerType = reflect.TypeFor[io.Writer]()
	fileWord   = rtype.WordOf(reflect.TypeFor[*os.File]())
)

// standardFiles lets compiled functions that take an io.Reader (bufio.NewReader, io.ReadAll,
// fmt.Fscan) read the cell's standard input where a cell hands them os.Stdin, and those that take
// an io.Writer (fmt.Fprintln, log.New) write what the engine's Writer says. args is changed to the
// slots that the call is to use; the op fills them.
func (c *compiler) standardFiles(ft reflect.Type, args []machine.Slot) op {
	var fill []op
	for i := range args {
		as := c.standIn(ft, i)
		if as == nil {
			continue
		}
		from, to := args[i].At, c.temp(args[i].Type)
		args[i].At = to
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

// standIn gives a compiled function's argument i the session's place of a standard file's; nil
// where it cannot be one.
func (c *compiler) standIn(ft reflect.Type, i int) func(fp pointer, v pair) pair {
	switch {
	case i >= ft.NumIn():
	case ft.In(i) == readerType && c.unit.machine.Options.Stdin != nil:
		return asStdin
	case ft.In(i) == writerType && c.unit.machine.Options.Writer != nil:
		return asWriter
	}
	return nil
}

// asStdin is the reader r, or what stands for it if it is os.Stdin.
func asStdin(fp pointer, r pair) pair {
	if r.Tab == nil || rtype.ItabType(r.Tab) != fileWord || r.Data != pointer(machine.OwnInput) ||
		os.Stdin != machine.OwnInput {
		return r
	}
	in := head(fp).Routine.Machine.Options.Stdin
	return *(*pair)(pointer(&in))
}

// asWriter is the writer w, or what stands for it if it is a file.
func asWriter(fp pointer, w pair) pair {
	if w.Tab == nil || rtype.ItabType(w.Tab) != fileWord || w.Data == nil {
		return w
	}
	out := head(fp).Routine.Machine.Options.Writer((*os.File)(w.Data))
	return *(*pair)(pointer(&out))
}
