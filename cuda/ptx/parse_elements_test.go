package ptx

import (
	"strings"
	"testing"
)

const elementsHead = ".version 8.6\n.target sm_90\n.address_size 64\n.global .align 16 .b32 garr[16];\n" +
	".global .b32 gm[4][8];\n.const .b32 carr[4] = {1,2,3,4};\n" +
	".visible .entry k(.param .u64 pp, .param .align 8 .b8 blob[64])\n{\n" +
	".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<4>; .reg .pred %p<4>;\n" +
	".shared .align 16 .b32 arr[64]; .shared .b8 barr[64]; .local .b32 larr[8]; .shared .b32 sc;\n" +
	".shared .align 16 .v4 .f32 va[8]; .shared .b64 wide[4];\n"

// Elements of arrays are addresses where ptxas takes them, counted in elements of the fundamental type.
var elementLines = []struct {
	line   string
	offset int64 // -1: refused
}{
	{"mov.u32 %r1, arr[3];", 12}, {"mov.u32 %r1, barr[3];", 3}, {"mov.u32 %r1, wide[3];", 24},
	{"mov.u32 %r1, va[2];", 8}, {"mov.u64 %d1, gm[1];", 4}, {"mov.u64 %d1, garr[1];", 4}, {"mov.u32 %r1, arr [1];", 4},
	{"mov.u32 %r1, arr[3U];", 12}, {"mov.u32 %r1, arr[(1+2)];", 12}, {"mov.u32 %r1, arr[1+2];", 12},
	{"mov.u32 %r1, arr[-1];", -4}, {"mov.u32 %r1, arr[100];", 400}, {"mov.u32 %r1, arr[WARP_SZ];", 128},
	{"mov.u64 %d1, blob[8];", 8}, {"mov.u64 %d1, carr[1];", 4}, {"cvta.shared.u64 %d1, arr[1];", 4},
	{"cvta.global.u64 %d1, garr[1];", 4}, {"mapa.shared::cluster.u32 %r1, arr[1], 0;", 4},
	{"ld.shared.u32 %r1, arr[1];", 4}, {"ld.shared.u32 %r1, arr[0];", 0}, {"ld.const.u32 %r1, carr[1];", 4},
	{"ld.param.u32 %r1, blob[8];", 8}, {"ld.local.u32 %r1, larr[2];", 8}, {"ld.global.nc.u32 %r1, garr[1];", 4},
	{"ld.u32 %r1, garr[1];", 4}, {"ldu.global.u32 %r1, garr[1];", 4}, {"ld.volatile.shared.u32 %r1, arr[1];", 4},
	{"ld.shared.v2.u32 {%r1,%r2}, arr[2];", 8}, {"st.shared.u32 arr[1], %r1;", 4},
	{"st.shared.v2.u32 arr[2], {%r1,%r2};", 8}, {"ld.shared.u32 %r1, [arr+4];", 4},
	{"ld.shared.u32 %r1, [arr[1]];", -1}, {"mov.u32 %r1, [arr[1]];", -1}, {"ld.shared.u32 %r1, [arr[1]+4];", -1},
	{"st.shared.u32 [arr[1]], %r1;", -1}, {"ld.shared.u32 %r1, arr;", -1}, {"st.shared.u32 arr+4, %r1;", -1},
	{"ld.shared.u32 %r1, [arr-4];", -1}, {"mov.u32 %r1, sc[0];", -1}, {"ld.param.u64 %d1, pp[0];", -1},
	{"mov.u64 %d1, gm[1][2];", -1}, {"mov.u32 %r1, arr[1]+1;", -1}, {"mov.u32 %r1, arr[1.5];", -1},
	{"add.u64 %d1, %d1, garr[1];", -1}, {"add.u32 %r1, %r1, arr[1];", -1}, {"cvt.u64.u32 %d1, arr[1];", -1},
	{"atom.shared.add.u32 %r1, arr[1], 1;", -1}, {"red.global.add.u32 garr[1], 1;", -1},
	{"prefetch.global.L1 garr[1];", -1}, {"mbarrier.init.shared.b64 arr[2], 1;", -1},
	{"cp.async.ca.shared.global arr[4], garr[4], 16;", -1}, {"isspacep.shared %p1, arr[1];", -1},
	{"selp.u32 %r1, arr[1], %r2, %p1;", -1}, {"st.shared.u32 [arr], arr[1];", -1}, {"mov.f32 %f1, arr[1];", -1},
	{"ld.shared.u32 %r1, garr[1];", -1},
}

func TestElementsOfArrays(t *testing.T) {
	for _, c := range elementLines {
		m, err := Parse("t", elementsHead+c.line+"\nret;\n}\n")
		if refused := c.offset == -1; refused != (err != nil) {
			t.Errorf("%s: %v", c.line, err)
			continue
		} else if refused {
			continue
		}
		at := int64(-1)
		for _, o := range m.Functions[0].Code[0].Operands {
			if o.Kind == OpVar || o.Kind == OpAddr {
				at = o.Offset
			}
		}
		if at != c.offset {
			t.Errorf("%s: offset %d, want %d", c.line, at, c.offset)
		}
	}
}

func TestElementsAsPtxas(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	for _, c := range elementLines {
		if v := assemble(t, ptxas, "sm_90", elementsHead+c.line+"\nret;\n}\n"); (v != "") != (c.offset == -1) {
			t.Errorf("%s: %s", c.line, v)
		}
	}
}

// An index in a register is taken by ptxas; here it is refused by name.
func TestIndexInRegister(t *testing.T) {
	_, err := Parse("t", elementsHead+"mov.u32 %r1, arr[%r2];\nret;\n}\n")
	if err == nil || !strings.Contains(err.Error(), "an index that is a constant") {
		t.Error(err)
	}
}
