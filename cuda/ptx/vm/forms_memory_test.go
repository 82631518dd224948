package vm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// The forms of accesses: a run of consecutive elements, a memory that was hit before, one lane's local memory, and each
// lane by itself.

// accessTypes are the types of loads and stores with their registers' type and number.
var accessTypes = []struct {
	typ, reg string
	n, bytes int
}{
	{"b8", "b16", 1, 1}, {"b16", "b16", 1, 2}, {"b32", "b32", 1, 4}, {"b64", "b64", 1, 8}, {"f32", "f32", 1, 4},
	{"f64", "f64", 1, 8}, {"s8", "b32", 1, 1}, {"s16", "b64", 1, 2}, {"u8", "b64", 1, 1}, {"s32", "b64", 1, 4},
	{"b128", "b128", 1, 16}, {"v2.b8", "b16", 2, 2}, {"v4.b8", "b32", 4, 4}, {"v2.b16", "b16", 2, 4},
	{"v4.b16", "b16", 4, 8}, {"v2.b32", "b32", 2, 8}, {"v4.f32", "f32", 4, 16}, {"v2.b64", "b64", 2, 16},
	{"v2.f64", "f64", 2, 16},
}

const accessKernel = `.visible .entry k%[1]d(.param .u64 in, .param .u64 out, .param .b64 given, .param .u64 step)
{
	.reg .pred %%p, %%pa, %%pb, %%low, %%range, %%every;
	.reg .b32 %%lane, %%sh, %%turn;
	.reg .b64 %%in, %%out, %%off, %%from, %%to, %%v, %%el, %%shared, %%local, %%const, %%own, %%loc, %%gen;
	.reg .%[2]s %%x<4>;
	.shared .align 16 .b8 tile[2048];
	.local .align 16 .b8 mine[64];
	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];
	mov.u32 %%lane, %%tid.x;
	mul.wide.u32 %%off, %%lane, 32; add.u64 %%in, %%in, %%off;
	mul.wide.u32 %%off, %%lane, 16; add.u64 %%out, %%out, %%off;
	ld.global.u64 %%from, [%%in]; ld.global.u64 %%to, [%%in+8]; ld.global.u64 %%v, [%%in+16];
	ld.global.u64 %%el, [%%in+24];
	and.b64 %%own, %%v, 4; setp.eq.u64 %%pa, %%own, 0; and.b64 %%own, %%v, 8; setp.eq.u64 %%pb, %%own, 0;
	setp.ge.u32 %%low, %%lane, 5; setp.lt.and.u32 %%range, %%lane, 39, %%low;
	setp.ge.u32 %%every, %%lane, 0;
	mov.u64 %%own, tile; mul.lo.u64 %%off, %%el, %[3]d; add.u64 %%own, %%own, %%off; cvt.u32.u64 %%sh, %%own;
	cvta.shared.u64 %%shared, %%own;
	mov.u64 %%const, table; add.u64 %%const, %%const, %%off;
	and.b64 %%off, %%el, 1; mul.lo.u64 %%off, %%off, 16; mov.u64 %%loc, mine; add.u64 %%loc, %%loc, %%off;
	cvta.local.u64 %%local, %%loc;
	selp.b64 %%gen, %%from, %%shared, %%pa;
	ld.global.%[4]s %[5]s, [%%from];
	mov.b32 %%turn, 0;
again:
	bar.sync 0;
	st.shared.%[4]s [%%own], %[5]s; st.local.%[4]s [mine], %[5]s; st.local.%[4]s [mine+16], %[5]s;
	bar.sync 0;
`

// accessWays are accesses, with T for the type and X for the registers; stores with the load that looks at them.
var accessWays = [][2]string{
	{"ld.param.T X, [given]"}, {"ld.global.T X, [%from]"}, {"ld.T X, [%from]"}, {"ld.volatile.global.T X, [%from]"},
	{"ld.global.nc.T X, [%from]"},
	{"ld.shared.T X, [%own]"}, {"ld.shared.T X, [%sh]"}, {"ld.T X, [%shared]"}, {"ld.local.T X, [%loc]"},
	{"ld.T X, [%local]"}, {"ld.T X, [%gen]"}, {"ld.const.T X, [%const]"}, {"ld.T X, [%const]"},
	{"ld.local.T X, [mine]"}, {"ld.global.T X, [%from]"},
	{"st.global.T [%to], X", "ld.global.T X, [%to]"}, {"st.T [%to], X", "ld.T X, [%to]"},
	{"st.shared.T [%own], X", "ld.shared.T X, [%sh]"}, {"st.shared.T [%sh], X", "ld.T X, [%shared]"},
	{"st.T [%shared], X", "ld.shared.T X, [%own]"}, {"st.local.T [%loc], X", "ld.T X, [%local]"},
	{"st.T [%local], X", "ld.local.T X, [%loc]"}, {"st.volatile.global.T [%to], X", "ld.global.T X, [%to]"},
}

const accessWaysAtMost = 7 * 23

// accessText is a kernel of all ways under all masks, which stores what each leaves.
func accessText(i int) string {
	t := accessTypes[i]
	registers := "%x0"
	if t.n > 1 {
		registers = "{" + strings.Join([]string{"%x0", "%x1", "%x2", "%x3"}[:t.n], ", ") + "}"
	}
	var b strings.Builder
	fmt.Fprintf(&b, accessKernel, i, t.reg, t.bytes, t.typ, registers)
	fill := strings.NewReplacer(".T", "."+t.typ, "X", registers)
	n := 0
	for _, way := range accessWays {
		if strings.Contains(way[0], "given") && t.bytes > 8 {
			continue
		}
		for _, mask := range masks {
			fmt.Fprintf(&b, "\t%s\n", under(mask, fill.Replace(way[0])+";", n))
			if way[1] != "" {
				fmt.Fprintf(&b, "\t%s\n", under(mask, fill.Replace(way[1])+";", n+accessWaysAtMost))
			}
			fmt.Fprintf(&b, "\tst.global.%s [%%out+%d], %s;\n", t.typ, n*16*formsLanes, registers)
			n++
		}
	}
	return b.String() + "\tld.param.u64 %off, [step]; add.u64 %from, %from, %off; add.u64 %to, %to, %off;\n" +
		"\tadd.u32 %turn, %turn, 1; setp.lt.u32 %p, %turn, 2; @%p bra again;\n\tret;\n}\n"
}

// A place is what a lane accesses: an element of its own block's memory, and of one of two buffers.
type reach struct {
	element, buffer int
	skew            int64 // bytes beside it
	next            int   // bytes to the place of the second turn
}

// accessPatterns give the places of lanes.
var accessPatterns = map[string]func(i, bytes int) reach{
	"in order":         func(i, _ int) reach { return reach{element: i} },
	"from the third":   func(i, _ int) reach { return reach{element: i + 3} },
	"reversed":         func(i, _ int) reach { return reach{element: formsLanes - 1 - i} },
	"every other":      func(i, _ int) reach { return reach{element: 2 * i} },
	"shuffled":         func(i, _ int) reach { return reach{element: i * 37 % formsLanes} },
	"in two buffers":   func(i, _ int) reach { return reach{element: i, buffer: i / 30 % 2} },
	"by turns":         func(i, _ int) reach { return reach{element: i, buffer: i % 2} },
	"twice":            func(i, _ int) reach { return reach{element: i &^ bit(i == 21)} },
	"one for all":      func(i, _ int) reach { return reach{element: 5} },
	"past the end":     func(i, _ int) reach { return reach{element: i, skew: int64(bit(i == 33)) << 13} },
	"all past the end": func(i, _ int) reach { return reach{element: i, skew: 1 << 13} },
	"between two":      func(i, n int) reach { return reach{element: i, skew: int64(bit(i == 7) * n / 2)} },
	"then unwritten":   func(i, _ int) reach { return reach{element: i, next: 2048} },
	"nowhere":          func(i, _ int) reach { return reach{element: i, skew: int64(bit(i == 9)) << 60} },
	"unwritten":        func(i, _ int) reach { return reach{element: i, buffer: 2 * bit(i > 40)} },
}

func bit(b bool) int { return int(yes(b)) }

// accessed is what a launch has left: all memory that it may write, or the fault.
type accessed struct {
	memory []byte
	fault  string
}

func (a accessed) String() string {
	if a.fault != "" {
		return a.fault
	}
	return fmt.Sprintf("%x", a.memory)
}

// TestFormsOfAccesses compares what accesses of each type, space, pattern and mask do with what the general form does.
func TestFormsOfAccesses(t *testing.T) {
	text := strings.Builder{}
	text.WriteString(".version 8.8\n.target sm_90\n.address_size 64\n.const .align 16 .b8 table[2048] = {1")
	for i := 1; i < 2048; i++ {
		fmt.Fprintf(&text, ", %d", i*i>>3&255)
	}
	text.WriteString("};\n")
	for i := range accessTypes {
		text.WriteString(accessText(i))
	}
	for name, o := range formOptions {
		general := o
		general.general = true
		m, g := loadText(t, "accesses", text.String(), o), loadText(t, "accesses", text.String(), general)
		for i, typ := range accessTypes {
			for pattern, of := range accessPatterns {
				got, want := runAccesses(m, i, of), runAccesses(g, i, of)
				if !slices.Equal(got.memory, want.memory) || got.fault != want.fault {
					t.Errorf("%s, %s, %s: %.2000v\nin the general form %.2000v", typ.typ, pattern, name, got, want)
				}
			}
		}
	}
}

func runAccesses(m *machine, kernel int, of func(i, bytes int) reach) accessed {
	m.t.Helper()
	n := accessTypes[kernel].bytes
	const size = 4096
	bytes := make([]byte, size/2)
	for i := range bytes {
		bytes[i] = byte(i*i*31 + i>>3)
	}
	var from, to []uint64
	for i := range 3 {
		from, to = append(from, m.alloc(size)), append(to, m.alloc(size))
		if i < 2 {
			m.write(from[i], bytes)
		}
	}
	out := m.alloc(16 * formsLanes * accessWaysAtMost)
	var in []uint64
	for i := range formsLanes {
		p := of(i, n)
		at := uint64(p.element*n) + uint64(p.skew)
		in = append(in, from[p.buffer]+at, to[p.buffer]+at, uint64(i*i*7), uint64(p.element))
	}
	given := uint64(0x0123456789abcdef)
	_, err := m.try(fmt.Sprintf("k%d", kernel), 1, formsLanes, upload(m, in), out, given, of(0, n).next)
	var f *driver.Fault
	switch {
	case errors.As(err, &f):
		return accessed{fault: fmt.Sprint(f.Kind, f.Line, f.Lanes[0], f.Offset, f.Bytes, f.Other != nil)}
	case err != nil:
		m.t.Fatal(err)
	}
	r := accessed{}
	for _, p := range to {
		r.memory = append(r.memory, download[byte](m, p, size)...)
	}
	r.memory = append(r.memory, download[byte](m, out, 16*formsLanes*accessWaysAtMost)...)
	return r
}
