package cuda

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

func devicePtr(n uint64) driver.DevicePtr { return driver.DevicePtr(n) }

// argError names the parameter that an argument does not fit.
func (k *Kernel) argError(op string, i int, want, got string) *Error {
	return &Error{Op: op, What: fmt.Sprintf("kernel %s, parameter %d (%s)", k.name, i, k.params[i]), Want: want, Got: got}
}

// pack checks arguments against the kernel's parameters and lays them out in a block. The buffers
// among them are listed in order.
func (k *Kernel) pack(op string, args []any) (block []byte, buffers []*Buffer, err error) {
	if len(args) != len(k.params) {
		return nil, nil, &Error{Op: op, What: k.String(), Want: plural(len(k.params), "argument"), Got: fmt.Sprint(len(args))}
	}
	block = make([]byte, k.bytes)
	for i, arg := range args {
		b, err := k.put(op, block, i, arg)
		if err != nil {
			return nil, nil, err
		}
		if b != nil {
			buffers = append(buffers, b)
		}
	}
	return block, buffers, nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// put writes one argument into the block; a buffer is handed back.
func (k *Kernel) put(op string, block []byte, i int, arg any) (*Buffer, error) {
	p := k.params[i]
	place := block[p.Offset : p.Offset+p.Size]
	if b, ok := arg.(*Buffer); ok {
		return b, k.putBuffer(op, place, i, b)
	}
	if m, ok := arg.(*TensorMap); ok {
		return k.putTensorMap(op, place, i, m)
	}
	v := reflect.ValueOf(arg)
	if !v.IsValid() {
		return nil, k.argError(op, i, wants(p), "nil")
	}
	if p.Array {
		return nil, k.putBytes(op, place, i, v)
	}
	switch kind := v.Kind(); {
	case kind == reflect.Bool:
		return nil, k.putBool(op, place, i, v.Bool())
	case v.CanInt():
		return nil, k.putInteger(op, place, i, v, uint64(v.Int()), v.Int() < 0)
	case v.CanUint():
		return nil, k.putInteger(op, place, i, v, v.Uint(), false)
	case v.CanFloat():
		return nil, k.putFloat(op, place, i, v)
	}
	return nil, k.putBytes(op, place, i, v)
}

// wants says in words what a parameter takes.
func wants(p Param) string {
	s, vector, known := scalarOf(p.CXX)
	switch {
	case known && s.kind == half && !vector:
		return "its bits, as a uint16"
	case known && s.kind == boolean:
		return "a bool"
	case p.Array || p.Size > 8:
		return fmt.Sprintf("a struct, array or []byte of %d bytes", p.Size)
	case p.Type == ptx.F32:
		return "float32"
	case p.Type == ptx.F64:
		return "float64"
	case p.Size == 8:
		return "a *cuda.Buffer or a 64-bit integer"
	}
	return fmt.Sprintf("a %d-bit value", 8*p.Size)
}

func (k *Kernel) putBuffer(op string, place []byte, i int, b *Buffer) error {
	if b == nil {
		return k.argError(op, i, wants(k.params[i]), "a nil *cuda.Buffer")
	}
	if len(place) != 8 || floating(k.params[i].Type) || k.params[i].Array {
		return k.argError(op, i, wants(k.params[i]), "a buffer, "+b.short())
	}
	if err := b.live(op, k.mod.dev); err != nil {
		return err
	}
	if want, ok := k.params[i].pointsTo(b.elem); !ok {
		return k.argError(op, i, want, b.short())
	}
	binary.LittleEndian.PutUint64(place, uint64(b.a.ptr))
	return nil
}

func floating(t ptx.Type) bool { return t == ptx.F16 || t == ptx.BF16 || t == ptx.F32 || t == ptx.F64 }

// putInteger takes any integer type whose value fits: a Go int for a 32-bit parameter is usual in
// cells.
func (k *Kernel) putInteger(op string, place []byte, i int, v reflect.Value, u uint64, negative bool) error {
	p := k.params[i]
	if p.Type == ptx.F32 || p.Type == ptx.F64 {
		return k.argError(op, i, wants(p), fmt.Sprintf("%s %v", v.Type(), v))
	}
	width := 8 * len(place)
	fits := bits.Len64(u) <= width
	if negative {
		fits = int64(u) >= math.MinInt64>>(64-width)
	}
	if !fits {
		return k.argError(op, i, fmt.Sprintf("an integer that fits in %d bits", width), fmt.Sprintf("%s %v", v.Type(), v))
	}
	if err := k.checkInteger(op, i, v, u, negative); p.CXX != "" && err != nil {
		return err
	}
	for j := range place {
		place[j] = byte(u >> (8 * j))
	}
	return nil
}

// putFloat is exact: a float64 for an .f32 parameter would lose bits without a word.
func (k *Kernel) putFloat(op string, place []byte, i int, v reflect.Value) error {
	p := k.params[i]
	size := int(v.Type().Size())
	untyped := p.Type == ptx.NoType || p.Type == ptx.B32 || p.Type == ptx.B64
	if size != len(place) || !untyped && !floating(p.Type) {
		return k.argError(op, i, wants(p), fmt.Sprintf("%s %v", v.Type(), v))
	}
	if size == 4 {
		binary.LittleEndian.PutUint32(place, math.Float32bits(float32(v.Float())))
	} else {
		binary.LittleEndian.PutUint64(place, math.Float64bits(v.Float()))
	}
	return nil
}

func (k *Kernel) putBool(op string, place []byte, i int, v bool) error {
	if s, _, known := scalarOf(k.params[i].CXX); len(place) != 1 || known && s.kind != boolean {
		return k.argError(op, i, wants(k.params[i]), fmt.Sprint("bool ", v))
	}
	place[0] = 0 // where an argument is replaced, another may be there
	if v {
		place[0] = 1
	}
	return nil
}

// putBytes passes a struct or an array as the bytes it is: Go lays structs of numbers out as C
// does.
func (k *Kernel) putBytes(op string, place []byte, i int, v reflect.Value) error {
	p := k.params[i]
	t := v.Type()
	switch raw, ok := v.Interface().([]byte); {
	case ok && len(raw) == len(place):
		copy(place, raw)
		return nil
	case ok && p.Array:
		return k.argError(op, i, wants(p), plural(len(raw), "byte")+" in a []uint8")
	}
	if err := k.heldError(op, i, t); err != nil {
		return err
	}
	if err := k.checkBytes(op, i, t); p.CXX != "" && err != nil {
		return err
	}
	if int(t.Size()) != len(place) || !p.Array && p.Type != ptx.NoType {
		return k.argError(op, i, wants(p), fmt.Sprintf("%s (%d bytes)", t, t.Size()))
	}
	c := reflect.New(t)
	c.Elem().Set(v)
	copy(place, bytesOf(c.UnsafePointer(), uint64(t.Size())))
	return nil
}
