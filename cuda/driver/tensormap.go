package driver

import "fmt"

// A TensorMap describes a tensor in global memory and the box of it that one instruction copies
// (CUtensorMap). Kernels take it as a parameter of 128 bytes at a multiple of 64; what the bytes
// are is the driver's own.
type TensorMap [128]byte

// TensorMapType is the type of a tensor's elements (CUtensorMapDataType).
type TensorMapType uint32

// The types of elements.
const (
	TensorUint8 TensorMapType = iota
	TensorUint16
	TensorUint32
	TensorInt32
	TensorUint64
	TensorInt64
	TensorFloat16
	TensorFloat32
	TensorFloat64
	TensorBfloat16
	// TensorFloat32FTZ has reductions take subnormal numbers for zero; loads and stores leave them.
	TensorFloat32FTZ
	// TensorTF32 has loads round numbers of 32 bits to those of tf32, ties to even; TensorTF32FTZ
	// does both.
	TensorTF32
	TensorTF32FTZ
)

var tensorTypes = [...]struct {
	name  string
	bytes int
	float bool
}{
	TensorUint8: {"uint8", 1, false}, TensorUint16: {"uint16", 2, false}, TensorUint32: {"uint32", 4, false},
	TensorInt32: {"int32", 4, false}, TensorUint64: {"uint64", 8, false}, TensorInt64: {"int64", 8, false},
	TensorFloat16: {"float16", 2, true}, TensorFloat32: {"float32", 4, true}, TensorFloat64: {"float64", 8, true},
	TensorBfloat16: {"bfloat16", 2, true}, TensorFloat32FTZ: {"float32.ftz", 4, true},
	TensorTF32: {"tf32", 4, true}, TensorTF32FTZ: {"tf32.ftz", 4, true},
}

// Known reports whether the type is one of those above.
func (t TensorMapType) Known() bool { return int(t) < len(tensorTypes) }

// Size is the number of bytes of an element; 0 of an unknown type.
func (t TensorMapType) Size() int {
	if !t.Known() {
		return 0
	}
	return tensorTypes[t].bytes
}

// Float reports whether elements are floating-point numbers.
func (t TensorMapType) Float() bool { return t.Known() && tensorTypes[t].float }

func (t TensorMapType) String() string {
	if !t.Known() {
		return fmt.Sprintf("tensor type %d", uint32(t))
	}
	return tensorTypes[t].name
}

// TensorMapInterleave is how channels lie in memory (CUtensorMapInterleave).
type TensorMapInterleave uint32

// The interleaved layouts; the others than TensorInterleaveNone take eight channels of 16 or 32
// bytes together.
const (
	TensorInterleaveNone TensorMapInterleave = iota
	TensorInterleave16
	TensorInterleave32
)

// TensorMapSwizzle is in what order pieces of 16 bytes lie in shared memory (CUtensorMapSwizzle).
type TensorMapSwizzle uint32

// The orders: pieces change places within 32, 64 or 128 bytes.
const (
	TensorSwizzleNone TensorMapSwizzle = iota
	TensorSwizzle32
	TensorSwizzle64
	TensorSwizzle128
)

// Width is the most bytes that a box's rows may have, 0 where there is no limit.
func (s TensorMapSwizzle) Width() int { return [...]int{0, 32, 64, 128}[s&3] }

// TensorMapPromotion is how much of memory goes into the L2 cache at a time
// (CUtensorMapL2promotion).
type TensorMapPromotion uint32

// The sizes.
const (
	TensorPromotionNone TensorMapPromotion = iota
	TensorPromotion64
	TensorPromotion128
	TensorPromotion256
)

// TensorMapFill is what a box has outside of the tensor (CUtensorMapFloatOOBfill).
type TensorMapFill uint32

// The values: zeros, or a NaN that fma takes for zero: 0x7ff7 in each 16 bits of any type.
const (
	TensorFillZero TensorMapFill = iota
	TensorFillNaN
)

// TensorMapConfig is what a tensor map describes. Dimension 0 is the one whose elements are
// adjacent.
type TensorMapConfig struct {
	Type    TensorMapType
	Address DevicePtr
	// Dims are the elements in each of one to five dimensions.
	Dims []uint64
	// Strides are the bytes from an element to the next one in the dimensions from 1 on: one less
	// than Dims.
	Strides []uint64
	// Box is what one instruction copies, and ElementStrides which of its elements: every one,
	// every second. In dimension 0 it is every one.
	Box, ElementStrides []uint32
	Interleave          TensorMapInterleave
	Swizzle             TensorMapSwizzle
	Promotion           TensorMapPromotion
	Fill                TensorMapFill
}

// A TensorMapError says which field of a TensorMapConfig no device takes.
type TensorMapError struct {
	// Field is what it is about, "Box[0]"; Want and Got what is legal and what was there.
	Field, Want, Got string
	// Fix says what to do, where that does not follow.
	Fix string
}

func (e *TensorMapError) Error() string {
	return fmt.Sprintf("%s: want %s, got %s", e.Field, e.Want, e.Got)
}

// Unwrap gives ErrorInvalidValue, which is what the driver would say.
func (e *TensorMapError) Unwrap() error { return ErrorInvalidValue }
