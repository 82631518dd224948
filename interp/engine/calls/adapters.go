package calls

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Adapters are closures of compiled code through which compiled code calls func values of cell
// code, one for each shape of signature: what registers the parameters and results take. A func
// value with an adapter is called in nanoseconds, through reflect.MakeFunc in a microsecond.

func adapt0[_ any](o *machine.FuncObject) func() {
	return func() {
		var b machine.Callback
		defer b.Exit()
		b.Run(b.Enter(o))
	}
}

func adapt1[A any](o *machine.FuncObject) func(A) {
	return func(x A) {
		var b machine.Callback
		defer b.Exit()
		fp := b.Enter(o)
		*ref[A](fp, b.Code.Signature.Params[0].At) = x
		b.Code.Run(fp)
		b.Done = true
	}
}

func adapt2[A, B any](o *machine.FuncObject) func(A, B) {
	return func(x A, y B) {
		var b machine.Callback
		defer b.Exit()
		fp := b.Enter(o)
		*ref[A](fp, b.Code.Signature.Params[0].At) = x
		*ref[B](fp, b.Code.Signature.Params[1].At) = y
		b.Code.Run(fp)
		b.Done = true
	}
}

func adapt0r[R any](o *machine.FuncObject) func() R {
	return func() R {
		var b machine.Callback
		defer b.Exit()
		fp := b.Enter(o)
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	}
}

func adapt1r[A, R any](o *machine.FuncObject) func(A) R {
	return func(x A) R {
		var b machine.Callback
		defer b.Exit()
		fp := b.Enter(o)
		*ref[A](fp, b.Code.Signature.Params[0].At) = x
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	}
}

func adapt2r[A, B, R any](o *machine.FuncObject) func(A, B) R {
	return func(x A, y B) R {
		var b machine.Callback
		defer b.Exit()
		fp := b.Enter(o)
		*ref[A](fp, b.Code.Signature.Params[0].At) = x
		*ref[B](fp, b.Code.Signature.Params[1].At) = y
		b.Code.Run(fp)
		r := *ref[R](fp, b.Code.Signature.Results[0].At)
		b.Done = true
		return r
	}
}

// adapterTable maps the shape of a signature to a maker of adapters: a func(*funcObject) F, whose
// closures all share one code address.
var adapterTable map[string]any

func init() { // adapters reach the table through the code that they run
	adapterTable = map[string]any{
		"":  adapt0[int],
		"I": adapt1[uint64], "P": adapt1[pointer], "S": adapt1[string], "E": adapt1[pair], "L": adapt1[[]byte],
		"IP": adapt2[uint64, pointer], "PP": adapt2[pointer, pointer], "EP": adapt2[pair, pointer],
		"II": adapt2[uint64, uint64],
		"SE": adapt2[string, pair], "ES": adapt2[pair, string], "SS": adapt2[string, string], "EE": adapt2[pair, pair],
		"IS": adapt2[uint64, string],
		":I": adapt0r[uint64], ":P": adapt0r[pointer], ":S": adapt0r[string], ":E": adapt0r[pair], ":B": adapt0r[uint8],
		":F":  adapt0r[float64],
		":L":  adapt0r[[]byte],
		"I:I": adapt1r[uint64, uint64], "I:B": adapt1r[uint64, uint8], "I:S": adapt1r[uint64, string],
		"I:F": adapt1r[uint64, float64],
		"S:S": adapt1r[string, string], "S:B": adapt1r[string, uint8], "S:I": adapt1r[string, uint64],
		"S:E": adapt1r[string, pair],
		"P:B": adapt1r[pointer, uint8], "P:E": adapt1r[pointer, pair], "P:S": adapt1r[pointer, string],
		"P:I": adapt1r[pointer, uint64],
		"P:P": adapt1r[pointer, pointer], "E:B": adapt1r[pair, uint8], "E:E": adapt1r[pair, pair],
		"E:S": adapt1r[pair, string],
		"F:F": adapt1r[float64, float64], "W:B": adapt1r[uint32, uint8], "W:W": adapt1r[uint32, uint32],
		"L:E": adapt1r[[]byte, pair],
		"L:L": adapt1r[[]byte, []byte], "L:B": adapt1r[[]byte, uint8], "F:B": adapt1r[float64, uint8],
		"II:B": adapt2r[uint64, uint64, uint8], "II:I": adapt2r[uint64, uint64, uint64],
		"SS:B": adapt2r[string, string, uint8],
		"SS:I": adapt2r[string, string, uint64], "SS:S": adapt2r[string, string, string],
		"PP:B": adapt2r[pointer, pointer, uint8],
		"PP:I": adapt2r[pointer, pointer, uint64], "EE:B": adapt2r[pair, pair, uint8], "EE:I": adapt2r[pair, pair, uint64],
		"FF:F": adapt2r[float64, float64, float64], "FF:B": adapt2r[float64, float64, uint8],
		"FF:I": adapt2r[float64, float64, uint64],
		"PI:B": adapt2r[pointer, uint64, uint8], "EP:E": adapt2r[pair, pointer, pair],
		"LL:I": adapt2r[[]byte, []byte, uint64],
		"IS:B": adapt2r[uint64, string, uint8], "SI:B": adapt2r[string, uint64, uint8], "SE:E": adapt2r[string, pair, pair],
	}
}

// Adapter finds the adapter for a func type.
func Adapter(t reflect.Type) (*machine.FuncForm, bool) {
	key, ok := machine.SignatureShape(t)
	if !ok || !gorelease.Registers.Holds() {
		return nil, false
	}
	maker, ok := adapterTable[key]
	if !ok {
		return nil, false
	}
	return adapterWords(reflect.ValueOf(maker))
}

// adapterWords learns what an adapter's closures look like by making one for an object of known
// address.
func adapterWords(maker reflect.Value) (*machine.FuncForm, bool) {
	o := &machine.FuncObject{}
	fv := maker.Call([]reflect.Value{reflect.ValueOf(o)})[0]
	box := reflect.New(fv.Type())
	box.Elem().Set(fv)
	words := *(**[3]pointer)(box.UnsafePointer())
	f := &machine.FuncForm{Adapted: true}
	f.Call[0] = words[0]
	if words[1] != pointer(o) {
		return nil, false // the closure has another form than this package knows
	}
	// A closure of a generic function also holds that one's dictionary, which is static data.
	f.Self, f.Call[2] = 1, words[2]
	return f, true
}
