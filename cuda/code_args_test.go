package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

func kernelOf(t *testing.T, params string) *Kernel {
	t.Helper()
	m, err := ptx.Parse("test", ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k("+params+")\n{\n\tret;\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	k, err := newKernel(&Module{parsed: m, dev: &Device{}}, namedFunction{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

type pair struct{ A, B uint32 }

func TestPack(t *testing.T) {
	for _, c := range []struct {
		params string
		args   []any
		want   []byte
	}{
		{".param .u32 n", []any{7}, []byte{7, 0, 0, 0}},
		{".param .u32 n", []any{uint32(1 << 31)}, []byte{0, 0, 0, 0x80}},
		{".param .s32 n", []any{-1}, []byte{255, 255, 255, 255}},
		{".param .u32 n", []any{int8(-1)}, []byte{255, 255, 255, 255}},
		{".param .b32 n", []any{float32(1)}, []byte{0, 0, 0x80, 0x3f}},
		{".param .f32 x", []any{float32(1)}, []byte{0, 0, 0x80, 0x3f}},
		{".param .f64 x", []any{1.0}, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{".param .u8 a, .param .u16 b, .param .u64 c", []any{true, uint16(258), uint64(1)}, []byte{1, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
		{".param .u8 a, .param .align 4 .b8 p[8]", []any{9, pair{1, 2}}, []byte{9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}},
		{".param .align 1 .b8 p[3]", []any{[]byte{1, 2, 3}}, []byte{1, 2, 3}},
		{".param .align 1 .b8 p[3]", []any{[3]byte{1, 2, 3}}, []byte{1, 2, 3}},
		{"", nil, []byte{}},
	} {
		k := kernelOf(t, c.params)
		got, _, err := k.pack("test", c.args)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("(%s) %v: % x %v", c.params, c.args, got, err)
		}
	}
}

// An argument that replaces another leaves nothing of it.
func TestPutReplaces(t *testing.T) {
	k := kernelOf(t, ".param .u8 on, .param .u32 n")
	block, _, err := k.pack("test", []any{true, -1})
	check(t, err)
	for i, v := range []any{false, int8(1)} {
		_, err := k.put("test", block, i, v)
		check(t, err)
	}
	if want := []byte{0, 0, 0, 0, 1, 0, 0, 0}; !bytes.Equal(block, want) {
		t.Errorf("% x", block)
	}
}

func TestPackRefuses(t *testing.T) {
	for _, c := range []struct {
		params string
		args   []any
		want   []string
	}{
		{".param .u32 n", nil, []string{"k(.u32 n)", "want 1 argument", "got 0"}},
		{".param .u32 n, .param .u32 m", []any{1, 2, 3}, []string{"want 2 arguments", "got 3"}},
		{".param .u32 n", []any{1 << 32}, []string{"parameter 0 (.u32 n)", "fits in 32 bits", "int 4294967296"}},
		{".param .s32 n", []any{-1 << 40}, []string{"fits in 32 bits"}},
		{".param .u8 n", []any{256}, []string{"fits in 8 bits"}},
		{".param .u32 n, .param .f32 alpha", []any{1, 2}, []string{"parameter 1 (.f32 alpha)", "want float32", "int 2"}},
		{".param .f32 x", []any{1.5}, []string{"want float32", "float64 1.5"}},
		{".param .u32 n", []any{float32(1)}, []string{"want a 32-bit value", "float32 1"}},
		{".param .u64 p", []any{nil}, []string{"want a *cuda.Buffer", "nil"}},
		{".param .u64 p", []any{(*Buffer)(nil)}, []string{"a nil *cuda.Buffer"}},
		{".param .u32 p", []any{&Buffer{elem: byteType, a: &allocation{dev: &Device{}}}}, []string{"want a 32-bit value"}},
		{".param .u64 p", []any{"text"}, []string{"string"}},
		{".param .u64 p", []any{[]float32{1}}, []string{"[]float32"}},
		{".param .u32 b", []any{true}, []string{"bool true"}},
		{".param .align 4 .b8 p[8]", []any{[]byte{1}}, []string{"8 bytes", "[]uint8"}},
		{".param .align 4 .b8 p[8]", []any{pairWithPointer{}}, []string{"pairWithPointer"}},
		{".param .align 8 .b8 p[24]", []any{[]byte{1}}, []string{"24 bytes", "1 byte in a []uint8"}},
		{".param .align 8 .b8 p[16]", []any{struct {
			N   int64
			Out *Buffer
		}{}}, []string{"of 16 bytes", "field Out is a *cuda.Buffer", "make the field a uint64", "uint64(b.Ptr())"}},
		{".param .align 8 .b8 p[48]", []any{struct{ Rows [2]struct{ Data []float32 } }{}},
			[]string{"field Rows[].Data is a []float32", "upload its elements", "uint64(b.Ptr())"}},
		{".param .align 8 .b8 p[16]", []any{struct{ Name string }{}}, []string{"field Name is a string", "[16]byte"}},
		{".param .align 8 .b8 p[8]", []any{struct{ P *int }{}}, []string{"field P is a *int", "upload what it points to"}},
		{".param .align 8 .b8 p[8]", []any{struct{ M map[int]int }{}}, []string{"field M is a map[int]int", "give numbers"}},
		{".param .align 8 .b8 p[8]", []any{struct{ A uintptr }{}}, []string{"field A is a uintptr", "a uint64"}},
		{".param .u64 p", []any{[]float32{1}}, []string{"upload its elements", "pass the *cuda.Buffer"}},
	} {
		k := kernelOf(t, c.params)
		_, _, err := k.pack("Kernel.Test", c.args)
		var e *Error
		if !errors.As(err, &e) || e.Op != "Kernel.Test" {
			t.Errorf("(%s) %v: %v", c.params, c.args, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("(%s) %v: %q lacks %q", c.params, c.args, err, want)
			}
		}
	}
}

// What C++ says of a parameter beyond its size.
func TestPutChecksCXX(t *testing.T) {
	for _, c := range []struct {
		param, cxx string
		v          any
		want       string // in the error; "": accepted
	}{
		{".u32", "int", 1 << 31, "a value that int32 has"}, {".u32", "int", -1 << 31, ""}, {".u32", "unsigned int", -1, "a value that uint32 has"},
		{".u32", "unsigned int", uint32(1 << 31), ""}, {".u16", "short", 40000, "int16"}, {".u16", "unsigned short", -1, "uint16"}, {".u8", "char", 200, "int8"},
		{".u8", "unsigned char", 200, ""}, {".u8", "unsigned char", true, "a 8-bit value"}, {".u8", "bool", 1, ""}, {".u8", "bool", 2, "a value that bool has"},
		{".u8", "bool", true, ""}, {".u64", "unsigned long long", -1, "uint64"}, {".u64", "long long", uint64(1 << 63), "int64"}, {".u64", "long long", int64(-1), ""},
		{".u64", "int*", 3, "a *cuda.Buffer, or an address as uint64"}, {".u64", "int*", 0, ""}, {".u64", "int*", uint64(3), ""}, {".u64", "int&", 3, "an address"},
		{".u64", "size_t", 3, ""}, {".u32", "Color", -1, ""},
	} {
		k := kernelOf(t, ".param "+c.param+" p")
		k.params[0].CXX = c.cxx
		_, _, err := k.pack("test", []any{c.v})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s given %T %v: %v", c.cxx, c.v, c.v, err)
		}
	}
	for _, c := range []struct {
		bytes int
		cxx   string
		v     any
		ok    bool
	}{
		{2, "__half", uint16(1), true}, {2, "__half", int16(1), false}, {2, "__half", 1, false}, {2, "__half", []byte{1, 2}, true}, {16, "float4", [4]float32{}, true},
		{16, "float4", [4]int32{}, false}, {16, "float4", struct{ X, Y, Z, W float32 }{}, true}, {8, "uint2", [2]int32{}, true}, {8, "Pt", [2]int32{}, true}, {8, "uint2", [8]byte{}, true},
	} {
		k := kernelOf(t, fmt.Sprintf(".param .align 1 .b8 p[%d]", c.bytes))
		k.params[0].CXX = c.cxx
		if _, _, err := k.pack("test", []any{c.v}); (err == nil) != c.ok {
			t.Errorf("%s given %T: %v", c.cxx, c.v, err)
		}
	}
}

func TestGeometry(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Grid(4096).String(), "4096"}, {Grid(2, 3).String(), "2×3"}, {Block(2, 3, 4).String(), "2×3×4"},
		{GridFor(1000, 256).String(), "4"}, {GridFor(1024, 256).String(), "4"}, {GridFor(1, 256).String(), "1"},
		{GridFor(0, 256).String(), "GridFor(0, 256)"}, {Grid(-1).String(), "-1"}, {Grid(1, 2, 3, 4).String(),
			"1×2×3×4"}, {Grid(1 << 40).String(), "1099511627776"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	o, args, err := split("test", byLaunch, []any{1, Shared(64), "x", Cooperative(), Elements(10), Named("first")})
	if err != nil || len(args) != 2 || o.shared != 64 || !o.cooperative || o.elements != 10 || o.name != "first" {
		t.Errorf("%+v %v", o, args)
	}
}

func TestPointsTo(t *testing.T) {
	for _, c := range []struct {
		cxx string
		v   any
		ok  bool
	}{
		{"float*", float32(0), true}, {"float*", int32(0), false}, {"float*", float64(0), false}, {"int*", uint32(0), true},
		{"unsigned long long*", int64(0), true}, {"void*", complex64(0), true}, {"Body*", float32(0), true}, {"float*", byte(0), true},
		{"float*", pair{}, true}, {"float**", float32(0), false}, {"float**", uint64(0), true}, {"float4*", [4]float32{}, true}, {"float4*", float32(0), true},
		{"float4*", int32(0), false}, {"float*", [4]int32{}, false}, {"float*", complex64(0), true}, {"int&", int32(0), true}, {"int&", float32(0), false}, {"int", int32(0), false}, {"", int32(0), true}, {"__half*", uint16(0), true},
	} {
		if _, ok := (Param{CXX: c.cxx}).pointsTo(reflectType(c.v)); ok != c.ok {
			t.Errorf("%s and %T: %v", c.cxx, c.v, ok)
		}
	}
}
