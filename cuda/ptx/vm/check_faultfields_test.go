package vm

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

const smallHead = ".version 8.0\n.target sm_80\n.address_size 64\n"

// smallEntry has a pointer p in %rd1, the thread's number in %r1 and, beside it, room.
func smallEntry(body string) string {
	return smallHead + `.visible .entry k(.param .u64 p) {
.reg .pred %q<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; mul.wide.u32 %rd3, %r1, 2; add.u64 %rd3, %rd1, %rd3;
` + body + "\nret; }\n"
}

func faultOf(t *testing.T, text string, o Options, grid, block uint32) (*Fault, error) {
	t.Helper()
	m := loadText(t, "t", text, o)
	_, err := m.try("k", grid, block, upload(m, make([]uint32, 1024)))
	var f *Fault
	errors.As(err, &f)
	return f, err
}

// P2, P3, P4, P6, P7, P14: what is reported by default, with strict checks, and what is not.
func TestSmallTexts(t *testing.T) {
	strict := Checked()
	strict.Strict = true
	wait := "W: ld.acquire.gpu.u32 %r5, [%rd1+128]; setp.ne.u32 %q1, %r5, 2; @%q1 bra W;"
	for _, c := range []struct {
		name, body       string
		grid, block      uint32
		kind, strictKind driver.FaultKind
	}{
		{"halfwords in place", "ld.global.u16 %h1, [%rd3]; add.u16 %h1, %h1, 1; st.global.u16 [%rd3], %h1;", 1, 64, "", ""},
		{"bytes in place",
			"cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd1, %rd4; ld.global.u8 %h1, [%rd4]; add.u16 %h1, %h1, 1; " +
				"st.global.u8 [%rd4], %h1;", 1, 64, "", ""},
		{"the time of a reader",
			`setp.ne.u32 %q2, %r1, 0; @%q2 bra E; ld.global.u32 %r6, [%rd1]; atom.add.release.gpu.u32 %r4, [%rd1+128], 1;
			mov.u32 %r7, %ctaid.x; setp.ne.u32 %q3, %r7,
				1; @%q3 bra E; ` + wait + " st.global.u32 [%rd1], 7; E:", 2, 64, "", ""},
		{"the time of a reader, unreleased",
			`setp.ne.u32 %q2, %r1, 0; @%q2 bra E; ld.global.u32 %r6, [%rd1]; atom.add.relaxed.gpu.u32 %r4, [%rd1+128], 1;
			mov.u32 %r7, %ctaid.x; setp.ne.u32 %q3, %r7,
				1; @%q3 bra E; ` + wait + " st.global.u32 [%rd1], 7; E:", 2, 64, driver.FaultRace, driver.FaultRace},
		{"equal values", "mov.u32 %r5, 7; st.global.u32 [%rd1], %r5;", 1, 64, "", driver.FaultRace},
		{"equal pairs", "mov.u32 %r5, 7; st.global.v2.u32 [%rd1], {%r5, %r5};", 1, 64, "", driver.FaultRace},
		{"equal fours", "mov.u32 %r5, 7; st.global.v4.u32 [%rd1], {%r5, %r5, 7, %r5};", 2, 64, "", driver.FaultRace},
		{"pairs that differ", "st.global.v2.u32 [%rd1], {1, %r1};", 1, 64, driver.FaultRace, driver.FaultRace},
		{"a sum of zeros",
			"ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd2+64]; add.u32 %r5, %r5, %r6; st.global.u32 [%rd1], %r5;",
			1, 2, driver.FaultRace, driver.FaultRace},
		{"a sum of zeros in blocks",
			"ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd2+64]; add.u32 %r5, %r5, %r6; st.global.u32 [%rd1], %r5;",
			2, 1, driver.FaultRace, driver.FaultRace},
		{"a first load before cas",
			"ld.global.u32 %r5, [%rd1]; L: mov.u32 %r6, %r5; add.u32 %r7, %r6, 1; atom.global.cas.b32 %r5, [%rd1], " +
				"%r6, %r7; setp.ne.u32 %q1, %r5, %r6; @%q1 bra L;",
			2, 64, "", driver.FaultRace},
		{"a read beside atomics",
			"setp.lt.u32 %q1, %r1, 32; @%q1 atom.global.add.u32 %r5, [%rd1], 1; @!%q1 ld.global.u32 %r5, [%rd1];", 1, 64,
			"", driver.FaultRace},
		{"a result read too early", "atom.global.add.u32 %r5, [%rd1], 1; ld.global.u32 %r5, [%rd1];", 1, 64,
			driver.FaultRace, driver.FaultRace},
		{"a store beside atomics",
			"setp.lt.u32 %q1, %r1, 32; @%q1 bra A; st.global.u32 [%rd1], 0; bra E; A: atom.global.add.u32 %r5, " +
				"[%rd1], 1; E:", 1, 64, driver.FaultRace, driver.FaultRace},
		{"a barrier beside lanes that left", "setp.gt.u32 %q1, %r1, 39; @%q1 bra E; bar.sync 0; E:", 1, 64,
			driver.FaultBarrierDivergence, driver.FaultBarrierDivergence},
		{"a warp that left", "setp.gt.u32 %q1, %r1, 31; @%q1 bra E; bar.sync 0; E:", 1, 64, "", ""},
		{"trips that differ",
			"and.b32 %r2, %r1, 1; L: bar.sync 0; sub.u32 %r2, %r2, 1; setp.eq.u32 %q1, %r2, 0; @%q1 bra L;", 1, 64,
			driver.FaultBarrierDivergence, driver.FaultBarrierDivergence},
		{"an unaligned barrier", "setp.gt.u32 %q1, %r1, 39; @%q1 bra E; barrier.sync 0; E:", 1, 64, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, procs := range []int{1, 4} {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					for o, want := range map[Options]driver.FaultKind{Checked(): c.kind, strict: c.strictKind} {
						f, err := faultOf(t, smallEntry(c.body), o, c.grid, c.block)
						if (f == nil) != (want == "") || f == nil && err != nil || f != nil && f.Kind != want {
							t.Errorf("strict %v: %v, want %q", o.Strict, err, want)
						}
					}
				}()
			}
		})
	}
}

// P14, U3: each side of a race is named, with its own line, and no thread races with itself.
func TestSidesOfARace(t *testing.T) {
	body := "ld.global.u32 %r5, [%rd1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd1], %r5;"
	for _, c := range []struct{ grid, block uint32 }{{1, 2}, {1, 32}, {1, 64}, {2, 1}, {2, 64}} {
		f, err := faultOf(t, smallEntry(body), Checked(), c.grid, c.block)
		if f == nil || f.Other == nil {
			t.Fatalf("%+v: %v", c, err)
		}
		read, write := f.Other, &driver.Side{Access: f.Access, Line: f.Line, Instruction: f.Instruction}
		if f.Access == driver.AccessRead {
			read, write = write, read
		}
		if write.Access != driver.AccessWrite || write.Line != 10 || write.Instruction != "st.global.u32" ||
			read.Access != driver.AccessRead || read.Line != 8 || read.Instruction != "ld.global.u32" {
			t.Errorf("%+v: %+v, %+v", c, f, f.Other)
		}
		if len(f.Lanes) == 0 || f.Other.Block == f.Block && f.Other.Thread == f.Lanes[0] {
			t.Errorf("%+v: the thread %v races with itself: %v", c, f.Lanes, f.Other)
		}
	}
}

// P8, P9 and the fields: all lanes, the mask, the variable, what was done.
func TestFaultFields(t *testing.T) {
	const table = ".const .align 4 .b8 table[32];\n.global .align 4 .u32 total;\n"
	variables := func(body string) string { return strings.Replace(smallEntry(body), smallHead, smallHead+table, 1) }
	for _, c := range []struct {
		name, text string
		kind       driver.FaultKind
		lanes      int
		access     driver.AccessKind
		variable   string
		mask       uint32
		has        string
	}{
		{"constant",
			variables("mov.u64 %rd4, table; mul.wide.u32 %rd5, %r1, 8; add.u64 %rd4, %rd4, %rd5; ld.const.u32 %r5, " +
				"[%rd4];"), driver.FaultOutOfBounds, 28, driver.AccessRead, "table", 0,
			"byte 32 of the 32-byte const variable table"},
		{"global", variables("mov.u64 %rd4, total; add.u64 %rd4, %rd4, 4; st.global.u32 [%rd4], 1;"),
			driver.FaultOutOfBounds, 32, driver.AccessWrite, "total", 0, "4-byte global variable total"},
		{"atomic", smallEntry("atom.global.add.u32 %r5, [%rd2+4092], 1;"), driver.FaultOutOfBounds, 31,
			driver.AccessAtomic, "", 0, "changed atomically at byte 4096 of the 4096-byte buffer"},
		{"misaligned", smallEntry("ld.global.u32 %r5, [%rd3];"), driver.FaultMisaligned, 16, driver.AccessRead, "", 0,
			"4 bytes read at byte 2"},
		{"uninitialised", smallEntry(".shared .align 4 .b8 tile[128]; ld.shared.u32 %r5, [tile]; add.u32 %r5, %r5, 1;"),
			driver.FaultUninitialized, 32, driver.AccessRead, "tile", 0, "shared variable tile"},
		{"shuffle", smallEntry("setp.gt.u32 %q1, %r1, 15; @%q1 bra E; shfl.sync.idx.b32 %r5, %r1, 20, 31, 0xffff; E:"),
			driver.FaultShuffleMask, 16, "", "", 0xffff, "reads lane 20"},
		{"trap", smallEntry("setp.gt.u32 %q1, %r1, 27; @%q1 trap;"), driver.FaultTrap, 4, "", "", 0, "trap"},
		{"null",
			smallEntry("mov.u64 %rd4, 0; F: .callprototype _ (.param .b64 _); { .param .b64 a; st.param.b64 [a], " +
				"%rd1; call %rd4, (a), F; }"), driver.FaultBadCall, 32, "", "", 0, "an indirect call of null"},
		{"spin", smallEntry("L: ld.volatile.global.u32 %r5, [%rd1+8]; setp.eq.u32 %q1, %r5, 0; @%q1 bra L;"),
			driver.FaultDeadlock, 32, driver.AccessRead, "", 0, "byte 8 of the 4096-byte buffer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := faultOf(t, c.text, Checked(), 1, 32)
			if f == nil || f.Kind != c.kind || len(f.Lanes) != c.lanes || f.Access != c.access ||
				f.Variable != c.variable || f.Mask != c.mask {
				t.Errorf("%+v\n%v", f, err)
			}
			if err == nil || !strings.Contains(err.Error(), c.has) {
				t.Errorf("%v\nlacks %q", err, c.has)
			}
		})
	}
}

// The text of a fault begins with what was found and where, and says nothing twice.
func TestFaultText(t *testing.T) {
	body := "bar.sync 0;\n.loc 1 2 0\nld.global.u32 %r5, [%rd1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd1], %r5;"
	text := ".file 1 \"In[1]\"\n"
	for _, c := range []struct{ text, want string }{
		{smallEntry(strings.Replace(body, ".loc 1 2 0\n", "", 1)), `data race in kernel k, PTX line 11
    st.global.u32 [%rd1], %r5;
    ^
  thread (0,0,0) of block (0,0,0) writes what thread (1,0,0) read at PTX line 9 (ld.global.u32)` +
			`, and nothing orders the two
  4 bytes at byte 0 of the 4096-byte buffer at 0x7f0000000000 (parameter p), element 0 of 1024`},
		{smallEntry(body) + text, `data race in kernel k, In[1]:2
  thread (0,0,0) of block (0,0,0) writes what thread (1,0,0) read at In[1]:2 (ld.global.u32), and nothing orders the two
  4 bytes at byte 0 of the 4096-byte buffer at 0x7f0000000000 (parameter p), element 0 of 1024
  PTX line 12: st.global.u32`},
	} {
		if _, err := faultOf(t, c.text, Checked(), 1, 2); err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant\n%s", err, c.want)
		}
	}
}
