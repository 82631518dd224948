package cuda

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// What was made on a device says so where the device was opened, closed or reset since. // D17, D24
func TestWhatBecameOfTheDeviceIsTold(t *testing.T) {
	drv := emulated.New()
	open := func() *Device { return must(OpenDriver(drv, 0)) }
	d := open()
	m := d.MustLoadPTX(string(kernelsPTX))
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	p, plan := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1), k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	g := d.MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
	s, e := must(d.NewStream()), must(d.NewEvent())
	second := open()
	k2 := second.MustLoadPTX(string(kernelsPTX)).MustKernel("affine")
	refused(t, "buffer of another Open", second.Launch(k2, Grid(1), Block(1), x, 1, 1, 1),
		"the buffer was made by another cuda.Open of emulated:0", "open the device once")
	refused(t, "kernel of another Open", second.Launch(k, Grid(1), Block(1), x, 1, 1, 1),
		"got one of another cuda.Open of that device")
	y := second.MustMake(1, uint32(0))
	check(t, y.CopyFrom(x))
	equal(t, MustSlice[uint32](y), []uint32{1})
	check(t, second.Close())
	fresh, err := d.Reset()
	check(t, err)
	k3 := fresh.MustLoadPTX(string(kernelsPTX)).MustKernel("affine")
	_, submitted := plan.Submit([]*Buffer{x})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"buffer":   {fresh.Launch(k3, Grid(1), Block(1), x, 1, 1, 1), "the buffer is gone: its device, emulated:0"},
		"kernel":   {fresh.Launch(k, Grid(1), Block(1), x, 1, 1, 1), "got one of that device before it was reset"},
		"prepared": {p.Launch(), "the device was reset, and what was made on it is gone"},
		"plan":     {submitted, "the device was reset"},
		"graph":    {g.Launch(), "the device was reset"},
		"event":    {e.Synchronize(), "the event went with its device, which was reset"},
		"stream":   {s.Synchronize(), "the device was reset"},
		"device":   {d.Synchronize(), "go on with the device that Device.Reset gave"},
		"close":    {d.Close(), "the device was reset"},
	} {
		refused(t, name, c.err, c.want)
	}
	if card := d.Table().Text(); !strings.Contains(card, "reset") {
		t.Error(card)
	}
	check(t, fresh.Close())
	if card := fresh.Table().Text(); !strings.Contains(card, "closed") {
		t.Error(card)
	}
	refused(t, "closed", fresh.Launch(k3, Grid(1), Block(1), x, 1, 1, 1), "the device is closed")
}

// The kernel of an unloaded module says what to do. // D24
func TestUnloadedKernelsSayWhatToDo(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	p := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	check(t, m.Close())
	for name, err := range map[string]error{"launch": d.Launch(k, Grid(1), Block(1), x, 1, 1, 1),
		"prepared": p.Launch(), "shared": k.SetDynamicShared(4)} {
		refused(t, name, err, "the module was unloaded", "load it again")
		if !errors.Is(err, driver.ErrorInvalidHandle) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A refusal has the code that the driver has for the mistake, and never Success.
func TestRefusalsHaveCodes(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	freed := d.MustUpload([]uint32{1})
	check(t, freed.Close())
	_, absent := m.Kernel("absent")
	for name, c := range map[string]struct {
		err  error
		want driver.Result
	}{
		"block":    {d.Launch(k, Grid(1), Block(2048), x, 1, 1, 1), driver.ErrorInvalidValue},
		"argument": {d.Launch(k, Grid(1), Block(1), x, "1", 1, 1), driver.ErrorInvalidValue},
		"freed":    {d.Launch(k, Grid(1), Block(1), freed, 1, 1, 1), driver.ErrorInvalidHandle},
		"nil":      {d.Launch(nil, Grid(1), Block(1)), driver.ErrorInvalidHandle},
		"absent":   {absent, driver.ErrorNotFound},
		"while":    {d.Stream().While(x, func(*Stream) {}), driver.ErrorIllegalState},
		"within":   {within("op", "part", d.Launch(nil, Grid(1), Block(1))), driver.ErrorInvalidHandle},
	} {
		var e *Error
		if !errors.As(c.err, &e) || e.Code() != c.want || !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if (&Error{}).Code() == driver.Success {
		t.Error("a failure whose code says success")
	}
}

const prints = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry says() {
	.reg .b64 %rd<3>;
	.reg .b32 %r1;
	mov.u64 %rd1, text;
	cvta.global.u64 %rd2, %rd1;
	{ .param .b64 a; .param .b64 b; .param .b32 r;
	st.param.b64 [a], %rd2; st.param.b64 [b], 0;
	call.uni (r), vprintf, (a, b);
	ld.param.b32 %r1, [r]; }
	ret;
}
.visible .entry sums(.param .u64 out) {
	.reg .b64 %rd1;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [out];
	ld.global.u32 %r1, [%rd1];
	add.u32 %r2, %r1, 1;
	st.global.u32 [%rd1], %r2;
	ret;
}`

// An emulated device has its checks, its output and its memory as they were asked for.
func TestOpenEmulated(t *testing.T) {
	var out bytes.Buffer
	for _, e := range []Emulation{{Unchecked: true, Printf: &out, BlockSeed: 7, Memory: 64 << 20}, {SkipRaces: true,
		Printf: &out}} {
		d, err := OpenEmulated(e)
		check(t, err)
		m, x := d.MustLoadPTX(prints), d.MustUpload([]uint32{1})
		d.MustDispatch(m.MustKernel("says"), Grid(1), Block(1))
		d.MustDispatch(m.MustKernel("sums"), Grid(1), Block(32), x)
		equal(t, MustSlice[uint32](x), []uint32{2})
		if e.Memory > 0 && d.Info().Memory != e.Memory {
			t.Errorf("%d bytes, want %d", d.Info().Memory, e.Memory)
		}
		check(t, d.Close())
	}
	if out.String() != "hi\nhi\n" {
		t.Errorf("printed %q", out.String())
	}
	d := must(OpenEmulated(Emulation{}))
	_, err := d.Dispatch(d.MustLoadPTX(prints).MustKernel("sums"), Grid(1), Block(32), d.MustUpload([]uint32{1}))
	refused(t, "checked", err, "race")
	_ = d.Close() // says of the fault again
	_, err = OpenEmulated(Emulation{Memory: 1 << 60})
	refused(t, "memory", err, "at most 64 TiB")
}

// Uninitialised elements of a type can be had, and are not read before they are written.
func TestMakeUninit(t *testing.T) {
	d := openTest(t)
	b := d.MustMakeUninit(4, float32(0))
	if b.Len() != 4 || b.Bytes() != 16 {
		t.Errorf("%s", b)
	}
	check(t, b.Write(0, []float32{1, 2, 3, 4}))
	equal(t, MustSlice[float32](b), []float32{1, 2, 3, 4})
	_, err := d.MakeUninit(-1, float32(0))
	refused(t, "length", err, "at least one element")
}
