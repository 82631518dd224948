package cuda

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A TensorMap describes a tensor in a buffer, and the box of it that one instruction of a kernel
// copies (cp.async.bulk.tensor, from sm_90 on). It is an argument for a parameter of 128 bytes:
// `const __grid_constant__ CUtensorMap` in CUDA C++. It needs no closing; its buffer must live as
// long as it is used.
type TensorMap struct {
	buffer *Buffer
	spec   TensorSpec
	bytes  driver.TensorMap
}

// TensorSpec is what a tensor map describes. Dimension 0 is the one whose elements are adjacent: of
// a row-major matrix, the columns.
type TensorSpec struct {
	// As is the type of the elements; zero for what the buffer's are. Buffers of uint16 hold
	// driver.TensorFloat16 or driver.TensorBfloat16.
	As TensorMapType
	// Dims are the elements in each of one to five dimensions.
	Dims []int
	// Strides are the bytes from an element to the next in dimensions 1 and up, multiples of 16;
	// nil for a tensor without gaps.
	Strides []int
	// Box is how many elements a copy spans in each dimension, at most 256; ElementStrides which of
	// them it takes, nil for every one. Of dimension 0 it takes every one.
	Box, ElementStrides []int
	// Interleave, Swizzle, Promotion and Fill are cuTensorMapEncodeTiled's; zero is none, and zeros outside of
	// the tensor.
	Interleave TensorMapInterleave
	Swizzle    TensorMapSwizzle
	Promotion  TensorMapPromotion
	Fill       TensorMapFill
}

var tensorTypeOf = map[reflect.Kind]driver.TensorMapType{
	reflect.Uint8: driver.TensorUint8, reflect.Int8: driver.TensorUint8, reflect.Uint16: driver.TensorUint16,
	reflect.Int16: driver.TensorUint16, reflect.Uint32: driver.TensorUint32, reflect.Int32: driver.TensorInt32,
	reflect.Uint64: driver.TensorUint64, reflect.Int64: driver.TensorInt64, reflect.Float32: driver.TensorFloat32,
	reflect.Float64: driver.TensorFloat64,
}

// TensorMap describes a tensor that begins with the buffer's first element.
func (b *Buffer) TensorMap(spec TensorSpec) (*TensorMap, error) {
	const op = "Buffer.TensorMap"
	if b.none() {
		return nil, missing(op, "a buffer", "Device.Upload, Device.Make")
	}
	if err := b.live(op, b.a.dev); err != nil {
		return nil, err
	}
	typ, known := tensorTypeOf[b.elem.Kind()]
	if spec.As != 0 {
		typ, known = spec.As, true
	}
	if !known {
		return nil, &Error{Op: op, What: "a tensor map of " + b.short(), Want: "elements of a number's type",
			Got: b.elem.String(), Fix: "say what they are: TensorSpec.As"}
	}
	config, err := spec.config(op, typ, b)
	if err != nil {
		return nil, err
	}
	m := &TensorMap{buffer: b, spec: spec}
	m.bytes, err = b.a.dev.ctx.EncodeTensorMap(config)
	return m, wrap(op, "a tensor map of "+b.short(), err)
}

// config checks a specification and writes it as the driver takes it.
func (s TensorSpec) config(op string, typ driver.TensorMapType, b *Buffer) (*driver.TensorMapConfig, error) {
	c := &driver.TensorMapConfig{Type: typ, Address: b.a.ptr, Interleave: s.Interleave, Swizzle: s.Swizzle,
		Promotion: s.Promotion, Fill: s.Fill}
	what := "a tensor map of " + b.short()
	for _, list := range []struct {
		name   string
		values []int
	}{{"Dims", s.Dims}, {"Strides", s.Strides}, {"Box", s.Box}, {"ElementStrides", s.ElementStrides}} {
		for i, v := range list.values {
			if v < 0 || v > 1<<40 {
				return nil, &Error{Op: op, What: fmt.Sprintf("%s, %s[%d]", what, list.name, i), Want: "0 to 2^40",
					Got: fmt.Sprint(v)}
			}
		}
	}
	stride := uint64(typ.Size())
	for i, d := range s.Dims {
		c.Dims = append(c.Dims, uint64(d))
		if i > 0 && s.Strides == nil {
			c.Strides = append(c.Strides, stride)
		}
		if n := uint64(d); n > 0 && stride > 1<<40/n {
			stride = 1 << 40 // which is refused
		} else {
			stride *= n
		}
		if s.ElementStrides == nil {
			c.ElementStrides = append(c.ElementStrides, 1)
		}
	}
	for _, v := range s.Strides {
		c.Strides = append(c.Strides, uint64(v))
	}
	for _, v := range s.Box {
		c.Box = append(c.Box, uint32(min(v, 1<<32-1)))
	}
	for _, v := range s.ElementStrides {
		c.ElementStrides = append(c.ElementStrides, uint32(min(v, 1<<32-1)))
	}
	var refused *driver.TensorMapError
	if err := c.Check(); errors.As(err, &refused) {
		return nil, &Error{Op: op, What: what + ", " + refused.Field, Want: refused.Want, Got: refused.Got, Fix: refused.Fix}
	}
	return c, s.inside(op, what, c, b)
}

// inside refuses a tensor that reaches past its buffer, which no driver looks at.
func (s TensorSpec) inside(op, what string, c *driver.TensorMapConfig, b *Buffer) error {
	last := c.Dims[0] * uint64(c.Type.Size())
	for i, stride := range c.Strides {
		high, low := bits.Mul64(c.Dims[i+1]-1, stride)
		if high > 0 || low > 1<<62 {
			low = 1 << 62
		}
		last = min(last+low, 1<<62)
	}
	if last <= b.a.bytes {
		return nil
	}
	return &Error{Op: op, What: what, Want: fmt.Sprintf("at most the buffer's %d bytes", b.a.bytes),
		Got: fmt.Sprintf("a tensor of %d", last), Fix: "compare Dims and Strides with the buffer"}
}

// Buffer gives the buffer that the tensor lies in, nil for a nil or a zero map.
func (m *TensorMap) Buffer() *Buffer {
	if m == nil {
		return nil
	}
	return m.buffer
}

// String says what the map describes.
func (m *TensorMap) String() string {
	if m == nil || m.buffer == nil {
		return "no tensor map"
	}
	return fmt.Sprintf("tensor map: %v of %s, box %v", m.spec.Dims, m.buffer.short(), m.spec.Box)
}

// putTensorMap writes a tensor map into its parameter.
func (k *Kernel) putTensorMap(op string, place []byte, i int, m *TensorMap) (*Buffer, error) {
	if m == nil || m.buffer == nil {
		return nil, k.argError(op, i, wants(k.params[i]), "a nil *cuda.TensorMap, or a zero one")
	}
	if len(place) != len(m.bytes) {
		return nil, k.argError(op, i, wants(k.params[i]), m.String()+" (128 bytes)")
	}
	if err := m.buffer.live(op, k.mod.dev); err != nil {
		return nil, err
	}
	copy(place, m.bytes[:])
	return m.buffer, nil
}
