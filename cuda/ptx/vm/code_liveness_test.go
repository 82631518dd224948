package vm

import "testing"

// A register that a loop's block only adds to is live around the loop: nothing may
// take its place in between.
func TestSelfUpdateIsAUse(t *testing.T) {
	m := loadText(t, "loop", `.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %r<9>;
	.reg .b64 %d;
	ld.param.u64 %d, [out];
	mov.u32 %r1, 2;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
	bra.uni TEST;
BODY:
	add.s32 %r1, %r1, 4;
	add.s32 %r2, %r2, 1;
TEST:
	add.s32 %r3, %r3, %r1;
	mul.lo.s32 %r4, %r2, 7;
	mul.lo.s32 %r5, %r4, 3;
	add.s32 %r3, %r3, %r5;
	setp.ne.s32 %p, %r2, 5;
	@%p bra BODY;
	st.global.u32 [%d], %r3;
	ret;
}
`, Checked())
	out := m.alloc(4)
	m.run("k", 1, 1, out)
	want := int32(0)
	for i := range int32(6) {
		want += 2 + 4*i + 21*i
	}
	same(t, "sum", download[int32](m, out, 1), []int32{want})
}
