package vm

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func unsafeAdd(p pointer, n uintptr) pointer { return unsafe.Add(p, n) }

// An index is an integer operand widened to int. A uint64 that does not fit becomes negative, and is out of range as such.
type index struct {
	slot     uintptr
	unsigned bool // what lies in slot is a uint64, for the text of the failure
	widen    op   // to be done first; nil where the operand is 64 bits wide already
}

// index makes v an index.
func (c *compiler) index(v ssa.Value) index {
	t := c.typ(v.Type())
	x := c.slot(v)
	switch t.kind {
	case reflect.Int, reflect.Int64:
		return index{slot: x}
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return index{slot: x, unsigned: true}
	}
	d := c.temp(typInt)
	return index{slot: d, widen: widenings[t.kind](d, x)}
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

func (i index) fail(fp pointer, ip uint32, j, n int) {
	failBounds(fp, ip, boundsIndex, j, n, i.unsigned)
}

func buildIndexAddr(c *compiler, in *ssa.IndexAddr) op {
	d := c.dst(in)
	if m, ok := c.frameElement(in); ok {
		return func(fp pointer) { *ref[pointer](fp, d) = at(fp, m) }
	}
	x, i, ip := c.slot(in.X), c.index(in.Index), c.ip(in)
	j := i.slot
	switch u := in.X.Type().Underlying().(type) {
	case *types.Slice:
		size := c.typ(u.Elem()).size
		return i.before(func(fp pointer) {
			s := ref[rtype.Slice](fp, x)
			k := *ref[int](fp, j)
			if uint(k) >= uint(s.Len) {
				i.fail(fp, ip, k, s.Len)
			}
			*ref[pointer](fp, d) = unsafeAdd(s.Array, uintptr(k)*size)
		})
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		size, n := c.typ(a.Elem()).size, int(a.Len())
		return i.before(func(fp pointer) {
			p := *ref[pointer](fp, x)
			if p == nil {
				failNil(fp, ip)
			}
			k := *ref[int](fp, j)
			if uint(k) >= uint(n) {
				i.fail(fp, ip, k, n)
			}
			*ref[pointer](fp, d) = unsafeAdd(p, uintptr(k)*size)
		})
	}
	panic(internal("address of an element of %s", in.X.Type()))
}

func buildIndex(c *compiler, in *ssa.Index) op {
	d, x, i, ip := c.dst(in), c.slot(in.X), c.index(in.Index), c.ip(in)
	j := i.slot
	a, ok := in.X.Type().Underlying().(*types.Array)
	if !ok {
		return i.before(c.stringIndex(d, x, i, ip))
	}
	t, n := c.typ(a.Elem()), int(a.Len())
	return i.before(func(fp pointer) {
		k := *ref[int](fp, j)
		if uint(k) >= uint(n) {
			i.fail(fp, ip, k, n)
		}
		t.move(at(fp, d), at(fp, x+uintptr(k)*t.size))
	})
}

func (c *compiler) stringIndex(d, x uintptr, i index, ip uint32) op {
	j := i.slot
	return func(fp pointer) {
		s := *ref[string](fp, x)
		k := *ref[int](fp, j)
		if uint(k) >= uint(len(s)) {
			i.fail(fp, ip, k, len(s))
		}
		*ref[uint8](fp, d) = s[k]
	}
}
