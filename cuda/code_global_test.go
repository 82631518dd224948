package cuda

import (
	"strings"
	"testing"
)

const globals = `.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.visible .const .align 4 .b8 weights[8] = {0, 0, 128, 63, 0, 0, 0, 64};
.global .align 1 .b8 $str[4];
.visible .entry use(.param .u64 out)
{
	.reg .u64 %rd<2>;
	.reg .u32 %r<4>;
	.reg .f32 %f<2>;
	ld.param.u64 %rd1, [out];
	ld.global.u32 %r1, [counter];
	add.u32 %r2, %r1, 1;
	st.global.u32 [counter], %r2;
	ld.const.f32 %f1, [weights+4];
	st.global.f32 [%rd1], %f1;
	ret;
}
`

func TestGlobals(t *testing.T) {
	d, _ := openKernels(t)
	m := d.MustLoadPTX(globals)
	counter, weights := m.MustGlobal("counter"), m.MustGlobal("weights", float32(0))
	if got := MustSlice[uint32](counter); len(got) != 1 || got[0] != 5 {
		t.Error(got)
	}
	if got := MustSlice[float32](weights); got[0] != 1 || got[1] != 2 {
		t.Error(got)
	}
	check(t, counter.Write(0, []uint32{70}))
	check(t, weights.Write(1, []float32{8}))
	out := d.MustMake(1, float32(0))
	d.MustDispatch(m.MustKernel("use"), Grid(1), Block(1), out)
	if got := MustSlice[float32](out)[0]; got != 8 || MustSlice[uint32](counter)[0] != 71 ||
		MustSlice[int32](m.MustGlobal("counter", int32(0)))[0] != 71 {
		t.Errorf("%v %v", got, MustSlice[uint32](counter))
	}
	if names := strings.Join(m.Globals(), " "); names != "counter weights" {
		t.Error(names)
	}
	for name, err := range map[string]error{
		"variable of module":      counter.Close(),
		"one of counter, weights": func() error { _, err := m.Global("none"); return err }(),
		"elements fill 4 bytes":   func() error { _, err := m.Global("counter", float64(0)); return err }(),
		"plain":                   func() error { _, err := m.Global("counter", "text"); return err }(),
	} {
		if err == nil || name != "plain" && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, m.Close())
	if _, err := Slice[uint32](counter); err == nil {
		t.Error("a variable of a module that is gone")
	}
	if _, err := m.Global("counter"); err == nil {
		t.Error("a variable of a module that is gone")
	}
}

// A module whose kernels a graph launches stays.
func TestGraphsHoldModules(t *testing.T) {
	d, _ := openKernels(t)
	m := d.MustLoadPTX(globals)
	out := d.MustMake(1, float32(0))
	use := m.MustKernel("use")
	captured := d.MustCapture(func(s *Stream) { _ = s.Launch(use, Grid(1), Block(1), out) }, Named("captured"))
	b := d.NewGraphBuilder(Named("outer"))
	b.Graph(captured)
	outer := b.MustBuild()
	for _, g := range []*Graph{captured, outer} {
		if err := m.Close(); err == nil || !strings.Contains(err.Error(), "in use by ") {
			t.Errorf("unloaded under %s: %v", g.Name(), err)
		}
		check(t, g.Launch())
		check(t, g.Close())
	}
	check(t, m.Close())
	if _, err := d.Capture(nil); err == nil {
		t.Error("captured nothing at all")
	}
}

func TestSharedMemoryHasToBeAllowed(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x := d.MustUpload([]uint32{1})
	for _, c := range []struct {
		bytes int
		want  string
	}{{-1, "0 or more"}, {60000, "Kernel.SetDynamicShared(60000) first"}, {1 << 30, "a block of this device has at most"}} {
		if err := d.Launch(k, Grid(1), Block(1), x, 1, 1, 1, Shared(c.bytes)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes: %v", c.bytes, err)
		}
	}
	check(t, k.SetDynamicShared(60000))
	check(t, d.Launch(k, Grid(1), Block(1), x, 1, 1, 1, Shared(60000)))
}
