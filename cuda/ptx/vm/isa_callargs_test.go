package vm

import (
	"fmt"
	"testing"
)

// callCases pass arguments and take results in every way that ptxas takes, and leave the sum of thread i,
// whose number is in %a1, in %a2.
var callCases = []struct {
	name, functions, body string
	want                  func(i uint32) uint32
}{
	{"one variable for two functions", inMemory, `.param .b32 p; .param .b32 q; st.param.b32 [p],%a1; call (q),inc,(p);
		st.param.b32 [p],8; call (q),ten,(p); ld.param.b32 %a2,[q];`, func(uint32) uint32 { return 80 }},
	{"one variable twice", `.func (.param .b32 r) sub(.param .b32 x, .param .b32 y){ .reg .b32 %v,%w;
		ld.param.b32 %v,[x]; ld.param.b32 %w,[y]; mad.lo.u32 %v,%v,3,%w; st.param.b32 [r],%v; ret; }`,
		`.param .b32 p; st.param.b32 [p],%a1; call (%a2),sub,(p,p);`, func(i uint32) uint32 { return 4 * i }},
	{"a constant", inMemory, `.param .b32 q; call (q),inc,((2+3)*2); ld.param.b32 %a2,[q];`,
		func(uint32) uint32 { return 11 }},
	{"registers to memory", inMemory, `call (%a2),ten,(%a1);`, func(i uint32) uint32 { return 10 * i }},
	{"a result that nobody takes", inMemory, `mov.u32 %a2, 3; call (_),ten,(%a1);`, func(uint32) uint32 { return 3 }},
	{"registers", `.func (.reg .b32 r) f(.reg .b32 x){ add.u32 r,x,1; ret; }`, `call (%a2),f,(%a1);`,
		func(i uint32) uint32 { return i + 1 }},
	{"no ret", `.func (.reg .b32 r) f(.reg .b32 x){ add.u32 r,x,1; }`, `call (%a2),f,(-(3));`,
		func(uint32) uint32 { return 0xfffffffe }},
	{"registers and memory", `.func (.reg .b32 r) f(.param .b32 x, .reg .b64 y){ .reg .b32 %v; ld.param.b32 %v,[x];
		cvt.u32.u64 r,y; add.u32 r,r,%v; ret; }`, `.param .b32 p; .reg .b64 %w; st.param.b32 [p],%a1; mov.b64 %w, 7;
		call (%a2),f,(p,%w);`, func(i uint32) uint32 { return i + 7 }},
	{"guards", `.func (.reg .b32 r) f(.reg .b32 x){ .reg .pred %q; mov.u32 r, 5; setp.gt.u32 %q, x, 2; @%q ret;
		mov.u32 r, 6; ret; }`, `.reg .pred %q; and.b32 %a3, %a1, 1; setp.eq.u32 %q, %a3, 0; mov.u32 %a2, 9;
		@%q call (%a2),f,(%a1);`, func(i uint32) uint32 { return []uint32{6, 9, 6, 9, 5, 9, 5, 9}[min(i, 6+i%2)] }},
	{"recursion in registers", `.func (.reg .b32 r) f(.reg .b32 x, .reg .b32 y){ .reg .pred %p; .reg .b32 %t;
		mov.b32 r,y; setp.eq.u32 %p,x,0; @%p ret; sub.u32 %t,x,1; call (r),f,(%t,x); mad.lo.u32 r,r,2,y; ret; }`,
		`rem.u32 %a3, %a1, 9; call (%a2),f,(%a3,1);`, func(i uint32) uint32 { return hostMix(i%9, 1) }},
	{"no parameters", `.global .b32 seen; .func n(){ .reg .b32 %v; atom.global.add.u32 %v,[seen],1; ret; }`,
		`call n; call.uni n, (); mov.u32 %a2, 2;`, func(uint32) uint32 { return 2 }},
}

const inMemory = `.func (.param .b32 r) inc(.param .b32 x){ .reg .b32 %v; ld.param.b32 %v,[x]; add.u32 %v,%v,1;
	st.param.b32 [r],%v; ret; }
.func (.param .b32 r) ten(.param .b32 x){ .reg .b32 %v; ld.param.b32 %v,[x]; mul.lo.u32 %v,%v,10;
	st.param.b32 [r],%v; ret; }`

func hostMix(x, y uint32) uint32 {
	if x == 0 {
		return y
	}
	return hostMix(x-1, x)*2 + y
}

func TestCallArguments(t *testing.T) {
	for _, c := range callCases {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(".version 8.6\n.target sm_75\n.address_size 64\n%s\n.visible .entry k(.param .u64 out) {\n"+
				".reg .b32 %%a<4>; .reg .b64 %%o, %%at;\nld.param.u64 %%o,[out]; mov.u32 %%a1,%%tid.x;\n%s\n"+
				"mul.wide.u32 %%at, %%a1, 4; add.u64 %%o, %%o, %%at; st.global.u32 [%%o],%%a2; ret; }\n", c.functions, c.body)
			m := onBoth(loadText(t, c.name, text, Checked()), []byte(text))
			eachThread(t, m, "k", 40, 1, func(i int) []uint32 { return []uint32{c.want(uint32(i))} })
		})
	}
}
