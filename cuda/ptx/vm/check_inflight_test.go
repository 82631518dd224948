package vm

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Instructions of the cases, by a word each; what is no word stands as it is.
var flightWords = map[string]string{
	"zero":   "mov.f32 %s0, 0f00000000; mov.f32 %s1, %s0; mov.f32 %s2, %s0; mov.f32 %s3, %s0;",
	"fence":  "wgmma.fence.sync.aligned;",
	"mma":    "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%s0, %s1, %s2, %s3}, %da, %db, 1, 1, 1;",
	"other":  "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%s4, %s5, %s6, %s7}, %da, %db, 0, 1, 1;",
	"deeper": "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%s0, %s1, %s2, %s3}, %da, %db, 1, 1, 1, 0, 0;",
	"regs": "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%s0, %s1, %s2, %s3}, " +
		"{%a0, %a1, %a2, %a3}, %db, 0, 1, 1;",
	"commit": "wgmma.commit_group.sync.aligned;",
	"wait":   "wgmma.wait_group.sync.aligned 0;",
	"wait1":  "wgmma.wait_group.sync.aligned 1;",
	"scale":  "mul.f32 %s1, %s1, 0f40000000;",
	"scale1": "@%p mul.f32 %s1, %s1, 0f40000000;",
	"store":  "st.global.f32 [%out], %s0; st.global.f32 [%out+4], %s3;",
	"store2": "st.global.f32 [%out], %s4;",
	"copy":   "mov.f32 %s4, %s0; mov.f32 %s5, %s1; mov.f32 %s6, %s2; mov.f32 %s7, %s3;",
	"again":  "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%s4, %s5, %s6, %s7}, %da, %db, 1, 1, 1;",
	"load":   "ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%out];",
	"look":   "st.global.b32 [%out], %a2;",
	"bar":    "bar.sync 0;",
	"erase":  "st.shared.b32 [%t1], %t2;",
}

func flightText(body string) string {
	var b strings.Builder
	for _, w := range strings.Split(body, "; ") {
		if text, ok := flightWords[w]; ok {
			w = text
		}
		fmt.Fprintf(&b, "\t%s\n", w)
	}
	return ".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n" +
		".visible .entry k(.param .u64 out)\n{\n\t.reg .pred %p;\n\t.reg .b32 %t<4>, %a<4>;\n\t.reg .f32 %s<8>;\n" +
		"\t.reg .b64 %da, %db, %d, %out;\n\tld.param.u64 %out, [out];\n\tmov.u32 %t0, %tid.x;\n" +
		"\tmul.wide.u32 %d, %t0, 16;\n\tadd.u64 %out, %out, %d;\n" +
		"\tshl.b32 %t1, %t0, 4;\n\tmov.b32 %t2, 0;\n\tst.shared.v4.u32 [%t1], {%t2, %t2, %t2, %t2};\n\t" +
		"st.shared.v4.u32 [%t1+4096], {%t2, %t2, %t2, %t2};\n\tsetp.eq.u32 %p, %t0, 37;\n" +
		"\tfence.proxy.async;\n\tbar.sync 0;\n\tmov.u64 %da, 0x1000080000;\n\tmov.u64 %db, %da;\n" +
		b.String() + "\tret;\n}\n"
}

// What is touched between a wgmma and its wait, or without a fence before one, is named; what compilers write is not.
func TestRegistersInFlight(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       string // of the fault; nothing for none
		other      string // the instruction of its other side
		lane       int    // the first at fault
	}{
		{"right", "zero; fence; mma; mma; commit; wait; store", "", "", 0},
		{"loop", "zero; fence; mma; commit; fence; mma; commit; wait1; fence; mma; commit; wait; store", "", "", 0},
		{"no fence", "zero; mma; commit; wait", "has executed no wgmma.fence", "", 0},
		{"no fence behind a write", "zero; fence; mma; commit; wait; scale; mma; commit; wait",
			"register %s1 is one of the product's: a wgmma.fence", "mul.f32", 0},
		{"no fence behind one thread", "fence; mma; commit; wait; scale1; mma; commit; wait",
			"register %s1 is one of the product's", "mul.f32", 0},
		{"fence behind a write", "fence; mma; commit; wait; scale; fence; mma; commit; wait; store", "", "", 0},
		{"zero behind the fence", "fence; zero; mma; commit; wait; store", "", "", 0},
		{"read, then again", "fence; mma; commit; wait; store; mma; commit; wait; store", "", "", 0},
		{"factor without fence", "fence; other; load; regs; commit; wait", "a wgmma.fence comes between",
			"ld.global.v4.b32", 0},
		{"factor", "load; fence; regs; commit; wait; load; fence; regs; commit; wait; store", "", "", 0},
		{"written", "zero; fence; mma; commit; scale; wait", "register %s1 is one of its sums", "wgmma", 0},
		{"set", "zero; fence; mma; commit; zero; wait", "register %s0 is one of its sums", "wgmma", 0},
		{"stored", "zero; fence; mma; commit; store", "register %s0 is one of its sums", "wgmma", 0},
		{"by one thread", "zero; fence; mma; commit; scale1; wait", "register %s1 is one of its sums", "wgmma", 37},
		{"not committed", "zero; fence; mma; wait; store", "wgmma.commit_group and a wgmma.wait_group", "wgmma", 0},
		{"wrong group", "zero; fence; mma; commit; other; commit; wait1; store2", "register %s4", "wgmma", 0},
		{"right group", "zero; fence; mma; commit; other; commit; wait1; store; wait; store2", "", "", 0},
		{"factor written", "load; fence; regs; commit; load; wait", "register %a0 holds a factor", "wgmma", 0},
		{"factor read", "load; fence; regs; commit; look; wait", "", "", 0},
		{"copied", "zero; fence; mma; commit; copy; wait; store2", "", "", 0},
		{"copied and used", "zero; fence; mma; commit; copy; store2; wait", "register %s4", "wgmma", 0},
		{"copied and summed", "zero; fence; mma; commit; copy; again; commit; wait; store2", "", "", 0},
		{"shapes", "zero; fence; mma; deeper; commit; wait", "their shapes differ", "wgmma", 0},
		{"shapes and a fence", "zero; fence; mma; fence; deeper; commit; wait; store", "", "", 0},
		{"tile written", "fence; mma; commit; bar; erase; wait", "until a wgmma.wait_group", "st.shared.b32", 1},
		{"tile written behind", "fence; mma; commit; wait; bar; erase", "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := loadText(t, "flight", flightText(c.body), Checked())
			l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 256, Y: 1, Z: 1}, SharedBytes: 8192}
			if strings.HasPrefix(c.name, "tile") {
				l.Block.X = 128
			}
			_, err := m.tryWith("k", l, upload(m, make([]uint32, 4*256)))
			if c.want == "" && c.other == "" {
				wantFault(t, err, "", "")
				return
			}
			wantFault(t, err, driver.FaultRace, c.want)
			var f *Fault
			if errors.As(err, &f) && (f.Line == 0 || f.Lanes[0].X != uint32(c.lane) || c.other != "" &&
				(f.Other == nil || !strings.HasPrefix(f.Other.Instruction, c.other) || f.Other.Line == 0)) {
				t.Errorf("%v", f)
			}
		})
	}
}

// Strictly, PTX asks for a fence behind what is read and behind constants too, and for the wait before a
// factor is read.
func TestRegistersInFlightStrictly(t *testing.T) {
	for _, body := range []string{"fence; zero; mma; commit; wait", "fence; mma; commit; wait; store; mma; commit; wait",
		"load; fence; regs; commit; look; wait", "zero; fence; mma; commit; copy; wait; store2"} {
		o := Checked()
		o.Strict = true
		m := loadText(t, "flight", flightText(body), o)
		l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 128, Y: 1, Z: 1}, SharedBytes: 8192}
		_, err := m.tryWith("k", l, upload(m, make([]uint32, 4*256)))
		wantFault(t, err, driver.FaultRace, "")
	}
}
