package yaegi

import (
	"go/types"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func registerComposite() {
	printerOf(func(p *printer, in *ssa.Lookup) {
		et := p.u.typeOf(in.X.Type()).Elem()
		kt := p.u.typeOf(in.X.Type()).Key()
		p.operate(in, []ssa.Value{in.X, in.Index}, func(_ *Frame, a []reflect.Value) reflect.Value {
			e := a[0].MapIndex(as(a[1], kt))
			found := e.IsValid()
			if !found {
				e = reflect.Zero(et)
			}
			if in.CommaOk {
				return tupleOf(fresh(e), boolean(found))
			}
			return fresh(e)
		})
	})
	printerOf(func(p *printer, in *ssa.MapUpdate) {
		t := p.u.typeOf(in.Map.Type())
		p.operate(in, []ssa.Value{in.Map, in.Key, in.Value}, func(_ *Frame, a []reflect.Value) reflect.Value {
			if a[0].IsNil() {
				var m map[int]int
				m[0] = 1 //lint:ignore SA5000 the panic is what is wanted
			}
			a[0].SetMapIndex(as(a[1], t.Key()), as(a[2], t.Elem()))
			return reflect.Value{}
		})
	})
	printerOf(func(p *printer, in *ssa.MakeMap) {
		t := p.u.typeOf(in.Type())
		p.operate(in, nil, func(*Frame, []reflect.Value) reflect.Value { return reflect.MakeMap(t) })
	})
	printerOf(func(p *printer, in *ssa.MakeSlice) {
		t := p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.Len, in.Cap}, func(_ *Frame, a []reflect.Value) reflect.Value {
			n, c := makeLength(a[0], a[1], t.Elem().Size())
			return reflect.MakeSlice(t, n, c)
		})
	})
	printerOf(printSlice)
	printerOf(func(p *printer, in *ssa.SliceToArrayPointer) {
		t := p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			checkConversion(a[0].Len(), t.Elem().Len())
			return as(reflect.ValueOf(a[0].UnsafePointer()), t)
		})
	})
	printerOf(func(p *printer, in *ssa.Range) {
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			it := &iterator{}
			if a[0].Kind() == reflect.Map {
				it.m = a[0].MapRange()
			} else {
				it.s = a[0].String()
			}
			return reflect.ValueOf(it)
		})
	})
	printerOf(printNext)
}

// An iterator is that of a range over a map or string.
type iterator struct {
	m *reflect.MapIter
	s string
	i int
}

func printNext(p *printer, in *ssa.Next) {
	var kt, et reflect.Type
	if !in.IsString {
		m := p.u.typeOf(in.Iter.(*ssa.Range).X.Type())
		kt, et = m.Key(), m.Elem()
	}
	p.operate(in, []ssa.Value{in.Iter}, func(_ *Frame, a []reflect.Value) reflect.Value {
		it := a[0].Interface().(*iterator)
		if it.m == nil {
			return it.nextRune()
		}
		if !it.m.Next() {
			return tupleOf(boolean(false), reflect.Zero(kt), reflect.Zero(et))
		}
		return tupleOf(boolean(true), fresh(it.m.Key()), fresh(it.m.Value()))
	})
}

func (it *iterator) nextRune() reflect.Value {
	at := it.i
	if at >= len(it.s) {
		return tupleOf(boolean(false), reflect.ValueOf(0), reflect.ValueOf(rune(0)))
	}
	r, n := utf8.DecodeRuneInString(it.s[at:])
	it.i += n
	return tupleOf(boolean(true), reflect.ValueOf(at), reflect.ValueOf(r))
}

func checkConversion(have, want int) {
	if have < want {
		bounds(int64(want), have, false, gorelease.BoundsConvert)
	}
}

// printSlice prints x[low:high:max].
func printSlice(p *printer, in *ssa.Slice) {
	args := []ssa.Value{in.X}
	at := [3]int{}
	for i, v := range []ssa.Value{in.Low, in.High, in.Max} {
		if v != nil {
			at[i] = len(args)
			args = append(args, v)
		}
	}
	t := p.u.typeOf(in.Type())
	// make with a constant capacity
	if alloc, ok := in.X.(*ssa.Alloc); ok && alloc.Comment == "makeslice" && in.High != nil {
		size := reflect.ValueOf(int(elemOf(in.X.Type()).Underlying().(*types.Array).Len()))
		p.operate(in, args, func(_ *Frame, a []reflect.Value) reflect.Value {
			n, c := makeLength(a[1], size, t.Elem().Size())
			return sliceAt(t, pointerOf(a[0]), n, c)
		})
		return
	}
	p.operate(in, args, func(_ *Frame, a []reflect.Value) reflect.Value {
		x := a[0]
		var limits [3]*reflect.Value
		for i, k := range at {
			if k > 0 {
				limits[i] = &a[k]
			}
		}
		if x.Kind() == reflect.String {
			low, high, _ := sliceBounds(limits, x.Len(), x.Len(), false)
			if low == high {
				low, high = 0, 0 // what is empty points into the string too
			}
			s := reflect.New(t).Elem()
			s.SetString(x.String()[low:high])
			return s
		}
		length, capacity, base := 0, 0, unsafe.Pointer(nil)
		if x.Kind() == reflect.Pointer {
			base = present(x)
			length, capacity = x.Type().Elem().Len(), x.Type().Elem().Len()
		} else {
			base, length, capacity = x.UnsafePointer(), x.Len(), x.Cap()
		}
		low, high, limit := sliceBounds(limits, length, capacity, x.Kind() == reflect.Slice)
		if limit > low {
			base = unsafe.Add(base, uintptr(low)*t.Elem().Size())
		}
		return sliceAt(t, base, high-low, limit-low)
	})
}

func sliceAt(t reflect.Type, base unsafe.Pointer, n, c int) reflect.Value {
	s := reflect.New(t).Elem()
	*(*rtype.Slice)(s.Addr().UnsafePointer()) = rtype.Slice{Array: base, Len: n, Cap: c}
	return s
}

// sliceBounds checks from the right to the left, as compiled code does.
func sliceBounds(l [3]*reflect.Value, length, capacity int, isSlice bool) (low, high, limit int) {
	limit, high = capacity, length
	overMax, overHigh := gorelease.BoundsMaxLen, gorelease.BoundsHighLen
	if isSlice {
		overMax, overHigh = gorelease.BoundsMaxCap, gorelease.BoundsHighCap
	}
	underLow, over := gorelease.BoundsLow, overHigh
	if l[2] != nil {
		x, u := number(*l[2])
		if uint64(x) > uint64(capacity) {
			bounds(x, capacity, u, overMax)
		}
		limit = int(x)
		underLow, over = gorelease.BoundsLowHigh, gorelease.BoundsHighMax
	}
	if l[1] != nil {
		x, u := number(*l[1])
		if uint64(x) > uint64(limit) {
			bounds(x, limit, u, over)
		}
		high = int(x)
	}
	if l[0] != nil {
		x, u := number(*l[0])
		if uint64(x) > uint64(high) {
			bounds(x, high, u, underLow)
		}
		low = int(x)
	}
	return low, high, limit
}
