package calls

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

type odd struct {
	A int8
	B float32
	C [1]string
}

var abiTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[*int](),
	reflect.TypeFor[string](), reflect.TypeFor[[]string](), reflect.TypeFor[any](), reflect.TypeFor[error](),
	reflect.TypeFor[map[int]string](),
	reflect.TypeFor[[2]int16](), reflect.TypeFor[[3]uint8](), reflect.TypeFor[[1]*string](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[[0]int](),
	reflect.TypeFor[struct{ X, Y, Z uint32 }](), reflect.TypeFor[odd](), reflect.TypeFor[struct {
		P *int
		_ int32
		E error
	}](),
}

// random fills v, with pointers to fresh memory.
func random(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 1)
	case reflect.Float32:
		v.SetFloat(float64(float32(r.NormFloat64())))
	case reflect.Float64:
		v.SetFloat(r.NormFloat64())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(r.IntN(1000)), float64(r.IntN(1000))))
	case reflect.String:
		v.SetString(fmt.Sprint("text ", r.Uint64()))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		random(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(3), 4))
		random(r, v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[int]string{r.IntN(9): fmt.Sprint(r.Uint32())}))
	case reflect.Interface:
		if r.IntN(4) > 0 {
			v.Set(reflect.ValueOf(fmt.Errorf("error %d", r.Uint64())))
		}
	case reflect.Array:
		for i := range v.Len() {
			random(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				random(r, v.Field(i))
			}
		}
	default:
		if v.CanInt() {
			v.SetInt(int64(r.Uint64()) >> (64 - 8*v.Type().Size()))
		} else {
			v.SetUint(r.Uint64() >> (64 - 8*v.Type().Size()))
		}
	}
}

func randomTypes(r *rand.Rand, most int) []reflect.Type {
	ts := make([]reflect.Type, r.IntN(most+1))
	for i := range ts {
		ts[i] = abiTypes[r.IntN(len(abiTypes))]
	}
	return ts
}

// A testFrame is memory that the collector sees, with a slot for each value.
type testFrame struct {
	v     reflect.Value
	slots []machine.Slot
}

func newTestFrame(ts []reflect.Type) testFrame {
	fields := make([]reflect.StructField, len(ts))
	for i, t := range ts {
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: t}
	}
	f := testFrame{v: reflect.New(reflect.StructOf(fields)).Elem()}
	for i, t := range ts {
		f.slots = append(f.slots, machine.Slot{At: f.v.Type().Field(i).Offset, Type: machine.NewType(t)})
	}
	return f
}

func (f testFrame) at() unsafe.Pointer { return f.v.Addr().UnsafePointer() }

//go:noinline
func deep(n int) int {
	var pad [64]int
	if n == 0 {
		runtime.GC()
		return pad[1]
	}
	return deep(n-1) + pad[n%64]
}

// TestRegisterCalls calls funcs of random signatures, which package reflect makes after the same
// specification, with the collector and a stack that grows in between, and compares what they got
// and what came back.
func TestRegisterCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	made, onStack := 0, 0
	for n := range 3000 {
		in, out := randomTypes(r, 6), randomTypes(r, 3)
		frame := newTestFrame(append(append([]reflect.Type{}, in...), out...))
		ft := reflect.FuncOf(in, out, false)
		args, results := frame.slots[:len(in)], frame.slots[len(in):]
		plan := planCall(ft, args, results, false)
		if plan == nil {
			continue
		}
		made++
		if len(plan.stack) > 0 {
			onStack++
		}
		for i := range frame.v.NumField() {
			random(r, frame.v.Field(i))
		}
		want := make([]any, len(in))
		for i := range in {
			want[i] = frame.v.Field(i).Interface()
		}
		gives := make([]reflect.Value, len(out))
		for i, t := range out {
			gives[i] = reflect.New(t).Elem()
			random(r, gives[i])
		}
		f := reflect.MakeFunc(ft, func(got []reflect.Value) []reflect.Value {
			if n%50 == 0 {
				deep(1000)
			}
			for i, g := range got {
				if !reflect.DeepEqual(g.Interface(), want[i]) {
					t.Errorf("%s: argument %d is %v, want %v", ft, i, g, want[i])
				}
			}
			return gives
		})
		registerOp(ft, args, results)(frame.at(), rtype.FuncWord(f))
		for i := range out {
			if got := frame.v.Field(len(in) + i).Interface(); !reflect.DeepEqual(got, gives[i].Interface()) {
				t.Errorf("%s: result %d is %v, want %v", ft, i, got, gives[i])
			}
		}
	}
	t.Logf("%d signatures of 3000, %d with arguments on the stack", made, onStack)
	if made < 1000 || runtime.GOARCH == "amd64" && onStack < 100 {
		t.Errorf("only %d signatures had a plan, %d with arguments on the stack", made, onStack)
	}
}

// TestRegisterCallsCompiled does the same with funcs that the compiler made.
func TestRegisterCallsCompiled(t *testing.T) {
	type point struct{ X, Y, Z uint32 }
	for _, f := range []any{
		func(a point, b point, c *int, d []any, e ...string) (string, error) {
			return fmt.Sprint(a, b, *c, d, e), fmt.Errorf("%v", d)
		},
		func(a int8, b float32, c float64, d uint16, e [5]int32) (uint16, int8, bool) {
			return d + uint16(e[4]), a, b < float32(c)
		},
		func(o odd, c complex64) (string, float32) { return fmt.Sprint(o.A, o.C), o.B * real(c) },
		func(a, b, c, d, e, f, g, h string) string { return h + g + f + e + d + c + b + a },
		func(a, b string, c, d []int, e error) (_, _ string) { return b, a },
		func(x [1][]byte, y func() int) (int, func() int) { return len(x[0]) + y(), y },
	} {
		v := reflect.ValueOf(f)
		ft := v.Type()
		var ts []reflect.Type
		for i := range ft.NumIn() {
			ts = append(ts, ft.In(i))
		}
		for i := range ft.NumOut() {
			ts = append(ts, ft.Out(i))
		}
		frame := newTestFrame(ts)
		r := rand.New(rand.NewPCG(3, 4))
		var in []reflect.Value
		for i := range ft.NumIn() {
			if frame.v.Field(i).Kind() == reflect.Func {
				frame.v.Field(i).Set(reflect.ValueOf(func() int { return 7 }))
			} else {
				random(r, frame.v.Field(i))
			}
			in = append(in, frame.v.Field(i))
		}
		want := v.Call
		if ft.IsVariadic() {
			want = v.CallSlice
		}
		expected := want(in)
		op := registerOp(ft, frame.slots[:ft.NumIn()], frame.slots[ft.NumIn():])
		if op == nil {
			t.Logf("%s has no plan", ft)
			if runtime.GOARCH == "amd64" && ft.NumIn() != 8 {
				t.Errorf("%s: no plan", ft)
			}
			continue
		}
		op(frame.at(), rtype.FuncWord(v))
		for i, w := range expected {
			got := frame.v.Field(ft.NumIn() + i)
			if w.Kind() == reflect.Func {
				if got.Pointer() != w.Pointer() {
					t.Errorf("%s: another func", ft)
				}
			} else if !reflect.DeepEqual(got.Interface(), w.Interface()) {
				t.Errorf("%s: result %d is %v, want %v", ft, i, got, w)
			}
		}
	}
}

func BenchmarkRegisterCall(b *testing.B) {
	f := func(g *int, node string, param, value any) error { return nil }
	v := reflect.ValueOf(f)
	frame := newTestFrame([]reflect.Type{v.Type().In(0), v.Type().In(1), v.Type().In(2), v.Type().In(3), v.Type().Out(0)})
	for name, op := range map[string]Call{"registers": registerOp(v.Type(), frame.slots[:4], frame.slots[4:]),
		"reflect": reflectCall(v.Type(), frame.slots[:4], frame.slots[4:])} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op(frame.at(), rtype.FuncWord(v))
			}
		})
	}
}
