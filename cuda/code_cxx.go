package cuda

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
)

// describeCXX gives a kernel's parameters their C++ names and types.
func (k *Kernel) describeCXX(c nvrtc.Kernel) {
	if c.PTXName != "" && c.Name != c.PTXName {
		k.name = c.Name
	}
	if len(c.Params) != len(k.params) {
		return
	}
	for i, p := range c.Params {
		k.params[i].CXX = p.Type
		if p.Name != "" {
			k.params[i].Name = p.Name
		}
	}
}

// A scalar is what a C++ type is made of.
type scalar struct {
	size uintptr
	kind scalarKind
	name string // Go's
}

type scalarKind uint8

const (
	signed scalarKind = iota
	unsigned
	float
	half // bits of a format that Go does not have
	boolean
)

var scalars = map[string]scalar{
	"float": {4, float, "float32"}, "double": {8, float, "float64"}, "bool": {1, boolean, "bool"},
	"char": {1, signed, "int8"}, "signed char": {1, signed, "int8"}, "unsigned char": {1, unsigned, "uint8"},
	"int8_t": {1, signed, "int8"}, "uint8_t": {1, unsigned, "uint8"},
	"short": {2, signed, "int16"}, "unsigned short": {2, unsigned, "uint16"}, "int16_t": {2, signed, "int16"},
	"uint16_t": {2, unsigned, "uint16"},
	"__half":   {2, half, "uint16"}, "half": {2, half, "uint16"}, "__nv_bfloat16": {2, half, "uint16"},
	"nv_bfloat16": {2, half, "uint16"},
	"int":         {4, signed, "int32"}, "unsigned": {4, unsigned, "uint32"}, "unsigned int": {4, unsigned, "uint32"},
	"int32_t": {4, signed, "int32"}, "uint32_t": {4, unsigned, "uint32"},
	"long": {8, signed, "int64"}, "unsigned long": {8, unsigned, "uint64"}, "long long": {8, signed, "int64"},
	"unsigned long long": {8, unsigned, "uint64"},
	"int64_t":            {8, signed, "int64"}, "uint64_t": {8, unsigned, "uint64"}, "size_t": {8, unsigned, "uint64"},
}

// vectors are CUDA's built-in vector types: float4, uchar2, longlong1.
var vectors = regexp.MustCompile(`^(u?)(char|short|int|long|longlong|float|double)[1-4]$`)

// scalarOf is the type of which a C++ type consists, and whether it is a vector of them.
func scalarOf(cxx string) (s scalar, vector, known bool) {
	if s, known = scalars[cxx]; known {
		return s, false, true
	}
	m := vectors.FindStringSubmatch(cxx)
	if m == nil {
		return s, false, false
	}
	name := strings.ReplaceAll(m[2], "longlong", "long long")
	if m[1] != "" {
		name = "unsigned " + name
	}
	s, known = scalars[name]
	return s, true, known
}

// address says whether a C++ type is passed as one: a pointer, or a reference.
func address(cxx string) (pointee string, ok bool) {
	if n := len(cxx) - 1; n > 0 && (cxx[n] == '*' || cxx[n] == '&') {
		return strings.TrimSpace(cxx[:n]), true
	}
	return "", strings.Contains(cxx, "(*")
}

// pointsTo checks a buffer against the C++ type of its parameter. Types that nothing is known of,
// void and a program's own among them, take any buffer, and a buffer of bytes fits every pointer.
// Signs may differ.
func (p Param) pointsTo(elem reflect.Type) (want string, ok bool) {
	base, pointer := address(p.CXX)
	if p.CXX == "" || elem.Kind() == reflect.Uint8 {
		return "", true
	}
	if !pointer {
		return p.CXX, false
	}
	if _, nested := address(base); nested {
		return fmt.Sprintf("a buffer of addresses, uint64 (%s)", p.CXX), elem.Size() == 8 && elem.Kind() != reflect.Float64
	}
	w, _, known := scalarOf(base)
	if !known {
		return "", true
	}
	return fmt.Sprintf("a buffer of %s (%s)", w.name, p.CXX), consistsOf(elem, w)
}

// consistsOf says whether a Go type can hold scalars, itself or its elements. Structs may mix what
// C++ looks at through a pointer to one of its fields.
func consistsOf(t reflect.Type, w scalar) bool {
	switch t.Kind() {
	case reflect.Struct:
		return true
	case reflect.Array:
		return consistsOf(t.Elem(), w)
	case reflect.Complex64, reflect.Complex128:
		return w.kind == float && t.Size() == 2*w.size
	}
	isFloat := t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64
	return t.Size() == w.size && isFloat == (w.kind == float)
}

// checkInteger refuses an integer that the C++ type does not have, and one for an address that is
// none. The PTX tells the sizes, not the signs.
func (k *Kernel) checkInteger(op string, i int, v reflect.Value, u uint64, negative bool) error {
	p := k.params[i]
	got := func() string { return fmt.Sprintf("%s %v", v.Type(), v) }
	if _, ok := address(p.CXX); ok {
		if u == 0 || v.Kind() == reflect.Uint64 || v.Kind() == reflect.Uintptr {
			return nil
		}
		return k.argError(op, i, "a *cuda.Buffer, or an address as uint64", got())
	}
	s, vector, known := scalarOf(p.CXX)
	if !known || vector {
		return nil
	}
	ok := true
	switch s.kind {
	case boolean:
		ok = u <= 1
	case half:
		ok = v.Kind() == reflect.Uint16
	case unsigned:
		ok = !negative
	case signed:
		ok = negative || u <= math.MaxInt64>>(64-8*s.size)
	}
	if ok {
		return nil
	}
	want := fmt.Sprintf("a value that %s has", s.name)
	if s.kind == half {
		want = "its bits, as a uint16"
	}
	return k.argError(op, i, want, got())
}

// checkBytes refuses a struct, an array or bits for a C++ type that is known to consist of
// something else.
func (k *Kernel) checkBytes(op string, i int, t reflect.Type) error {
	s, _, known := scalarOf(k.params[i].CXX)
	if !known || allOf(t, s) {
		return nil
	}
	want := fmt.Sprintf("%d bytes of %s", k.params[i].Size, s.name)
	if s.kind == half {
		want = "its bits, as a uint16"
	}
	return k.argError(op, i, want, t.String())
}

// allOf says whether a type is scalars of that size and kind, or bytes, and nothing else.
func allOf(t reflect.Type, s scalar) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !allOf(t.Field(i).Type, s) {
				return false
			}
		}
		return true
	case reflect.Array, reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8 || allOf(t.Elem(), s)
	}
	if s.kind == half {
		return t.Kind() == reflect.Uint16
	}
	return consistsOf(t, s)
}
