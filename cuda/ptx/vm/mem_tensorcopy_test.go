package vm

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// tensorCase is a copy of a box by a tensor map, there or back.
type tensorCase struct {
	name      string
	typ       driver.TensorMapType
	dims      []uint64
	strides   []uint64
	box       []uint32
	steps     []uint32
	coords    []int32
	swizzle   driver.TensorMapSwizzle
	fill      driver.TensorMapFill
	at        int    // where in shared memory
	operation string // "load", "store", or that of a reduction
}

var tensorCases = func() (list []tensorCase) {
	u16 := tensorCase{typ: driver.TensorUint16, dims: []uint64{256, 64}, strides: []uint64{512}, steps: []uint32{1, 1}}
	for swizzle := range driver.TensorSwizzle128 + 1 {
		for _, operation := range []string{"load", "store"} {
			c := u16
			c.swizzle, c.operation = swizzle, operation
			width := uint32(max(swizzle.Width(), 32) / 2)
			c.box = []uint32{width, 16}
			corners := [][]int32{{8, 4}, {248, 60}, {16, 64}, {-16, -3}, {240, -20}}
			if operation == "store" {
				corners = corners[:3] // what begins before the tensor is illegal
			}
			for i, coords := range corners {
				c.coords, c.at = coords, i*128
				c.name = fmt.Sprintf("%s/%d/%v", operation, swizzle.Width(), coords)
				list = append(list, c)
			}
			c.name, c.box, c.coords, c.at = fmt.Sprintf("%s/%d/narrow", operation, swizzle.Width()), []uint32{8, 12},
				[]int32{16, 3}, 0
			list = append(list, c)
			c.name, c.dims, c.coords = fmt.Sprintf("%s/%d/ragged", operation, swizzle.Width()), []uint64{250, 60},
				[]int32{248, 55}
			list = append(list, c)
		}
	}
	for n := 1; n <= 5; n++ {
		for i, operation := range []string{"load", "store"} {
			row := int32(4*i - 2)
			list = append(list, tensorCase{name: fmt.Sprintf("%s/%dd", operation, n), operation: operation,
				typ:  driver.TensorUint32,
				dims: []uint64{32, 9, 7, 5, 4}[:n], strides: []uint64{128, 1152, 8064, 40320}[:n-1], box: []uint32{16, 4, 3,
					3, 2}[:n],
				steps: []uint32{1, 2, 1, 2, 1}[:n], coords: []int32{4, row, 5, 1, 3}[:n]})
		}
	}
	return append(list, typedTensorCases()...)
}()

// tensorReductions are those that an H200 takes.
var tensorReductions = map[driver.TensorMapType]string{
	driver.TensorUint32: "add min max inc dec and or xor", driver.TensorInt32: "add min max and or xor",
	driver.TensorUint64: "add min max and or xor", driver.TensorInt64: "min max",
	driver.TensorFloat16: "add min max", driver.TensorBfloat16: "add min max", driver.TensorFloat32: "add",
	driver.TensorFloat32FTZ: "add", driver.TensorFloat64: "add", driver.TensorTF32: "add", driver.TensorTF32FTZ: "add",
}

// typedTensorCases are the reductions, and loads of numbers with what is outside and with all kinds of them.
func typedTensorCases() (list []tensorCase) {
	for typ := range driver.TensorTF32FTZ + 1 {
		size := uint64(typ.Size())
		c := tensorCase{typ: typ, dims: []uint64{61, 16}, strides: []uint64{64 * size}, box: []uint32{16, 8},
			steps: []uint32{1, 1}}
		for _, op := range strings.Fields(tensorReductions[typ]) {
			c.name, c.operation, c.coords = typ.String()+"/"+op, op, []int32{48, 11}
			list = append(list, c)
		}
		if typ.Float() {
			c.name, c.operation, c.coords, c.fill = "NaN/"+typ.String(), "load", []int32{-8, -2}, driver.TensorFillNaN
			list = append(list, c)
			c.name, c.coords, c.fill = "load/"+typ.String(), []int32{48, 2}, driver.TensorFillZero
			list = append(list, c)
		}
	}
	return list
}

const tensorText = `.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 coords, .param .u32 at, .param .u32 size,
	.param .u64 image)
{
	.reg .pred %%p<4>;
	.reg .b32 %%r<16>, %%c<5>;
	.reg .b64 %%rd<9>;
	mov.b64 %%rd1, map;
	cvta.param.u64 %%rd1, %%rd1;
	ld.param.u64 %%rd2, [coords];
	ld.param.u32 %%r1, [at];
	ld.param.u32 %%r2, [size];
	ld.param.u64 %%rd3, [image];
	mov.u32 %%r3, smem;
	mov.u32 %%r4, %%tid.x;
	shl.b32 %%r5, %%r4, 2;
IN:
	setp.ge.u32 %%p1, %%r5, 16384;
	@%%p1 bra FILLED;
	cvt.u64.u32 %%rd4, %%r5;
	add.u64 %%rd4, %%rd3, %%rd4;
	ld.global.u32 %%r10, [%%rd4];
	add.u32 %%r6, %%r3, %%r5;
	st.shared.u32 [%%r6], %%r10;
	add.u32 %%r5, %%r5, 512;
	bra IN;
FILLED:
	setp.eq.u32 %%p2, %%r4, 0;
	add.u32 %%r7, %%r3, 16384;
	@%%p2 mbarrier.init.shared::cta.b64 [%%r7], 1;
	fence.proxy.async;
	bar.sync 0;
	%s
	add.u32 %%r8, %%r3, %%r1;
	%s
	bar.sync 0;
	shl.b32 %%r5, %%r4, 2;
OUT:
	setp.ge.u32 %%p1, %%r5, 16384;
	@%%p1 bra DONE;
	add.u32 %%r6, %%r3, %%r5;
	ld.shared.u32 %%r10, [%%r6];
	cvt.u64.u32 %%rd4, %%r5;
	add.u64 %%rd4, %%rd3, %%rd4;
	st.global.u32 [%%rd4], %%r10;
	add.u32 %%r5, %%r5, 512;
	bra OUT;
DONE:
	ret;
}
`

func (c *tensorCase) text() string {
	var load, coords []string
	for i := range c.dims {
		load = append(load, fmt.Sprintf("ld.global.s32 %%c%d, [%%rd2+%d];", i, 4*i))
		coords = append(coords, fmt.Sprintf("%%c%d", i))
	}
	tensor := fmt.Sprintf("[%%rd1, {%s}]", strings.Join(coords, ", "))
	var copying string
	switch c.operation {
	case "load":
		copying = fmt.Sprintf("@%%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r7], %%r2;\n\t"+
			"@%%p2 cp.async.bulk.tensor.%dd.shared::cluster"+
			".global.tile.mbarrier::complete_tx::bytes [%%r8], %s, [%%r7];\nW:\n\t"+
			"mbarrier.try_wait.parity.shared::cta.b64 %%p3, [%%r7], 0;\n\t@!%%p3 bra W;",
			len(c.dims), tensor)
	case "store":
		copying = fmt.Sprintf("@%%p2 cp.async.bulk.tensor.%dd.global.shared::cta.tile.bulk_group %s, [%%r8];",
			len(c.dims), tensor)
	default:
		copying = fmt.Sprintf("@%%p2 cp.reduce.async.bulk.tensor.%dd.global.shared::cta.%s.tile.bulk_group %s, [%%r8];",
			len(c.dims),
			c.operation, tensor)
	}
	if c.operation != "load" {
		copying += "\n\t@%p2 cp.async.bulk.commit_group;\n\t@%p2 cp.async.bulk.wait_group 0;"
	}
	return fmt.Sprintf(tensorText, strings.Join(load, "\n\t"), copying)
}

func (c *tensorCase) config(address uint64) *driver.TensorMapConfig {
	return &driver.TensorMapConfig{Type: c.typ, Address: driver.DevicePtr(address), Dims: c.dims,
		Strides: c.strides, Box: c.box,
		ElementStrides: c.steps, Swizzle: c.swizzle, Fill: c.fill}
}

// tensorMap encodes for the device that the machine runs on.
func (m *machine) tensorMap(c *driver.TensorMapConfig) []byte {
	m.t.Helper()
	if m.gpu != nil {
		got, err := gpu.ctx.EncodeTensorMap(c)
		if err != nil {
			m.t.Fatal(err)
		}
		return got[:]
	}
	got := EncodeTensorMap(c)
	return got[:]
}

// wanted makes the copy on the host, element by element: tensor and image change as they have to.
func (c *tensorCase) wanted(tensor, image []byte) {
	size := c.typ.Size()
	counts := make([]int, len(c.box))
	total := 1
	for i, n := range c.box {
		counts[i] = int((n + c.steps[i] - 1) / c.steps[i])
		if i == 0 {
			counts[i] = int(n)
		}
		total *= counts[i]
	}
	for e := range total {
		rest, row, offset, inside := e/counts[0], e/counts[0], 0, true
		column := int(c.coords[0]) + e%counts[0]
		for i := 1; i < len(counts); i++ {
			at := int(c.coords[i]) + rest%counts[i]*int(c.steps[i])
			rest /= counts[i]
			inside = inside && at >= 0 && at < int(c.dims[i])
			offset += at * int(c.strides[max(i-1, 0)])
		}
		last := int(c.dims[0])
		if c.operation != "load" { // whole pieces of 16 bytes
			last = (last*size + 15) / 16 * 16 / size
		}
		inside = inside && column >= 0 && column < last
		offset += column * size
		pitch := max(counts[0]*size, c.swizzle.Width())
		at := c.at + row*pitch + e%counts[0]*size
		if w := c.swizzle.Width(); w > 0 {
			at ^= at >> 7 % 8 << 4 & (w - 1)
		}
		c.element(tensor, image[at:at+size], offset, inside)
	}
}

func (c *tensorCase) element(tensor, shared []byte, offset int, inside bool) {
	size := c.typ.Size()
	switch {
	case c.operation == "load" && !inside:
		clear(shared)
		if c.fill == driver.TensorFillNaN {
			copy(shared, "\xf7\x7f\xf7\x7f\xf7\x7f\xf7\x7f")
		}
	case c.operation == "load":
		copy(shared, tensor[offset:offset+size])
		(&tensorBox{TensorMapConfig: c.config(0)}).convert(shared)
	case !inside:
	case c.operation == "store":
		copy(tensor[offset:offset+size], shared)
	default:
		var old, v, sum [8]byte
		copy(old[:], tensor[offset:offset+size])
		copy(v[:], shared)
		putWord(sum[:], tensorFolds[c.typ][c.operation](wordOf(old[:]), wordOf(v[:])))
		copy(tensor[offset:offset+size], sum[:size])
	}
}

// Boxes of tensors arrive where a device puts them, there and back, inside of the tensor and outside.
func TestTensorCopies(t *testing.T) {
	for i, c := range tensorCases {
		t.Run(c.name, func(t *testing.T) {
			modes(t, func(t *testing.T, o Options) { c.run(t, rand.New(rand.NewPCG(uint64(i), 91)), o) })
		})
	}
}

func (c *tensorCase) run(t *testing.T, r *rand.Rand, o Options) {
	text := c.text()
	m := onBoth(loadText(t, "tensor", text, o), []byte(text))
	tensor, image := randomElements(r, c.typ, 1<<18), randomElements(r, c.typ, 1<<14)
	size := c.typ.Size()
	for i, n := range c.box {
		if i > 0 {
			n = (n + c.steps[i] - 1) / c.steps[i]
		}
		size *= int(n)
	}
	tensorAt, imageAt := upload(m, tensor), upload(m, image)
	l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 128, Y: 1, Z: 1}, SharedBytes: 16448}
	if _, err := m.tryWith("k", l, m.tensorMap(c.config(tensorAt)), upload(m, c.coords), uint32(c.at),
		uint32(size), imageAt); err != nil {
		t.Fatal(err)
	}
	c.wanted(tensor, image)
	m.same(t, "tensor", tensorAt, tensor)
	m.same(t, "shared memory", imageAt, image)
}

// same compares memory with what it has to hold.
func (m *machine) same(t *testing.T, what string, at uint64, want []byte) {
	t.Helper()
	if why := exactly(download[byte](m, at, len(want)), want); why != "" {
		t.Errorf("%s: %s", what, why)
	}
}

// randomElements are bytes, or floating-point numbers, those of 32 and 16 bits with NaN, infinities, ties of tf32
// and subnormal numbers among them.
func randomElements(r *rand.Rand, t driver.TensorMapType, n int) []byte {
	special := []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7f800001, 0xffc01234, 1, 0x807fffff, 0x3f801000,
		0xbf803000, 0x7f7fffff, 0x7c007c01, 0xfe000001, 0x7f807f81, 0x7fff8000, 0x8000}
	v := make([]byte, n)
	for i := 0; i < n; i += 8 {
		putWord(v[i:], r.Uint64())
	}
	if !t.Float() {
		return v
	}
	for i := t.Size() - 1; i < n; i += t.Size() {
		v[i] = v[i]&0x80 | 0x3a + v[i]&3
	}
	for i := 0; i < n && t.Size() < 8; i += 4 {
		if r.IntN(4) == 0 {
			binary.LittleEndian.PutUint32(v[i:], special[r.IntN(len(special))])
		}
	}
	return v
}

func wordOf(v []byte) uint64     { return binary.LittleEndian.Uint64(v) }
func putWord(v []byte, w uint64) { binary.LittleEndian.PutUint64(v, w) }
