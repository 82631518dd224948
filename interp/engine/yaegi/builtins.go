package yaegi

import (
	"fmt"
	"go/types"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A builtinCode executes a builtin; t is the type of the result.
type builtinCode func(f *Frame, t reflect.Type, a []reflect.Value) reflect.Value

var builtins = map[string]builtinCode{
	"append": appendSlice,
	"len": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		return reflect.ValueOf(lengthOf(a[0]))
	},
	"cap": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		if a[0].Kind() == reflect.Pointer {
			return reflect.ValueOf(a[0].Type().Elem().Len())
		}
		return reflect.ValueOf(a[0].Cap())
	},
	"copy": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		if a[1].Kind() == reflect.String {
			return reflect.ValueOf(copy(unsafe.Slice((*byte)(a[0].UnsafePointer()), a[0].Len()), a[1].String()))
		}
		return reflect.ValueOf(reflect.Copy(a[0], as(a[1], a[0].Type())))
	},
	"delete": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		a[0].SetMapIndex(as(a[1], a[0].Type().Key()), reflect.Value{})
		return reflect.Value{}
	},
	"clear": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		a[0].Clear()
		return reflect.Value{}
	},
	"close": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		if a[0].IsNil() {
			var c chan int
			close(c)
		}
		a[0].Close()
		return reflect.Value{}
	},
	"panic":   func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value { panic(a[0].Interface()) },
	"recover": func(f *Frame, _ reflect.Type, _ []reflect.Value) reflect.Value { return anyValue(f.recoverPanic()) },
	"print":   func(f *Frame, _ reflect.Type, a []reflect.Value) reflect.Value { return printAll(f, a, "", "") },
	"println": func(f *Frame, _ reflect.Type, a []reflect.Value) reflect.Value { return printAll(f, a, " ", "\n") },
	"real": func(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value {
		return reflect.ValueOf(real(a[0].Complex())).Convert(t)
	},
	"imag": func(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value {
		return reflect.ValueOf(imag(a[0].Complex())).Convert(t)
	},
	"complex": func(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value {
		return reflect.ValueOf(complex(a[0].Float(), a[1].Float())).Convert(t)
	},
	"min": func(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value { return extreme(a, t, false) },
	"max": func(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value { return extreme(a, t, true) },
	"ssa:wrapnilchk": func(_ *Frame, _ reflect.Type, a []reflect.Value) reflect.Value {
		if a[0].IsNil() {
			failWrapped(a[1].String(), a[2].String())
		}
		return a[0]
	},
	"ssa:deferstack": func(f *Frame, _ reflect.Type, _ []reflect.Value) reflect.Value { return reflect.ValueOf(f) },
}

// builtin prints the call of a builtin.
func (p *printer) builtin(in *ssa.Call, b *ssa.Builtin) {
	code := p.builtinCall(in, b, in.Call.Args)
	p.operate(in, in.Call.Args, code)
}

func (p *printer) builtinCall(in ssa.Instruction, b *ssa.Builtin, args []ssa.Value) func(*Frame,
	[]reflect.Value) reflect.Value {
	code := builtins[b.Name()]
	switch b.Name() { // of type parameters; others are constants
	case "Sizeof":
		code = constantly(p.u.typeOf(args[0].Type()).Size())
	case "Offsetof":
		code = constantly(unevaluated.Offset(p.u.typeOf(args[0].Type()), args[1:]))
	case "Alignof":
		code = constantly(uintptr(p.u.typeOf(args[0].Type()).Align()))
	}
	if code == nil {
		refuse(p.position(in), "the builtin "+b.Name(), "yaegi's text has no form for it")
	}
	if b.Name() == "recover" && (p.fn.Synthetic == "range-over-func yield") {
		refuse(p.position(in), "recover in the body of a range over a function", "the call that it belongs to is not known")
	}
	var t reflect.Type
	if v, ok := in.(ssa.Value); ok {
		if tu, isTuple := v.Type().(*types.Tuple); !isTuple || tu.Len() > 0 {
			t = p.u.typeOf(v.Type())
		}
	}
	var ats []reflect.Type
	for _, a := range args {
		ats = append(ats, p.u.typeOf(a.Type()))
	}
	return func(f *Frame, a []reflect.Value) reflect.Value {
		return code(f, t, typed(a, ats))
	}
}

func constantly(x uintptr) builtinCode {
	return func(*Frame, reflect.Type, []reflect.Value) reflect.Value { return reflect.ValueOf(x) }
}

func lengthOf(v reflect.Value) int {
	if v.Kind() == reflect.Pointer {
		return v.Type().Elem().Len()
	}
	return v.Len()
}

func appendSlice(_ *Frame, t reflect.Type, a []reflect.Value) reflect.Value {
	if len(a) == 1 {
		return a[0]
	}
	if size := a[0].Type().Elem().Size(); uint(a[0].Len())+uint(a[1].Len()) > math.MaxInt || size > 0 &&
		a[1].Len() > (1<<47)/int(size) {
		panic(gorelease.RuntimeError("growslice: len out of range"))
	}
	if a[1].Kind() == reflect.String {
		s := append([]byte(nil), a[1].String()...)
		return as(reflect.AppendSlice(a[0], as(reflect.ValueOf(s), a[0].Type())), t)
	}
	return as(reflect.AppendSlice(a[0], as(a[1], a[0].Type())), t)
}

// extreme is min or max.
func extreme(a []reflect.Value, t reflect.Type, most bool) reflect.Value {
	best := a[0]
	for _, v := range a[1:] {
		switch {
		case v.CanFloat():
			x := min(best.Float(), v.Float())
			if most {
				x = max(best.Float(), v.Float())
			}
			best = reflect.New(t).Elem()
			best.SetFloat(x)
		case less(v, best) != most && (less(v, best) || less(best, v)):
			best = v
		}
	}
	return as(best, t)
}

func less(x, y reflect.Value) bool {
	switch {
	case x.CanInt():
		return x.Int() < y.Int()
	case x.CanUint():
		return x.Uint() < y.Uint()
	}
	return x.String() < y.String()
}

// printAll is print or println.
func printAll(f *Frame, a []reflect.Value, between, end string) reflect.Value {
	var b strings.Builder
	for i, v := range a {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(printed(v))
	}
	b.WriteString(end)
	out := io.Writer(os.Stderr)
	if f.g != nil {
		out = f.g.e.writer(os.Stderr)
	}
	_, _ = io.WriteString(out, b.String()) // as the program would not learn of it either
	return reflect.Value{}
}

// printed is a value as the runtime prints it.
func printed(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, int(v.Type().Size())*8)
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, int(v.Type().Size())*8)
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Slice:
		s := (*gorelease.SliceHeader)(memory(v))
		return fmt.Sprintf("[%d/%d]%#x", s.Len, s.Cap, uintptr(s.Array))
	case v.Kind() == reflect.Interface:
		w := (*[2]uintptr)(memory(v))
		return fmt.Sprintf("(%#x,%#x)", w[0], w[1])
	}
	return fmt.Sprintf("%#x", *(*uintptr)(memory(v)))
}

// failWrapped is a method with a value receiver called through a nil pointer.
func failWrapped(typ, method string) {
	short := typ[strings.LastIndexByte(typ, '.')+1:]
	panic(gorelease.PlainError("value method " + typ + "." + method + " called using nil *" + short + " pointer"))
}
