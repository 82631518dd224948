package vm

import (
	"io"
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// stdin is what the running goroutine's cell reads.
func stdin() io.Reader {
	if g := current(); g != nil && g.vm.options.Stdin != nil {
		return g.vm.options.Stdin
	}
	return os.Stdin
}

// readFile is (*os.File).Read for cells.
func readFile(f *os.File, p []byte) (int, error) {
	if f != nil && f == os.Stdin {
		return stdin().Read(p)
	}
	return f.Read(p)
}

var (
	readerType = reflect.TypeFor[io.Reader]()
	fileWord   = rtype.WordOf(reflect.TypeFor[*os.File]())
)

// readers lets compiled functions that take an io.Reader (bufio.NewReader, io.ReadAll, fmt.Fscan) read the cell's standard
// input where a cell hands them os.Stdin. args is changed to the slots that the call is to use; the op fills them.
func (c *compiler) readers(ft reflect.Type, args []slotOf) op {
	if c.unit.vm.options.Stdin == nil {
		return nil
	}
	var fill []op
	for i := range args {
		if i >= ft.NumIn() || ft.In(i) != readerType {
			continue
		}
		from, to := args[i].at, c.temp(args[i].typ)
		args[i].at = to
		fill = append(fill, func(fp pointer) { *ref[pair](fp, to) = asStdin(fp, *ref[pair](fp, from)) })
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

// asStdin is the reader r, or what stands for it if it is os.Stdin.
func asStdin(fp pointer, r pair) pair {
	if r.a == nil || rtype.ItabType(r.a) != fileWord || r.b != pointer(os.Stdin) {
		return r
	}
	in := head(fp).g.vm.options.Stdin
	return *(*pair)(pointer(&in))
}
