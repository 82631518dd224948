package vm

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// madeMapText has a warp make the map of a matrix of 64 by 16 words, in shared memory and then in global memory, and
// load a box of 16 by 8 from (8, 4) on.
const madeMapText = `.version 8.6
.target sm_90a
.address_size 64
.shared .align 128 .b8 made[128];
.shared .align 1024 .b8 box[512];
.shared .align 8 .b64 bar;
.visible .entry k(.param .u64 matrix, .param .u64 room, .param .u64 out)
{
	.reg .pred %p, %q;
	.reg .b32 %r<8>;
	.reg .b64 %m, %g, %o, %d;
	ld.param.u64 %m, [matrix];
	ld.param.u64 %g, [room];
	ld.param.u64 %o, [out];
	mov.u32 %r0, %tid.x;
	setp.eq.u32 %p, %r0, 0;
	shl.b32 %r1, %r0, 2;
	mov.u32 %r2, made;
	add.u32 %r1, %r1, %r2;
	mov.b32 %r3, 0;
	st.shared.b32 [%r1], %r3;
	bar.warp.sync -1;
	@%p tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r2], %m;
	@%p tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;
	@%p tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 0, 16;
	mov.b32 %r4, 8;
	@%p tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 1, %r4;
	@%p tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 0, 64;
	@%p tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 1, 16;
	mov.b64 %d, 256;
	@%p tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r2], 0, %d;
	@%p tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r2], 0, 1;
	@%p tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r2], 1, 1;
	@%p tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r2], 2;
	@%p tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r2], 0;
	@%p tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r2], 2;
	@%p tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r2], 0;
	bar.warp.sync -1;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%g], [%r2], 128;
	fence.proxy.tensormap::generic.release.gpu;
	fence.proxy.tensormap::generic.acquire.gpu [%g], 128;
	prefetch.tensormap [%g];
	@%p cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%g, {8, 4}];
	@%p cp.async.bulk.prefetch.L2.global [%m], 256;
	@%p mbarrier.init.shared::cta.b64 [bar], 1;
	fence.proxy.async.shared::cluster;
	fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;
	fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
	fence.release.sync_restrict::shared::cta.cluster;
	fence.acquire.sync_restrict::shared::cluster.cluster;
	bar.warp.sync -1;
	@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512;
	@%p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%g, {8, 4}], [bar];
W:
	mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;
	@!%q bra W;
	mov.u32 %r5, box;
	shl.b32 %r6, %r0, 4;
	add.u32 %r5, %r5, %r6;
	mul.wide.u32 %d, %r0, 16;
	add.u64 %o, %o, %d;
	ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%r5];
	st.global.v4.b32 [%o], {%r1, %r2, %r3, %r4};
	ret;
}
`

// A kernel makes a tensor map of zeros and copies by it.
func TestKernelMakesTensorMap(t *testing.T) {
	modes(t, func(t *testing.T, o Options) {
		m := onBoth(loadText(t, "made", madeMapText, o), []byte(madeMapText))
		matrix := make([]uint32, 64*16)
		for i := range matrix {
			matrix[i] = uint32(i)
		}
		out := m.alloc(512)
		if _, err := m.try("k", 1, 32, upload(m, matrix), m.alloc(128), out); err != nil {
			t.Fatal(err)
		}
		for i, got := range download[uint32](m, out, 128) {
			row, at := i/16, i%16*4
			at ^= row / 2 % 4 << 4
			if want := uint32((row+4)*64 + 8 + at/4); got != want {
				t.Fatalf("word %d: %d, want %d", i, got, want)
			}
		}
	})
}

// tensorForms are the forms that the tests of this file and of mem_tensorcopy_test.go run instead of TestISA's rows.
var tensorForms = []string{"cp.tensor.load", "cp.tensor.store", "cp.tensor.reduce", "cp.tensor.prefetch",
	"cp.bulk.prefetch",
	"prefetch.tensormap", "tensormap.address", "tensormap.rank", "tensormap.size", "tensormap.stride", "tensormap.mode",
	"tensormap.copy", "fence.tensormap.acquire", "fence.tensormap.release", "fence.proxy.cluster",
	"fence.generic.acquire", "fence.generic.release", "fence.restrict.acquire", "fence.restrict.release"}

func TestTensorFormsAreRun(t *testing.T) {
	ran := map[string]bool{}
	note(t, ran, madeMapText)
	for i := range tensorCases {
		note(t, ran, tensorCases[i].text())
	}
	for _, name := range tensorForms {
		if !ran[name] {
			t.Errorf("no test has an instruction of form %s", name)
		}
	}
}

// What is wrong with a copy by a tensor map is named. An H200 ends the process with the code of the same kind: an
// illegal instruction, a misaligned address for the place.
func TestTensorFaults(t *testing.T) {
	good := tensorCase{operation: "load", typ: driver.TensorUint16, dims: []uint64{64, 64}, strides: []uint64{128},
		box: []uint32{32, 16}, steps: []uint32{1, 1}, coords: []int32{8, 4}}
	for name, c := range map[string]struct {
		change func(*tensorCase, []byte)
		kind   driver.FaultKind
		want   string
	}{
		"right": {func(*tensorCase, []byte) {}, "", ""},
		"coordinate": {func(c *tensorCase, _ []byte) { c.coords = []int32{3, 0} }, driver.FaultIllegal,
			"the first coordinate is 3, 6 bytes"},
		"place":  {func(c *tensorCase, _ []byte) { c.at = 64 }, driver.FaultMisaligned, "a multiple of 128"},
		"no map": {func(_ *tensorCase, m []byte) { clear(m) }, driver.FaultIllegal, "Box[0]: want 1 to 256"},
		"noise":  {func(_ *tensorCase, m []byte) { m[127] = 1 }, driver.FaultIllegal, "no tensor map"},
		"rank":   {func(_ *tensorCase, m []byte) { m[mapRank] = 0 }, driver.FaultIllegal, "2 coordinates"},
		"past the buffer": {func(c *tensorCase, m []byte) { m[mapDims+4], c.coords = 200, []int32{8, 120} },
			driver.FaultOutOfBounds,
			"of the 8192-byte buffer"},
		"reduction": {func(c *tensorCase, _ []byte) { c.operation = "add" }, driver.FaultIllegal,
			"by .add of elements of uint16"},
		"signed sum": {func(c *tensorCase, _ []byte) {
			c.operation, c.typ, c.strides, c.box = "add", driver.TensorInt64, []uint64{512}, []uint32{8, 8}
		}, driver.FaultIllegal, "by .add of elements of int64"},
		"store before": {func(c *tensorCase, _ []byte) { c.operation, c.coords = "store", []int32{-8, 4} },
			driver.FaultIllegal, "coordinate 0 of a box to write is -8"},
		"reduction before": {func(c *tensorCase, _ []byte) {
			c.operation, c.typ, c.strides, c.coords = "add", driver.TensorUint32, []uint64{256}, []int32{8, -1}
		}, driver.FaultIllegal, "coordinate 1 of a box to write is -1"},
	} {
		t.Run(name, func(t *testing.T) {
			tc := good
			raw := make([]byte, 128)
			c.change(&tc, raw)
			m := loadText(t, "tensor", tc.text(), Checked())
			raw = m.tensorMap(tc.config(upload(m, make([]byte, 8192))))
			c.change(&tc, raw)
			l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 128, Y: 1, Z: 1}, SharedBytes: 16448}
			_, err := m.tryWith("k", l, raw, upload(m, tc.coords), uint32(tc.at), uint32(1024), upload(m, make([]byte, 16384)))
			wantFault(t, err, c.kind, c.want)
		})
	}
}

// Coordinates and fields that no form takes are refused when the text is read.
func TestTensorOperands(t *testing.T) {
	for _, text := range []string{
		"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r1}], [%r2];",
		"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r1], 5, %r2;",
		"tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r1], 13;",
		"tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r1], %r2;",
		"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;",
	} {
		head := ".version 8.6\n.target sm_90a\n.address_size 64\n.entry k() { .reg .b32 %r<4>; .reg .b64 %d<4>; "
		if _, err := ptx.Parse("t", head+text+" ret; }"); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
