package vm

import (
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// What nothing wrote may be packed and stored elsewhere in local memory, as copies of structures do with padding; it stays unwritten
// there. What was packed with something written counts as written.
func TestPackedCopiesOfUnwrittenMemory(t *testing.T) {
	const text = `.version 8.6
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out)
{
	.local .align 8 .b8 from[8];
	.local .align 8 .b8 to[8];
	.reg .b16 %h<9>;
	.reg .b32 %r<20>;
	.reg .b64 %d<3>;
	ld.param.u64 %d1, [out];
	st.local.u8 [from+2], 9;
	ld.local.v4.u8 {%h1, %h2, %h3, %h4}, [from];
	cvt.u32.u16 %r1, %h1;
	cvt.u32.u16 %r2, %h2;
	prmt.b32 %r3, %r2, %r1, 30212;
	cvt.u16.u32 %h5, %r3;
	cvt.u32.u16 %r4, %h3;
	cvt.u32.u16 %r5, %h4;
	prmt.b32 %r6, %r5, %r4, 30212;
	cvt.u16.u32 %h6, %r6;
	CHANGE
	st.local.v2.u16 [to], {%h5, %h6};
	ld.local.u16 %r7, [to+USED];
	st.global.u32 [%d1], %r7;
	ret;
}
`
	for _, c := range []struct {
		change, used string
		line         int // of the fault; 0: none
	}{
		{"", "2", 0}, {"", "0", 24}, {"add.u32 %r8, %r1, %r2;", "2", 13}, {"mov.b16 %h5, 5;", "0", 0},
		{"@%p mov.b16 %h5, 5;", "0", 24},
		{"prmt.b32 %r8, %r2, %r1, %r1;", "2", 13}, {"cvt.rn.f32.u32 %r8, %r1;", "2", 13},
	} {
		src := strings.NewReplacer("CHANGE", c.change, "USED", c.used).Replace(text)
		src = strings.Replace(src, ".reg .b64 %d<3>;", ".reg .b64 %d<3>; .reg .pred %p;", 1)
		src = strings.Replace(src, "@%p mov", "setp.ne.u64 %p, %d1, %d1; @%p mov", 1)
		m := loadText(t, "t", src, Checked())
		_, err := m.try("k", 1, 1, m.alloc(4))
		var f *Fault
		switch {
		case c.line == 0 && err != nil, c.line > 0 && (!errors.As(err, &f) || f.Kind != driver.FaultUninitialized || f.Line != c.line):
			t.Errorf("%q, read at %s: %v, want a fault at line %d", c.change, c.used, err, c.line)
		}
	}
}

// P5: the padding of a structure that a function gives by value is copied byte by byte, cut to bytes on
// the way, and never used; a byte that is used is told.
func TestPaddingOfAStructureByValue(t *testing.T) {
	const text = smallHead + `.func (.param .align 4 .b8 r[8]) f(.param .b32 a) {
.reg .b32 %r<3>;
ld.param.u32 %r1, [a]; st.param.u32 [r], %r1; st.param.u8 [r+4], %r1; ret; }
.visible .entry k(.param .u64 p) {
.reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
.local .align 4 .b8 s[8];
ld.param.u64 %rd1, [p];
{ .param .b32 a; .param .align 4 .b8 r[8]; st.param.b32 [a], 5; call (r), f, (a); ld.param.v4.b8 {%h1, %h2, %h3,
	%h4}, [r+4]; }
and.b16 %h6, %h2, 255; shl.b16 %h7, %h6, 8; and.b16 %h5, %h1, 255; or.b16 %h8, %h5, %h7;
st.local.u8 [s], %h1; st.local.u8 [s+1], %h6; st.local.u8 [s+2], %h3;
ld.local.u8 %r2, [s+USED]; st.global.u32 [%rd1], %r2; ret; }
`
	for used, want := range map[string]driver.FaultKind{"0": "", "1": driver.FaultUninitialized,
		"2": driver.FaultUninitialized} {
		f, err := faultOf(t, strings.Replace(text, "USED", used, 1), Checked(), 1, 1)
		if want == "" && err != nil || want != "" && (f == nil || f.Kind != want) {
			t.Errorf("byte %s: %v, want %q", used, err, want)
		}
	}
}
