package queue

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// kernelText is an entry that gives each element to functions, one after the other: the values between them
// stay in a register.
func kernelText(name string, functions []string) string {
	var b strings.Builder
	b.WriteString(".visible .entry " + name + `(.param .u64 from, .param .u64 to, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .f32 %f<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<6>;

	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.u32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra DONE;
	mul.wide.u32 %rd3, %r5, 4;
	add.u64 %rd4, %rd1, %rd3;
	ld.global.f32 %f1, [%rd4];
`)
	for _, f := range functions {
		fmt.Fprintf(&b, `	{
		.param .f32 x;
		.param .b32 i;
		.param .f32 y;
		st.param.f32 [x], %%f1;
		st.param.b32 [i], %%r5;
		call (y), %s, (x, i);
		ld.param.f32 %%f1, [y];
	}
`, f)
	}
	b.WriteString(`	add.u64 %rd5, %rd2, %rd3;
	st.global.f32 [%rd5], %f1;
DONE:
	ret;
}

`)
	return b.String()
}

// fusionText is a module with a kernel a stage (stage_0 and so on) and one a group (fused_0 and so on).
func fusionText(p Pipeline, f plan.FusionPlan) string {
	var b strings.Builder
	b.WriteString(header)
	names := make([]string, len(p.Stages))
	for i, s := range p.Stages {
		names[i] = s.Name
		b.WriteString(s.PTX + "\n")
	}
	for i := range names {
		b.WriteString(kernelText(fmt.Sprint("stage_", i), names[i:i+1]))
	}
	at := 0
	for i, g := range f.Groups {
		b.WriteString(kernelText(fmt.Sprint("fused_", i), names[at:at+len(g.Stages)]))
		at += len(g.Stages)
	}
	return b.String()
}
