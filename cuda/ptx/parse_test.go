package ptx

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every PTX text kept under testdata parses, with all names resolved.
func TestParseKeptTexts(t *testing.T) {
	files, err := filepath.Glob("testdata/kernels/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(filepath.Base(file), string(src))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(m.Kernels()) == 0 {
			t.Errorf("%s: no kernels", file)
		}
	}
}

func TestSignature(t *testing.T) {
	src := ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u8 b, .param .align 8 .b8 c[12], .param .f32 d, .param .u64 e)\n.maxntid 128, 2, 1\n{ ret; }"
	m, err := Parse("sig", src)
	if err != nil {
		t.Fatal(err)
	}
	k, ok := m.Kernel("k")
	if !ok {
		t.Fatal("no kernel k")
	}
	want := []struct {
		typ                 Type
		offset, size, align int
	}{{U64, 0, 8, 8}, {U8, 8, 1, 1}, {B8, 16, 12, 8}, {F32, 28, 4, 4}, {U64, 32, 8, 8}}
	for i, w := range want {
		p := k.Params[i]
		if p.Type != w.typ || p.Offset != w.offset || p.Size != w.size || p.Align != w.align {
			t.Errorf("parameter %d: %v at %d, %d bytes, align %d; want %+v", i, p.Type, p.Offset, p.Size, p.Align, w)
		}
	}
	if k.ParamBytes != 40 || !k.Params[0].Pointer || k.Params[0].PointerSpace != Global || k.Params[0].PointerAlign != 16 {
		t.Errorf("block of %d bytes, pointer %+v", k.ParamBytes, k.Params[0])
	}
	if k.MaxThreads != [3]int{128, 2, 1} {
		t.Errorf("maxntid %v", k.MaxThreads)
	}
}

// Each bad text is refused at the token that is wrong.
func TestSyntaxErrors(t *testing.T) {
	head := ".version 9.0\n.target sm_80\n.address_size 64\n"
	for _, c := range []struct{ src, token, want string }{
		{"", "", ".version"},
		{"hello", "hello", ".version"},
		{head + ".entry k( .param .u32", "", "a name"},
		{head + ".entry k() { add.s32 %r1, %r2, %r3; }", "%r1", "declared register"},
		{head + ".entry k() { .reg .b32 %r<4>; add.s32 %r1, %r2, %r4; }", "%r4", "declared register"},
		{head + ".entry k() { bra nowhere; }", "nowhere", "label"},
		{head + ".entry k() { .reg .b32 %r<4>; mov.u32 %r1 %r2; }", "%r2", `","`},
		{head + ".entry k() { ret;", "", "}"},
		{head + ".entry k() { L: L: ret; }", "L", "not declared before"},
		{head + ".global .align 3 .b8 x;", "3", "power of two"},
		{head + ".global .b32 x[2] = {1, 2, 3};", "3", "at most 2 elements"},
		{head + ".global .b8 x[99999999999];", "99999999999", "bound"},
		{head + ".entry k() { .reg .b32 %r<4>; @%r1 ret; }", "%r1", "predicate"},
		{head + ".entry k() { .reg .f32 %f; mov.f32 %f, 0f3F8; }", "0f3F8", "constant"},
		{head + ".file 1 \"abc", "\"abc", "file name"},
		{head + ".section .debug { .b8 1", "", "}"},
	} {
		_, err := Parse("t", c.src)
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%q: %v, want a syntax error", c.src, err)
			continue
		}
		if se.Token != c.token || !strings.Contains(se.Want, c.want) {
			t.Errorf("%q: %v; want token %q, expected %q", c.src, err, c.token, c.want)
		}
	}
}

// Labels belong to their braces: what is put in twice may have the same ones, and a branch goes to the
// innermost, or out.
func TestLabelsOfScopes(t *testing.T) {
	m, err := Parse("t", `.version 8.0 .target sm_80 .entry k() {
		.reg .b32 %r<3>;
		{ bra L; L: mov.u32 %r1, 1; bra OUT; }
		{ L: T: .branchtargets L, OUT; brx.idx %r1, T; bra L; }
		L: bra L;
		OUT: ret; }`)
	if err != nil {
		t.Fatal(err)
	}
	k := m.Functions[0]
	var at []int
	for i := range k.Code {
		for _, o := range k.Code[i].Operands {
			if list := k.Targets[o.Name]; o.Kind == OpLabel && list != nil {
				at = append(at, k.Labels[list[0]], k.Labels[list[1]])
			} else if o.Kind == OpLabel {
				at = append(at, k.Labels[o.Name])
			}
		}
	}
	if want := []int{1, 6, 3, 6, 3, 5}; !slices.Equal(at, want) {
		t.Errorf("branches to %v, want %v", at, want)
	}
	if _, err := Parse("t", ".version 8.0 .target sm_80 .entry k() { { L: ret; } bra L; }"); err == nil {
		t.Error("a branch into braces is taken")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/kernels/*.ptx")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil && len(src) < 10000 {
			f.Add(string(src))
		}
	}
	f.Add(".version 9.0\n.target sm_80\n.global .u64 a[2] = {generic(a)+8, 0xFF00(a)};\n")
	f.Add(".version 9.0\n.target sm_80\n.entry k() { call; call.foo (k), 1; }\n")
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse("fuzz", src)
		var se *SyntaxError
		if err != nil && !errors.As(err, &se) {
			t.Fatalf("an error that is no syntax error: %v", err)
		}
		if err == nil && m == nil {
			t.Fatal("neither module nor error")
		}
	})
}

// A small text, and one of a megabyte with debug information.
func BenchmarkParse(b *testing.B) {
	for _, file := range []string{"kernels/basics.ptx", "faults/orders-G.ptx"} {
		b.Run(filepath.Base(file), func(b *testing.B) {
			src, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				b.Fatal(err)
			}
			text := string(src)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Parse(file, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
