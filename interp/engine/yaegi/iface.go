package yaegi

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func registerInterfaces() {
	printerOf(func(p *printer, in *ssa.MakeInterface) {
		from, to := p.u.typeOf(in.X.Type()), p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			return inInterface(as(a[0], from), to)
		})
	})
	printerOf(func(p *printer, in *ssa.ChangeInterface) {
		to := p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			if a[0].IsNil() {
				return reflect.New(to).Elem()
			}
			return inInterface(a[0].Elem(), to)
		})
	})
	printerOf(func(p *printer, in *ssa.ChangeType) {
		to := p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value { return as(a[0], to) })
	})
	printerOf(printAssertion)
}

// inInterface is v in an interface of type t.
func inInterface(v reflect.Value, t reflect.Type) reflect.Value {
	i := reflect.New(t).Elem()
	i.Set(v)
	return i
}

// printAssertion prints x.(T).
func printAssertion(p *printer, in *ssa.TypeAssert) {
	from, to := p.u.typeOf(in.X.Type()), p.u.typeOf(in.AssertedType)
	check := link.NilCheck(in)
	p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
		var dynamic reflect.Type
		if !a[0].IsNil() {
			dynamic = a[0].Elem().Type()
		} else if check {
			nilFault()
		}
		if dynamic != nil && (dynamic == to || to.Kind() == reflect.Interface && implements(dynamic, to)) {
			v := a[0].Elem()
			if to.Kind() == reflect.Interface {
				v = inInterface(v, to)
			}
			if in.CommaOk {
				return tupleOf(fresh(v), boolean(true))
			}
			return fresh(v)
		}
		if in.CommaOk {
			return tupleOf(reflect.New(to).Elem(), boolean(false))
		}
		fail(from, dynamic, to)
		return reflect.Value{}
	})
}

func fail(from, dynamic, to reflect.Type) {
	if to.Kind() != reflect.Interface {
		failAssertion(from, dynamic, to, "")
	}
	if dynamic == nil {
		failAssertion(nil, nil, to, "")
	}
	failAssertion(nil, dynamic, to, rtype.MissingMethod(rtype.WordOf(to), rtype.WordOf(dynamic)))
}

func implements(t, iface reflect.Type) bool {
	if iface.NumMethod() == 0 {
		return true
	}
	return rtype.Itab(rtype.WordOf(iface), rtype.WordOf(t)) != nil
}

// binaryOperation is an operator on values that are not of yaegi's basic types.
func (u *unit) binaryOperation(in *ssa.BinOp) func(*Frame, []reflect.Value) reflect.Value {
	t := u.typeOf(in.X.Type())
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsComplex != 0 {
		return complexOperation(in.Op, t)
	}
	equal := in.Op == token.EQL
	word := rtype.WordOf(t)
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Func { // beside nil
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			return boolean((*(*unsafe.Pointer)(memory(a[0])) == *(*unsafe.Pointer)(memory(a[1]))) == equal)
		}
	}
	if t.Kind() == reflect.Interface {
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			return boolean((a[0].Interface() == a[1].Interface()) == equal)
		}
	}
	return func(_ *Frame, a []reflect.Value) reflect.Value {
		return boolean(rtype.EqualFunc(word)(memory(a[0]), memory(a[1])) == equal)
	}
}

func complexOperation(op token.Token, t reflect.Type) func(*Frame, []reflect.Value) reflect.Value {
	if t.Kind() == reflect.Complex64 {
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			return complexResult(op, complex64(a[0].Complex()), complex64(a[1].Complex()), t)
		}
	}
	return func(_ *Frame, a []reflect.Value) reflect.Value {
		return complexResult(op, a[0].Complex(), a[1].Complex(), t)
	}
}

func complexResult[C complex64 | complex128](op token.Token, x, y C, t reflect.Type) reflect.Value {
	var z C
	switch op {
	case token.EQL:
		return boolean(x == y)
	case token.NEQ:
		return boolean(x != y)
	case token.ADD:
		z = x + y
	case token.SUB:
		z = x - y
	case token.MUL:
		z = x * y
	case token.QUO:
		z = x / y
	}
	return as(reflect.ValueOf(z), t)
}

// negate is - of a complex number.
func (u *unit) negate(in *ssa.UnOp) func(*Frame, []reflect.Value) reflect.Value {
	t := u.typeOf(in.Type())
	return func(_ *Frame, a []reflect.Value) reflect.Value {
		if t.Kind() == reflect.Complex64 {
			return as(reflect.ValueOf(-complex64(a[0].Complex())), t)
		}
		return as(reflect.ValueOf(-a[0].Complex()), t)
	}
}
