package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

const boxText = `.version 8.0
.target sm_90
.address_size 64
.shared .align 128 .b8 box[512];
.shared .align 8 .b64 bar;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128], .param .u32 x, .param .u32 y)
{
	.reg .pred %p, %q;
	.reg .b32 %r<6>;
	.reg .b64 %d<4>;
	ld.param.u64 %d0, [out];
	mov.b64 %d1, map;
	cvta.param.u64 %d1, %d1;
	ld.param.u32 %r1, [x];
	ld.param.u32 %r2, [y];
	mov.u32 %r0, %tid.x;
	setp.eq.u32 %p, %r0, 0;
	@%p mbarrier.init.shared::cta.b64 [bar], 1;
	fence.proxy.async;
	bar.sync 0;
	@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512;
	@%p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%d1, {%r1, %r2}], [bar];
W:
	mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;
	@!%q bra W;
	mov.u32 %r3, box;
	shl.b32 %r4, %r0, 2;
	add.u32 %r3, %r3, %r4;
	ld.shared.u32 %r5, [%r3];
	cvt.u64.u32 %d2, %r4;
	add.u64 %d0, %d0, %d2;
	st.global.u32 [%d0], %r5;
	ret;
}
`

// A kernel takes a box of a matrix by a tensor map.
func TestTensorMapArgument(t *testing.T) {
	d := MustOpen("emulated")
	defer func() { _ = d.Close() }() // the test's own device
	x := make([]float32, 64*32)
	for i := range x {
		x[i] = float32(i)
	}
	m := d.MustUpload(x).MustTensorMap(TensorSpec{Dims: []int{64, 32}, Box: []int{16, 8}})
	out := d.MustMake(128, float32(0))
	k := d.MustLoadPTX(boxText).MustKernel("k")
	if err := d.Launch(k, Grid(1), Block(128), out, m, 60, 28); err != nil {
		t.Fatal(err)
	}
	got := make([]float32, 128)
	if err := out.Read(0, got); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		row, col, want := 28+i/16, 60+i%16, float32(0)
		if row < 32 && col < 64 {
			want = float32(row*64 + col)
		}
		if v != want {
			t.Fatalf("%d: %v, want %v", i, v, want)
		}
	}
}

// What no device takes is refused with the field, what is legal and what was there.
func TestTensorMapRefusals(t *testing.T) {
	d := MustOpen("emulated")
	defer func() { _ = d.Close() }() // the test's own device
	b := d.MustMake(64*32, float32(0))
	for _, c := range []struct {
		spec TensorSpec
		want string
	}{
		{TensorSpec{Dims: []int{64, 32}, Box: []int{16}}, "Box: want 2"},
		{TensorSpec{Dims: []int{64, 32}, Box: []int{3, 8}}, "Box[0]: want a multiple of 16 bytes, got 12 bytes"},
		{TensorSpec{Dims: []int{64, 32}, Box: []int{64, 8}, Swizzle: driver.TensorSwizzle128}, "at most 128 bytes"},
		{TensorSpec{Dims: []int{64, 33}, Box: []int{16, 8}}, "at most the buffer's 8192 bytes, got a tensor of 8448"},
		{TensorSpec{Dims: []int{1 << 32, 1 << 32, 4}, Box: []int{16, 8, 1}}, "Strides[1]"},
		{TensorSpec{Dims: []int{64, 32}, Strides: []int{-256}, Box: []int{16, 8}}, "Strides[0]: want 0 to 2^40, got -256"},
		{TensorSpec{Dims: []int{8, 8, 8}, Box: []int{8, 8, 1}, Interleave: driver.TensorInterleave16}, "interleaved"},
	} {
		_, err := b.TensorMap(c.spec)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.spec, err, c.want)
		}
	}
	if _, err := (*Buffer)(nil).TensorMap(TensorSpec{}); !errors.Is(err, driver.ErrorInvalidHandle) {
		t.Errorf("of a nil buffer: %v", err)
	}
	k := d.MustLoadPTX(boxText).MustKernel("k")
	if err := d.Launch(k, Grid(1), Block(128), b, (*TensorMap)(nil), 0, 0); err == nil {
		t.Error("a nil map is taken")
	}
	m := b.MustTensorMap(TensorSpec{Dims: []int{64, 32}, Box: []int{16, 8}})
	out := d.MustMake(128, float32(0))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.Launch(k, Grid(1), Block(128), out, m, 0, 0); !errors.Is(err, driver.ErrorInvalidHandle) {
		t.Errorf("a map of a freed buffer: %v", err)
	}
}
