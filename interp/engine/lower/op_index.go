package lower

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/ssa"
)

func unsafeAdd(p pointer, n uintptr) pointer { return unsafe.Add(p, n) }

// An index is an integer operand widened to int. A uint64 that does not fit becomes negative, and
// is out of range as such.
type index struct {
	slot     uintptr
	unsigned bool // what lies in slot is a uint64, for the text of the failure
	widen    op   // to be done first; nil where the operand is 64 bits wide already
}

// index makes v an index.
func (c *compiler) index(v ssa.Value) index {
	t := c.typ(v.Type())
	x := c.slot(v)
	switch t.Kind {
	case reflect.Int, reflect.Int64:
		return index{slot: x}
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return index{slot: x, unsigned: true}
	}
	d := c.temp(machine.IntType)
	return index{slot: d, widen: widenings[t.Kind](d, x)}
}

var widenings = map[reflect.Kind]func(d, x uintptr) op{
	reflect.Int8: widen[int8], reflect.Int16: widen[int16], reflect.Int32: widen[int32],
	reflect.Uint8: widen[uint8], reflect.Uint16: widen[uint16], reflect.Uint32: widen[uint32],
}

func widen[T integer](d, x uintptr) op {
	return func(fp pointer) { *ref[int](fp, d) = int(*ref[T](fp, x)) }
}

// after puts the widening in front of o.
func (i index) before(o op) op {
	if i.widen == nil {
		return o
	}
	w := i.widen
	return func(fp pointer) { w(fp); o(fp) }
}

func buildIndexAddr(c *compiler, in *ssa.IndexAddr) op {
	d := c.dst(in)
	if m, ok := c.frameElement(in); ok {
		return func(fp pointer) { *ref[pointer](fp, d) = at(fp, m) }
	}
	f := c.elementAddress(in).value()
	return func(fp pointer) { *ref[pointer](fp, d) = f(fp) }
}

func buildIndex(c *compiler, in *ssa.Index) op {
	a, ok := under(in.X).(*types.Array)
	if !ok {
		return operand[uint8]{form: computed, f: c.byteOf(in, in.X, in.Index)}.into(c.dst(in))
	}
	d, x, ip := c.dst(in), c.slot(in.X), c.ip(in)
	index, unsigned := c.indexOperand(in.Index)
	i, t, n := index.value(), c.typ(a.Elem()), int(a.Len())
	return func(fp pointer) {
		k := i(fp)
		if uint(k) >= uint(n) {
			machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, n, unsigned)
		}
		t.Move(at(fp, d), at(fp, x+uintptr(k)*t.Size))
	}
}
