package vm

import (
	"io"
	"os"
	"reflect"

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

// standIn gives a compiled function's argument i the session's place of a standard file's; nil
// where it cannot be one.
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
