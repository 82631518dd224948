package calls

import (
	"go/types"
	"reflect"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// MethodSource gives the table the methods of cell types.
type MethodSource struct{ Machine *machine.Machine }

// Method is the slow way in, for all signatures.
func (m MethodSource) Method(x *rtype.Method) (code func([]reflect.Value) []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = m.Machine.Refusal(r)
		}
	}()
	return m.Machine.MethodFunc(x), nil
}

// A wordMethod is a method of a cell's type as compiled code calls it through an interface: with
// the interface's data word.
type wordMethod struct {
	machine *machine.Machine
	method  *rtype.Method
	find    sync.Once
	target  *machine.Function
	recv    *typ
	direct  bool
	// pointed is the value's method, where this is a pointer's that only calls it; value is what it
	// takes.
	pointed *machine.Function
	value   *typ
}

// WordMethod makes methods with the usual signatures funcs that are called in nanoseconds; others
// go through package reflect. Who calls one has found it in a descriptor's table, an order of which
// the race detector does not know.
//
//go:norace
func (m MethodSource) WordMethod(x *rtype.Method) pointer {
	m.Machine.MethodMade(x)
	key, ok := machine.SignatureShape(x.Type)
	if !ok || methodTable[key] == nil || !gorelease.Registers.Holds() {
		return nil
	}
	return methodTable[key](&wordMethod{machine: m.Machine, method: x})
}

// enter makes the frame that the call runs on, the receiver in place. exit must be deferred before.
func (m *wordMethod) enter(b *machine.Callback, recv pointer) pointer {
	m.find.Do(m.bind)
	if m.target == nil {
		panic(machine.Internal("method %s was not found before", m.method.Selection))
	}
	if m.pointed != nil && recv != nil {
		fp := b.Begin(m.pointed)
		m.value.Move(at(fp, b.Code.Signature.Params[0].At), recv)
		return fp
	}
	fp := b.Begin(m.target)
	to := at(fp, b.Code.Signature.Params[0].At)
	if m.direct {
		*(*pointer)(to) = recv
	} else {
		m.recv.Move(to, recv)
	}
	return fp
}

// bind finds what the method is. Who calls it has found it in a descriptor's table, as WordMethod
// says.
//
//go:norace
func (m *wordMethod) bind() {
	m.recv, m.direct = machine.NewType(m.method.Recv), rtype.Direct(rtype.WordOf(m.method.Recv))
	m.target = m.machine.Method(m.method.RecvType, m.method.Selection)
	if p, ok := m.method.RecvType.(*types.Pointer); ok && machine.DeclaredOnValue(p.Elem(), m.method.Selection) {
		m.value = machine.NewType(m.method.Recv.Elem())
		m.pointed = m.machine.Method(p.Elem(), machine.MethodNamed(p.Elem(), m.method.Selection.Obj().(*types.Func)))
	}
}

// word is a func value's word.
func word[F any](f F) pointer { return *(*pointer)(pointer(&f)) }

func method0(m *wordMethod) pointer {
	return word(func(recv pointer) {
		var b machine.Callback
		defer b.Exit()
		b.Run(m.enter(&b, recv))
	})
}

func method1[A any](m *wordMethod) pointer {
	return word(func(recv pointer, x A) {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		*ref[A](fp, b.Code.Signature.Params[1].At) = x
		b.Run(fp)
	})
}

func method2[A, B any](m *wordMethod) pointer {
	return word(func(recv pointer, x A, y B) {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		*ref[A](fp, b.Code.Signature.Params[1].At) = x
		*ref[B](fp, b.Code.Signature.Params[2].At) = y
		b.Run(fp)
	})
}

func method0r[R any](m *wordMethod) pointer {
	return word(func(recv pointer) R {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	})
}

func method1r[A, R any](m *wordMethod) pointer {
	return word(func(recv pointer, x A) R {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		*ref[A](fp, b.Code.Signature.Params[1].At) = x
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	})
}

func method2r[A, B, R any](m *wordMethod) pointer {
	return word(func(recv pointer, x A, y B) R {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		*ref[A](fp, b.Code.Signature.Params[1].At) = x
		*ref[B](fp, b.Code.Signature.Params[2].At) = y
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	})
}

func method0rr[R, S any](m *wordMethod) pointer {
	return word(func(recv pointer) (R, S) {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		b.Code.Run(fp)
		r, s := *ref[R](fp, b.Code.Signature.Results[0].At), *ref[S](fp, b.Code.Signature.Results[1].At)
		b.Done = true
		return r, s
	})
}

func method1rr[A, R, S any](m *wordMethod) pointer {
	return word(func(recv pointer, x A) (R, S) {
		var b machine.Callback
		defer b.Exit()
		fp := m.enter(&b, recv)
		*ref[A](fp, b.Code.Signature.Params[1].At) = x
		b.Code.Run(fp)
		r, s := *ref[R](fp, b.Code.Signature.Results[0].At), *ref[S](fp, b.Code.Signature.Results[1].At)
		b.Done = true
		return r, s
	})
}

// methodTable maps the shape of a method's signature, without receiver, to what makes the func.
var methodTable map[string]func(*wordMethod) pointer

func init() { // methods reach the table through the code that they run
	methodTable = map[string]func(*wordMethod) pointer{
		"": method0,
		// sort and container/heap; fmt and errors; io; encoding; net/http; iteration over numbers
		":I": method0r[uint64], "II:B": method2r[uint64, uint64, uint8], "II": method2[uint64, uint64], "E": method1[pair],
		":E": method0r[pair],
		":S": method0r[string], "E:B": method1r[pair, uint8], "EW": method2[pair, uint32], "I:S": method1r[uint64, string],
		"L:IE": method1rr[[]byte, uint64, pair], "S:IE": method1rr[string, uint64, pair], "L:E": method1r[[]byte, pair],
		"S:E": method1r[string, pair],
		":LE": method0rr[[]byte, pair], ":BE": method0rr[uint8, pair], ":WE": method0rr[uint32, pair],
		"EP": method2[pair, pointer], "P:PE": method1rr[pointer, pointer, pair],
		"I": method1[uint64], "S": method1[string], "P": method1[pointer], "L": method1[[]byte], "F": method1[float64],
		"B":  method1[uint8],
		":F": method0r[float64], ":B": method0r[uint8], ":P": method0r[pointer], ":L": method0r[[]byte],
		":W":  method0r[uint32],
		"I:I": method1r[uint64, uint64], "I:B": method1r[uint64, uint8], "I:E": method1r[uint64, pair],
		"I:F": method1r[uint64, float64],
		"S:S": method1r[string, string], "S:I": method1r[string, uint64], "S:B": method1r[string, uint8],
		"F:F": method1r[float64, float64],
		"E:E": method1r[pair, pair], "P:B": method1r[pointer, uint8], "P:E": method1r[pointer, pair],
		"SE": method2[string, pair], "SS": method2[string, string],
		"II:I": method2r[uint64, uint64, uint64], "FF:F": method2r[float64, float64, float64],
		"EE:B": method2r[pair, pair, uint8],
	}
}
