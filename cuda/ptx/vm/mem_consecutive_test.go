package vm

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func TestConsecutive(t *testing.T) {
	for n := range 12 {
		for _, first := range []uint64{0, 512, 1<<64 - 16} {
			addrs := make([]uint64, n)
			for i := range addrs {
				addrs[i] = first + 4*uint64(i)
			}
			if got := consecutive(addrs, 4); got != (n > 0) {
				t.Errorf("%d addresses from %d: %v", n, first, got)
			}
			if got := runLength(addrs, 4); got != n {
				t.Errorf("%d addresses from %d: a run of %d", n, first, got)
			}
			for k := 1; k < n; k++ {
				addrs[k] += 4
				if consecutive(addrs, 4) {
					t.Errorf("%d addresses of which that at %d is not in its place count as consecutive", n, k)
				}
				if got := runLength(addrs, 4); got != k {
					t.Errorf("a run of %d, want %d", got, k)
				}
				addrs[k] -= 4
			}
		}
	}
}

func TestConsecutiveWritten(t *testing.T) {
	for _, n := range []int{1, 7, 4095, 4096, 4097, 16384} {
		shadow := make([]byte, n)
		if allWritten(shadow) {
			t.Errorf("%d bytes that nothing wrote count as written", n)
		}
		if markWritten(shadow); !allWritten(shadow) {
			t.Errorf("%d bytes that were marked do not count as written", n)
		}
		for _, at := range []int{0, n / 2, n - 1} {
			if shadow[at] = 0; allWritten(shadow) {
				t.Errorf("%d bytes of which that at %d was not written count as written", n, at)
			}
			shadow[at] = 1
		}
	}
}

const shiftText = `.version 8.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 skew)
{
	.reg .b32 %r<9>;
	.reg .f32 %f<3>;
	.reg .b64 %d<9>;
	ld.param.u64 %d1, [to];
	ld.param.u64 %d2, [from];
	ld.param.u32 %r5, [skew];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	mul.wide.u32 %d3, %r4, 4;
	cvt.u64.u32 %d6, %r5;
	add.u64 %d4, %d1, %d3;
	add.u64 %d5, %d2, %d3;
	add.u64 %d5, %d5, %d6;
	ld.global.f32 %f1, [%d5];
	st.global.f32 [%d4], %f1;
	ret;
}
`

// A fault among consecutive accesses is the lane's that makes it.
func TestFaultsOfConsecutiveAccesses(t *testing.T) {
	for _, c := range []struct {
		name   string
		skew   int
		prefix int // bytes written of the source's 1024
		kind   driver.FaultKind
		lane   uint32
		offset int64
	}{
		{"none", 0, 1024, "", 0, 0},
		{"the last lane is past the end", 4, 1024, driver.FaultOutOfBounds, 255, 1024},
		{"all past the end", 1024, 1024, driver.FaultOutOfBounds, 0, 1024},
		{"between elements", 2, 1024, driver.FaultMisaligned, 0, 2},
		{"written up to lane 77", 0, 4 * 77, driver.FaultUninitialized, 77, 4 * 77},
		{"half an element written", 0, 4*77 + 2, driver.FaultUninitialized, 78, 4 * 78},
		{"nothing written", 0, 0, driver.FaultUninitialized, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := loadText(t, "shift", shiftText, Checked())
			from, to := m.alloc(1024), m.alloc(1024)
			if c.prefix > 0 {
				m.write(from, make([]byte, c.prefix))
			}
			for range 2 { // the second launch has the block and the shadows of the first
				_, err := m.try("copy", 1, 256, to, from, c.skew)
				var f *driver.Fault
				switch {
				case c.kind == "" && err == nil:
				case !errors.As(err, &f):
					t.Fatalf("%v, want a fault", err)
				case f.Kind != c.kind || f.Lanes[0].X != c.lane || f.Offset != c.offset || f.Bytes != 4:
					t.Fatalf("%s of lane %v at offset %d, want %s of lane %d at %d", f.Kind, f.Lanes[0], f.Offset, c.kind, c.lane, c.offset)
				}
			}
		})
	}
}

// What is computed once for all blocks is computed anew for a launch with other
// parameters or another shape, and a later launch does not race with an earlier one.
func TestLaunchAfterLaunch(t *testing.T) {
	m := load(t, "basics", Checked())
	k, _ := m.program.Kernel("vadd")
	if len(k.code.prologue) == 0 {
		t.Error("nothing of the kernel is computed once for all blocks")
	}
	for i, shape := range [][2]uint32{{4, 256}, {4, 256}, {2, 512}, {32, 32}, {4, 256}, {11, 96}} {
		n := 1000 - i
		x, y := make([]float32, n), make([]float32, n)
		for k := range x {
			x[k], y[k] = float32(i), float32(k)
		}
		out := m.alloc(4 * 1000)
		px, py := upload(m, x), upload(m, y)
		m.run("vadd", shape[0], shape[1], px, py, out, n)
		m.run("vadd", shape[1], shape[0], px, py, out, n)
		for k, v := range download[float32](m, out, n) {
			if v != float32(i)+float32(k) {
				t.Fatalf("launch %d of %v: element %d is %v", i, shape, k, v)
			}
		}
	}
}

// Two launches of one kernel at once have their own blocks and shadows.
func TestLaunchesAtOnce(t *testing.T) {
	m := load(t, "basics", Checked())
	x := upload(m, make([]float32, 1000))
	errs := make(chan error)
	for range 4 {
		out := m.alloc(4 * 1000)
		go func() {
			var err error
			for range 20 {
				if _, e := m.try("vadd", 4, 256, x, x, out, 1000); e != nil {
					err = e
				}
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

const neighbourText = `.version 8.0
.target sm_75
.address_size 64
.visible .entry neighbour(.param .u64 data, .param .u32 skew)
{
	.reg .b32 %r<9>;
	.reg .f64 %f<3>;
	.reg .b64 %d<9>;
	ld.param.u64 %d1, [data];
	ld.param.u32 %r5, [skew];
	mov.u32 %r3, %tid.x;
	mul.wide.u32 %d3, %r3, 8;
	cvt.u64.u32 %d6, %r5;
	add.u64 %d4, %d1, %d3;
	add.u64 %d5, %d4, %d6;
	cvt.rn.f64.u32 %f1, %r3;
	st.global.f64 [%d4], %f1;
	ld.global.f64 %f2, [%d5];
	st.global.f64 [%d5], %f2;
	ret;
}
`

// Lanes of eight bytes each: own elements are legal, a neighbour's is a race.
func TestRacesOfConsecutiveWideAccesses(t *testing.T) {
	for _, c := range []struct {
		name string
		skew int
		race bool
	}{{"own", 0, false}, {"the next warp's", 256, true}, {"the next lane's", 8, true}} {
		t.Run(c.name, func(t *testing.T) {
			m := loadText(t, "neighbour", neighbourText, Checked())
			data := upload(m, make([]float64, 256))
			for range 2 {
				_, err := m.try("neighbour", 1, 128, data, c.skew)
				var f *driver.Fault
				if raced := errors.As(err, &f) && f.Kind == driver.FaultRace && f.Bytes == 8; raced != c.race || err != nil && !raced {
					t.Fatalf("%v, want a race: %v", err, c.race)
				}
			}
		})
	}
}
