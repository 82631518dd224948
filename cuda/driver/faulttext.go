package driver

import (
	"fmt"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// Error tells the fault in lines: what it is and where; the line of text; who did what; the memory;
// the instruction.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Kernel != "" { // a text that was not loaded has none
		fmt.Fprintf(&b, " in kernel %s", KernelName(f.Kernel))
	}
	if at := place(f.Source, f.Line); at != "" {
		fmt.Fprintf(&b, ", %s", at)
	}
	f.writeCode(&b)
	f.writeLanes(&b)
	f.writeAccess(&b)
	if f.Detail != "" {
		fmt.Fprintf(&b, "\n  %s", f.Detail)
	}
	if f.Source != "" && f.Instruction != "" {
		fmt.Fprintf(&b, "\n  PTX line %d: %s", f.Line, f.Instruction)
	} else if f.Instruction != "" && f.Code == "" {
		fmt.Fprintf(&b, "\n  %s", f.Instruction)
	}
	return b.String()
}

// place names a place in the source, or in the PTX where the source is not known.
func place(source string, line int) string {
	switch {
	case source != "":
		return source
	case line > 0:
		return fmt.Sprintf("PTX line %d", line)
	}
	return ""
}

// writeCode quotes the line of text with a caret below it.
func (f *Fault) writeCode(b *strings.Builder) {
	text := strings.TrimLeft(f.Code, " \t")
	if text == "" {
		return
	}
	fmt.Fprintf(b, "\n    %s", strings.ReplaceAll(text, "\t", " "))
	if at := f.Column - 1 - (len(f.Code) - len(text)); at >= 0 && at < len(text) {
		fmt.Fprintf(b, "\n    %s^", strings.Repeat(" ", at))
	}
}

// KernelName is what C++ calls an entry of PTX, "scale<float>", without its parameters; other
// entries are called what they are.
func KernelName(entry string) string {
	if name, err := demangle.ToString(entry, demangle.NoParams, demangle.NoClones); err == nil && name != "" {
		return name
	}
	return entry
}

// VariableName is what C++ calls a variable of PTX. A function's own variable is called without the function.
func VariableName(symbol string) string {
	name := KernelName(symbol)
	if i := strings.LastIndex(name, "::"); i >= 0 && strings.HasPrefix(symbol, "_ZZ") {
		return name[i+2:]
	}
	return name
}

func (f *Fault) writeLanes(b *strings.Builder) {
	if len(f.Lanes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  thread%s", plural(len(f.Lanes)))
	for _, t := range f.Lanes[:min(4, len(f.Lanes))] {
		fmt.Fprintf(b, " %s", t.index())
	}
	if extra := len(f.Lanes) - 4; extra > 0 {
		fmt.Fprintf(b, " and %d more", extra)
	}
	fmt.Fprintf(b, " of block %s", f.Block.index())
	if o := f.Other; o != nil {
		fmt.Fprintf(b, " %s what thread %s", acts(f.Access, len(f.Lanes)), o.Thread.index())
		if o.Block != f.Block {
			fmt.Fprintf(b, " of block %s", o.Block.index())
		}
		fmt.Fprintf(b, " %s at %s (%s), and nothing orders the two", acted[o.Access], place(o.Source, o.Line), o.Instruction)
	}
}

var acted = map[AccessKind]string{AccessRead: "read", AccessWrite: "wrote", AccessAtomic: "changed atomically"}

// acts says what one thread does, or several do.
func acts(a AccessKind, n int) string {
	verb := map[AccessKind]string{AccessRead: "read", AccessWrite: "write", AccessAtomic: "change"}[a]
	if n == 1 {
		verb += "s"
	}
	if a == AccessAtomic {
		verb += " atomically"
	}
	return verb
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (d Dim3) index() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// writeElements tells the range of bytes in elements.
func (f *Fault) writeElements(b *strings.Builder) {
	n := f.Element
	if n == 0 {
		return
	}
	first, last, of := uint64(f.Offset)/n, (uint64(f.Offset)+f.Bytes-1)/n, f.BufferSize/n
	if first == last {
		fmt.Fprintf(b, ", element %d of %d", first, of)
	} else {
		fmt.Fprintf(b, ", elements %d to %d of %d", first, last, of)
	}
}

func (f *Fault) writeAccess(b *strings.Builder) {
	if f.Bytes == 0 {
		return
	}
	if len(f.Lanes) == 0 && f.Bytes > 1 && f.BufferSize > 0 { // of copies, graphs and whole kernels
		fmt.Fprintf(b, "\n  bytes %d to %d of the %d-byte buffer at %s", f.Offset, f.Offset+int64(f.Bytes)-1,
			f.BufferSize, f.Buffer)
		f.writeElements(b)
		return
	}
	fmt.Fprintf(b, "\n  %d byte%s ", f.Bytes, plural(int(f.Bytes)))
	if f.Access != "" && f.Other == nil {
		fmt.Fprintf(b, "%s ", map[AccessKind]string{AccessRead: "read", AccessWrite: "written",
			AccessAtomic: "changed atomically"}[f.Access])
	}
	switch {
	case f.BufferSize == 0 && f.Address == 0 && f.Space == "global":
		b.WriteString("at the null address")
	case f.BufferSize == 0:
		fmt.Fprintf(b, "at %s address 0x%x", f.Space, f.Address)
	case strings.HasPrefix(f.Variable, "__local_depot"): // nvcc's, of all variables of a function
		fmt.Fprintf(b, "at byte %d of the %d bytes of local variables", f.Offset, f.BufferSize)
	case f.Variable != "":
		fmt.Fprintf(b, "at byte %d of the %d-byte %s variable %s", f.Offset, f.BufferSize, f.Space, f.Variable)
	case f.Space == "shared":
		fmt.Fprintf(b, "at byte %d of the block's %d bytes of dynamic shared memory", f.Offset, f.BufferSize)
	default:
		fmt.Fprintf(b, "at byte %d of the %d-byte buffer at %s", f.Offset, f.BufferSize, f.Buffer)
		if f.Parameter != "" {
			fmt.Fprintf(b, " (parameter %s)", strings.TrimPrefix(f.Parameter, f.Kernel+"_param_"))
		}
		if f.Offset%int64(f.Bytes) == 0 {
			fmt.Fprintf(b, ", element %d of %d", f.Offset/int64(f.Bytes), f.BufferSize/f.Bytes)
		}
	}
}
