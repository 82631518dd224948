package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// bounds are the operands of x[lo:hi:max]; those left out are nil.
type bounds struct {
	lo, hi, max *index
	ip          uint32
	made        *typ // the element type, where go/ssa made the slice of make(T, n, constant) an array
}

func (c *compiler) bounds(in *ssa.Slice) bounds {
	opt := func(v ssa.Value) *index {
		if v == nil {
			return nil
		}
		i := c.index(v)
		return &i
	}
	b := bounds{lo: opt(in.Low), hi: opt(in.High), max: opt(in.Max), ip: c.ip(in)}
	if a, ok := in.X.(*ssa.Alloc); ok && a.Comment == "makeslice" {
		b.made = c.typ(in.Type().Underlying().(*types.Slice).Elem())
	}
	return b
}

func (b *bounds) before(o op) op {
	for _, i := range []*index{b.max, b.hi, b.lo} {
		if i != nil {
			o = i.before(o)
		}
	}
	return o
}

// of computes the bounds for an operand of length n and capacity m; fixed is true of strings and
// arrays, whose failures speak of the length.
func (b *bounds) of(fp pointer, n, m int, fixed bool) (lo, hi, end int) {
	hi, end = n, m
	if b.max != nil {
		end = *ref[int](fp, b.max.slot)
	}
	if b.hi != nil {
		hi = *ref[int](fp, b.hi.slot)
	}
	if b.lo != nil {
		lo = *ref[int](fp, b.lo.slot)
	}
	if uint(end) > uint(m) || uint(hi) > uint(end) || uint(lo) > uint(hi) {
		b.fail(fp, lo, hi, end, m, fixed)
	}
	return
}

func (b *bounds) fail(fp pointer, lo, hi, end, m int, fixed bool) {
	high, most := gorelease.BoundsHighCap, gorelease.BoundsMaxCap
	if fixed {
		high, most = gorelease.BoundsHighLen, gorelease.BoundsMaxLen
	}
	switch {
	case b.made != nil:
		machine.Mark(fp, b.ip)
		machine.FailMakeSlice(b.made.Size, hi)
	case uint(end) > uint(m):
		machine.FailBounds(fp, b.ip, most, end, m, isUnsigned(b.max))
	case uint(hi) > uint(end) && b.max != nil:
		machine.FailBounds(fp, b.ip, gorelease.BoundsHighMax, hi, end, isUnsigned(b.hi))
	case uint(hi) > uint(end):
		machine.FailBounds(fp, b.ip, high, hi, m, isUnsigned(b.hi))
	case b.max != nil:
		machine.FailBounds(fp, b.ip, gorelease.BoundsLowHigh, lo, hi, isUnsigned(b.lo))
	default:
		machine.FailBounds(fp, b.ip, gorelease.BoundsLow, lo, hi, isUnsigned(b.lo))
	}
}

func isUnsigned(i *index) bool { return i != nil && i.unsigned }

func buildSlice(c *compiler, in *ssa.Slice) op {
	b := c.bounds(in)
	d, x := c.dst(in), c.slot(in.X)
	switch u := in.X.Type().Underlying().(type) {
	case *types.Slice:
		return b.before(sliceOfSlice(b, d, x, c.typ(u.Elem()).Size))
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		return b.before(sliceOfArray(b, d, x, c.typ(a.Elem()).Size, int(a.Len())))
	}
	return b.before(func(fp pointer) {
		s := *ref[string](fp, x)
		lo, hi, _ := b.of(fp, len(s), len(s), true)
		*ref[string](fp, d) = s[lo:hi]
	})
}

func sliceOfSlice(b bounds, d, x, size uintptr) op {
	return func(fp pointer) {
		s := *ref[rtype.Slice](fp, x)
		lo, hi, end := b.of(fp, s.Len, s.Cap, false)
		if end > lo { // an empty rest must not point behind the array
			s.Array = unsafeAdd(s.Array, uintptr(lo)*size)
		}
		*ref[rtype.Slice](fp, d) = rtype.Slice{Array: s.Array, Len: hi - lo, Cap: end - lo}
	}
}

func sliceOfArray(b bounds, d, x, size uintptr, n int) op {
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			machine.FailNil(fp, b.ip)
		}
		lo, hi, end := b.of(fp, n, n, true)
		if end > lo {
			p = unsafeAdd(p, uintptr(lo)*size)
		}
		*ref[rtype.Slice](fp, d) = rtype.Slice{Array: p, Len: hi - lo, Cap: end - lo}
	}
}

func buildMakeSlice(c *compiler, in *ssa.MakeSlice) op {
	d, n, m, ip := c.dst(in), c.index(in.Len), c.index(in.Cap), c.ip(in)
	elem := c.typ(in.Type().Underlying().(*types.Slice).Elem())
	return n.before(m.before(func(fp pointer) {
		l, k := *ref[int](fp, n.slot), *ref[int](fp, m.slot)
		if uint(l) > uint(k) || machine.TooLarge(elem.Size, k) {
			machine.Mark(fp, ip)
			machine.FailMakeSlice(elem.Size, l)
		}
		*ref[rtype.Slice](fp, d) = rtype.Slice{Array: rtype.NewArray(elem.Word, k), Len: l, Cap: k}
	}))
}

func buildSliceToArrayPointer(c *compiler, in *ssa.SliceToArrayPointer) op {
	d, x, ip := c.dst(in), c.slot(in.X), c.ip(in)
	a := c.elem(in.Type())
	n := a.Reflect.Len()
	return func(fp pointer) {
		s := ref[rtype.Slice](fp, x)
		if s.Len < n {
			machine.FailBounds(fp, ip, gorelease.BoundsConvert, n, s.Len, false)
		}
		*ref[pointer](fp, d) = s.Array
	}
}
