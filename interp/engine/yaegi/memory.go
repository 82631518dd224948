package yaegi

import (
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

func registerMemory() {
	printerOf(func(p *printer, in *ssa.Alloc) {
		t := p.u.typeOf(elemOf(in.Type()))
		p.operate(in, nil, func(*Frame, []reflect.Value) reflect.Value { return reflect.New(t) })
	})
	printerOf(func(p *printer, in *ssa.Store) {
		t := p.u.typeOf(elemOf(in.Addr.Type()))
		p.operate(in, []ssa.Value{in.Addr, in.Val}, func(_ *Frame, a []reflect.Value) reflect.Value {
			reflect.NewAt(t, present(a[0])).Elem().Set(as(a[1], t))
			return reflect.Value{}
		})
	})
	printerOf(func(p *printer, in *ssa.FieldAddr) {
		f := p.u.typeOf(elemOf(in.X.Type())).Field(in.Field)
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			return pointerTo(f.Type, unsafe.Add(present(a[0]), f.Offset))
		})
	})
	printerOf(func(p *printer, in *ssa.Field) {
		f := p.u.typeOf(in.X.Type()).Field(in.Field)
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			return load(f.Type, unsafe.Add(memory(a[0]), f.Offset))
		})
	})
	printerOf(printIndexAddr)
	printerOf(func(p *printer, in *ssa.Index) {
		p.operate(in, []ssa.Value{in.X, in.Index}, func(_ *Frame, a []reflect.Value) reflect.Value {
			return fresh(a[0].Index(index(a[1], a[0].Len())))
		})
	})
}

// present is the pointer that v is, which must not be nil.
func present(v reflect.Value) unsafe.Pointer {
	p := pointerOf(v)
	if p == nil {
		nilFault()
	}
	return p
}

// loadFrom reads memory.
func (u *unit) loadFrom(in *ssa.UnOp) func(*Frame, []reflect.Value) reflect.Value {
	t := u.typeOf(in.Type())
	return func(_ *Frame, a []reflect.Value) reflect.Value { return load(t, present(a[0])) }
}

func printIndexAddr(p *printer, in *ssa.IndexAddr) {
	et := p.u.typeOf(elemOf(in.Type()))
	p.operate(in, []ssa.Value{in.X, in.Index}, func(_ *Frame, a []reflect.Value) reflect.Value {
		x := a[0]
		if x.Kind() == reflect.Pointer {
			n := x.Type().Elem().Len()
			i := index(a[1], n)
			return pointerTo(et, unsafe.Add(present(x), uintptr(i)*et.Size()))
		}
		i := index(a[1], x.Len())
		return pointerTo(et, unsafe.Add(x.UnsafePointer(), uintptr(i)*et.Size()))
	})
}
