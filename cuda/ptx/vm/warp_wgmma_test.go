package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// groupCase is one wgmma over random operands: two warp groups, each with an a and a sum of its own.
type groupCase struct {
	shape, types   string // m64n24k16, f32.f16.f16
	swizzle        int    // bytes of a pattern's row: 16 (none), 32, 64, 128
	registers      bool   // a comes in registers
	transA, transB bool
	negative       bool // b is
	step           int  // along k within a pattern, in 32 bytes
}

var groupCases = func() (list []groupCase) {
	for _, swizzle := range []int{16, 32, 64, 128} {
		list = append(list,
			groupCase{shape: "m64n24k16", types: "f32.f16.f16", swizzle: swizzle, step: swizzle / 128 * 3},
			groupCase{shape: "m64n8k16", types: "f16.f16.f16", swizzle: swizzle, registers: true, negative: true},
			groupCase{shape: "m64n16k16", types: "f32.bf16.bf16", swizzle: swizzle, transA: true, transB: true},
			groupCase{shape: "m64n72k16", types: "f32.f16.f16", swizzle: swizzle, registers: true, transB: true},
			groupCase{shape: "m64n8k16", types: "f16.f16.f16", swizzle: swizzle, transA: true, negative: true},
			groupCase{shape: "m64n16k8", types: "f32.tf32.tf32", swizzle: swizzle, step: swizzle / 128},
			groupCase{shape: "m64n8k8", types: "f32.tf32.tf32", swizzle: swizzle, registers: true},
			groupCase{shape: "m64n32k32", types: "f32.e4m3.e4m3", swizzle: swizzle},
			groupCase{shape: "m64n8k32", types: "f32.e5m2.e4m3", swizzle: swizzle, registers: true, negative: true},
			groupCase{shape: "m64n16k32", types: "f16.e4m3.e5m2", swizzle: swizzle},
			groupCase{shape: "m64n24k32", types: "s32.s8.u8", swizzle: swizzle, step: swizzle / 64},
			groupCase{shape: "m64n8k32", types: "s32.u8.s8", swizzle: swizzle, registers: true},
			groupCase{shape: "m64n16k32", types: "s32.s8.s8.satfinite", swizzle: swizzle},
			groupCase{shape: "m64n32k256", types: "s32.b1.b1.and.popc", swizzle: swizzle})
	}
	return append(list, groupCase{shape: "m64n256k16", types: "f32.f16.f16", swizzle: 128, transB: true},
		groupCase{shape: "m64n128k16", types: "f32.bf16.bf16", swizzle: 64, transA: true, transB: true})
}()

func (c groupCase) n() (n int) {
	_, _ = fmt.Sscanf(c.shape, "m64n%d", &n) // the shapes above
	return n
}

func (c groupCase) typ(i int) ptx.Type {
	t, _ := ptx.TypeByName(strings.Split(c.types, ".")[i])
	return t
}

func (c groupCase) sums() int {
	if c.typ(0) == ptx.F16 {
		return c.n() / 4
	}
	return c.n() / 2
}

// text loads shared memory, the sums and a, multiplies, and stores the sums.
func (c groupCase) text() string {
	var load, store, regs []string
	for i := range c.sums() {
		load = append(load, fmt.Sprintf("ld.global.b32 %%s%d, [%%acc+%d];", i, 4*i))
		store = append(store, fmt.Sprintf("st.global.b32 [%%out+%d], %%s%d;", 4*i, i))
		regs = append(regs, fmt.Sprintf("%%s%d", i))
	}
	factor, tail := "%da", ", %scale"
	if c.registers {
		factor = "{%a0, %a1, %a2, %a3}"
	}
	if size := c.typ(1).Size(); c.typ(0) != ptx.S32 {
		tail += ", 1, " + map[bool]string{false: "1", true: "-1"}[c.negative]
		if size == 2 && !c.registers {
			tail += fmt.Sprintf(", %d", yes(c.transA))
		}
		if size == 2 {
			tail += fmt.Sprintf(", %d", yes(c.transB))
		}
	}
	return fmt.Sprintf(groupText, c.sums(), strings.Join(load, "\n\t"), c.shape, c.types,
		strings.Join(regs, ", "), factor, tail,
		strings.Join(store, "\n\t"))
}

const groupText = `.version 8.4
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 image, .param .u32 size, .param .u64 descs, .param .u64 regs, .param .u64 acc,
	.param .u64 out, .param .u32 add)
{
	.reg .pred %%p, %%scale;
	.reg .b32 %%s<%[1]d>, %%a<4>, %%t<8>, %%n, %%size, %%add;
	.reg .b64 %%da, %%db, %%d<4>, %%acc, %%out, %%base, %%from;
	ld.param.u32 %%size, [size];
	ld.param.u64 %%d0, [image];
	mov.u32 %%t0, %%tid.x;
	shl.b32 %%t1, %%t0, 4;
	mov.u32 %%t2, tile;
LOAD:
	setp.ge.u32 %%p, %%t1, %%size;
	@%%p bra LOADED;
	cvt.u64.u32 %%d1, %%t1;
	add.u64 %%d1, %%d0, %%d1;
	ld.global.v4.u32 {%%t4, %%t5, %%t6, %%t7}, [%%d1];
	add.u32 %%t3, %%t2, %%t1;
	st.shared.v4.u32 [%%t3], {%%t4, %%t5, %%t6, %%t7};
	mov.u32 %%n, %%ntid.x;
	mad.lo.u32 %%t1, %%n, 16, %%t1;
	bra LOAD;
LOADED:
	fence.proxy.async;
	bar.sync 0;
	// The descriptors of a group: a and b, from the start of tile.
	ld.param.u64 %%from, [descs];
	shr.u32 %%t1, %%t0, 7;
	mul.wide.u32 %%d1, %%t1, 16;
	add.u64 %%from, %%from, %%d1;
	ld.global.v2.u64 {%%da, %%db}, [%%from];
	shr.u32 %%t1, %%t2, 4;
	cvt.u64.u32 %%base, %%t1;
	add.u64 %%da, %%da, %%base;
	add.u64 %%db, %%db, %%base;
	ld.param.u64 %%from, [regs];
	mul.wide.u32 %%d1, %%t0, 16;
	add.u64 %%from, %%from, %%d1;
	ld.global.v4.u32 {%%a0, %%a1, %%a2, %%a3}, [%%from];
	mul.wide.u32 %%d1, %%t0, %[1]d;
	shl.b64 %%d1, %%d1, 2;
	ld.param.u64 %%acc, [acc];
	add.u64 %%acc, %%acc, %%d1;
	ld.param.u64 %%out, [out];
	add.u64 %%out, %%out, %%d1;
	ld.param.u32 %%add, [add];
	setp.ne.u32 %%scale, %%add, 0;
	%[2]s
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.%[3]s.%[4]s {%[5]s}, %[6]s, %%db%[7]s;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	%[8]s
	ret;
}
`

// groupOperands are the rows of both factors as bytes, with the accumulators by row and column.
type groupOperands struct {
	a, b [][rowsBytes]byte
	acc  [][]uint32
}

// randomBits gives a number of a type, of the exponents around 1.
func randomBits(r *rand.Rand, t ptx.Type) uint32 {
	f, ok := floatLayouts[t]
	if !ok {
		return r.Uint32()
	}
	e := uint32(1)<<(f.Exponent-1) - 1 + uint32(r.IntN(7)) - 3
	v := uint32(r.IntN(2))<<(f.Exponent+f.Mantissa) | e<<f.Mantissa | r.Uint32()&(1<<f.Mantissa-1)
	if t == ptx.TF32 {
		return v<<13 | r.Uint32()&0x1fff
	}
	return v
}

func randomRows(r *rand.Rand, n int, t ptx.Type) [][rowsBytes]byte {
	rows := make([][rowsBytes]byte, n)
	for i := range rows {
		for k := 0; k < rowsBytes; k += t.Size() {
			v := randomBits(r, t)
			var word [4]byte
			binary.LittleEndian.PutUint32(word[:], v)
			copy(rows[i][k:], word[:t.Size()])
		}
	}
	return rows
}

// layOut puts a factor into shared memory from offset at on, and gives its descriptor. A pattern is eight rows
// of so many bytes, with its pieces of 16 bytes in the order of the row's number exclusive-or; patterns follow
// each other 2048 and 4096 bytes apart in the two directions.
func (c groupCase) layOut(image []byte, at int, rows [][rowsBytes]byte, transposed bool) uint64 {
	const near, far = 2048, 4096
	w := c.swizzle
	put := func(line, offset, along, across int, v []byte) {
		phase := line * w / 128 % 8
		piece := offset/16 ^ phase&(w/16-1)
		copy(image[at+along+across+line*w+piece*16+offset%16:], v)
	}
	leading, stride := near, far
	for r := range rows {
		for i := range 16 {
			switch v := rows[r][2*i : 2*i+2]; {
			case transposed: // lines are along k, their elements along the rows
				put(i%8, 2*r%w, 2*r/w*near, i/8*far*8, v)
			case w == 16:
				put(r%8, 2*i%16, 2*i/16*near, r/8*far, v)
			default:
				put(r%8, 2*i+32*c.step, 0, r/8*near, v)
			}
		}
	}
	switch {
	case transposed && w == 16:
		leading, stride = far*8, near
	case transposed:
		leading, stride = near, far*8
	case w != 16:
		leading, stride = 16, near
	}
	mode := map[int]uint64{16: 0, 128: 1, 64: 2, 32: 3}[w]
	start := at
	if !transposed {
		start += 32 * c.step
	}
	return uint64(start>>4) | uint64(leading>>4)<<16 | uint64(stride>>4)<<32 | mode<<62
}

// wanted is one sum, by the rule.
func (c groupCase) wanted(a, b *[rowsBytes]byte, acc uint32) uint32 {
	switch {
	case c.typ(1) == ptx.B1:
		for i := range a {
			for bit := range 8 {
				acc += uint32(a[i] & b[i] >> bit & 1)
			}
		}
		return acc
	case c.typ(0) == ptx.S32:
		return c.wantedInteger(a, b, acc)
	}
	return c.wantedFloat(a, b, acc)
}

func (c groupCase) wantedInteger(a, b *[rowsBytes]byte, acc uint32) uint32 {
	value := func(t ptx.Type, v byte) int64 {
		if t == ptx.S8 {
			return int64(int8(v))
		}
		return int64(v)
	}
	s := int64(int32(acc))
	for i := range a {
		s += value(c.typ(1), a[i]) * value(c.typ(2), b[i])
	}
	if strings.Contains(c.types, "satfinite") {
		s = min(max(s, math.MinInt32), math.MaxInt32)
	}
	return uint32(s)
}

// numberOf gives an element as a number.
func numberOf(t ptx.Type, bits uint32) float64 {
	if t == ptx.TF32 {
		bits >>= 13
	}
	return floatLayouts[t].Value(bits)
}

func elementOf(row *[rowsBytes]byte, i, size int) uint32 {
	var word [4]byte
	copy(word[:], row[i*size:(i+1)*size])
	return binary.LittleEndian.Uint32(word[:])
}

// wantedFloat cuts every term below 25 bits (of 8-bit factors 13) behind the largest exponent's, adds, and rounds.
func (c groupCase) wantedFloat(a, b *[rowsBytes]byte, acc uint32) uint32 {
	ta, tb, kept := c.typ(1), c.typ(2), 25
	if ta.Size() == 1 {
		kept = 13
	}
	var terms []float64 // exact, as are their sums
	top := math.MinInt
	for i := range rowsBytes / ta.Size() {
		x, y := numberOf(ta, elementOf(a, i, ta.Size())), numberOf(tb, elementOf(b, i, tb.Size()))
		if c.negative {
			y = -y
		}
		terms, top = append(terms, x*y), max(top, math.Ilogb(x)+math.Ilogb(y))
	}
	if acc != 0 {
		x := numberOf(c.typ(0), acc)
		terms, top = append(terms, x), max(top, math.Ilogb(x))
	}
	sum := 0.0
	for _, x := range terms {
		sum += math.Trunc(math.Ldexp(x, kept-top))
	}
	sum = math.Ldexp(sum, top-kept)
	if c.typ(0) == ptx.F16 {
		return uint32(num.F16.Encode(math.Ldexp(math.RoundToEven(math.Ldexp(sum, 10-math.Ilogb(sum))), math.Ilogb(sum)-10)))
	}
	digits := 23
	if kept == 13 {
		digits = 13
	}
	e := math.Ilogb(sum) - digits
	return math.Float32bits(float32(math.Ldexp(math.Trunc(math.Ldexp(sum, -e)), e)))
}

func randomOperands(r *rand.Rand, c groupCase) (ops [2]groupOperands) {
	b := randomRows(r, c.n(), c.typ(2))
	for g := range ops {
		ops[g] = groupOperands{a: randomRows(r, groupRows, c.typ(1)), b: b}
		for range groupRows {
			var row []uint32
			for range c.n() {
				row = append(row, randomBits(r, c.typ(0)))
			}
			ops[g].acc = append(ops[g].acc, row)
		}
	}
	return ops
}

// words gives the sums of a lane from those by row and column.
func (c groupCase) words(lane int, at func(row, col int) uint32) (out []uint32) {
	row, col := lane/32*16+lane%32/4, lane%4*2
	for i := range c.sums() {
		if c.typ(0) == ptx.F16 {
			r, k := row+8*(i%2), col+8*(i/2)
			out = append(out, at(r, k)|at(r, k+1)<<16)
		} else {
			out = append(out, at(row+8*(i/2%2), col+8*(i/4)+i%2))
		}
	}
	return out
}

// Products of warp groups are what the rule says, for every type, swizzle and way in which a factor comes.
func TestGroupMatrices(t *testing.T) {
	for i, c := range groupCases {
		name := fmt.Sprintf("%s.%s/%d/%v%v%v", c.shape, c.types, c.swizzle, c.registers, c.transA, c.transB)
		t.Run(name, func(t *testing.T) {
			modes(t, func(t *testing.T, o Options) { c.run(t, rand.New(rand.NewPCG(uint64(i), 90)), o) })
		})
	}
}

func (c groupCase) run(t *testing.T, r *rand.Rand, o Options) {
	text := c.text()
	m := onBoth(loadText(t, "wgmma", text, o), []byte(text))
	ops := randomOperands(r, c)
	image := make([]byte, 224<<10)
	var descs []uint64
	var regs, acc []uint32
	const pitch = 64 << 10
	db := c.layOut(image, 2*pitch, ops[0].b, c.transB)
	for g := range ops {
		descs = append(descs, c.layOut(image, g*pitch, ops[g].a, c.transA), db)
		for l := range groupLanes {
			for w := range 4 {
				regs = append(regs, binary.LittleEndian.Uint32(ops[g].a[l/32*16+l%32/4+8*(w%2)][16*(w/2)+4*(l%4):]))
			}
			acc = append(acc, c.words(l, func(row, col int) uint32 { return ops[g].acc[row][col] })...)
		}
	}
	for add := range uint32(2) {
		out := m.alloc(uint64(4 * len(acc)))
		l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 256, Y: 1, Z: 1}, SharedBytes: uint32(len(image))}
		if _, err := m.tryWith("k", l,
			upload(m, image), uint32(len(image)), upload(m, descs), upload(m, regs), upload(m, acc), out, add); err != nil {
			t.Fatal(err)
		}
		c.compare(t, &ops, download[uint32](m, out, len(acc)), add)
	}
}

func (c groupCase) compare(t *testing.T, ops *[2]groupOperands, got []uint32, add uint32) {
	for l := range 2 * groupLanes {
		g := &ops[l/groupLanes]
		want := c.words(l%groupLanes, func(row, col int) uint32 {
			return c.wanted(&g.a[row], &g.b[col], g.acc[row][col]*add)
		})
		for i, w := range want {
			if v := got[l*len(want)+i]; v != w {
				t.Fatalf("lane %d, register %d, adding %d: %#x, want %#x", l, i, add, v, w)
			}
		}
	}
}

// groupForms are the forms that these tests run instead of TestISA's rows, which are of one warp.
var groupForms = map[string]bool{"setmaxnreg": true, "wgmma.fence": true, "wgmma.commit": true, "wgmma.wait": true,
	"wgmma.half": true, "wgmma.tf32": true, "wgmma.f8": true, "wgmma.int8": true, "wgmma.b1": true}

// ranElsewhere says that a form has a test that is no row of TestISA.
func ranElsewhere(form string) bool {
	return groupForms[form] || multicastForms[form] != "" || slices.Contains(tensorForms, form)
}

func TestGroupFormsAreRun(t *testing.T) {
	ran := map[string]bool{"setmaxnreg": true} // TestGroupFaults
	for _, c := range groupCases {
		note(t, ran, c.text())
	}
	for name := range groupForms {
		if !ran[name] {
			t.Errorf("no case has an instruction of form %s", name)
		}
	}
}

// What is wrong with a warp group's instruction is named.
func TestGroupFaults(t *testing.T) {
	const product = "wgmma.fence.sync.aligned;\n\t" +
		"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%s0, %s1, %s2, %s3}, %da, %db, 0, 1, 1;"
	fill := "shl.b32 %t1, %t0, 4;\n\tmov.b32 %t2, 0;\n\tst.shared.v4.u32 [%t1], {%t2, %t2, %t2, %t2};\n\t" +
		"st.shared.v4.u32 [%t1+2048], {%t2, %t2, %t2, %t2};\n\t" +
		"bar.sync 0;\n\tmov.u64 %da, 0x1000080000;\n\tmov.u64 %db, %da;\n\t"
	for _, c := range []struct {
		name, body string
		block      uint32
		kind       driver.FaultKind
		want       string
	}{
		{"right", fill + product, 128, "", ""},
		{"registers", "setmaxnreg.dec.sync.aligned.u32 24;\n\tsetmaxnreg.inc.sync.aligned.u32 240;", 256, "", ""},
		{"two warps", fill + product, 64, driver.FaultShuffleMask, "64 of the 128 lanes of warp group 0 are there"},
		{"one warp less", "setp.lt.u32 %p, %t0, 96;\n\t@%p setmaxnreg.dec.sync.aligned.u32 24;\n\tbar.sync 0;", 128,
			driver.FaultShuffleMask, "the other warps of their warp group"},
		{"exited", "setp.lt.u32 %p, %t0, 32;\n\t@%p ret;\n\tsetmaxnreg.dec.sync.aligned.u32 24;", 128,
			driver.FaultShuffleMask, "others have exited"},
		{"own descriptors", fill + "cvt.u64.u32 %da, %t0;\n\t" + product, 128, driver.FaultLimit,
			"all lanes of a warp group give the same"},
		{"out of bounds", fill + "mov.u64 %db, 0x1000080200;\n\t" + product, 128, driver.FaultOutOfBounds, "byte 8192"},
		{"two faults", fill + "mov.u64 %da, 0x10000800000;\n\t" + product, 128, driver.FaultOutOfBounds, "byte 8192"},
		{"uninitialised", fill + "mov.u64 %db, 0x1000080100;\n\t" + product, 128, driver.FaultUninitialized, "byte 4096"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := ".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n" +
				".visible .entry k()\n{\n\t.reg .pred %p;\n\t.reg .b32 %t<4>;\n\t.reg .f32 %s<4>;\n" +
				"\t.reg .b64 %da, %db;\n\tmov.u32 %t0, %tid.x;\n\t" + c.body + "\n\tret;\n}\n"
			m := loadText(t, "wgmma", text, Checked())
			l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: c.block, Y: 1, Z: 1}, SharedBytes: 8192}
			_, err := m.tryWith("k", l)
			wantFault(t, err, c.kind, c.want)
		})
	}
}

// wantFault compares an error with the kind of fault and a part of its text; no kind is for no error.
func wantFault(t *testing.T, err error, kind driver.FaultKind, part string) {
	t.Helper()
	var f *Fault
	switch {
	case kind == "" && err == nil:
	case !errors.As(err, &f) || f.Kind != kind || !strings.Contains(f.Error(), part):
		t.Errorf("%v, want %q with %q", err, kind, part)
	}
}
