package cuda

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/nvtx"
)

// Launches, dispatches and graphs are ranges with their names while a profiler wants to know, and nothing else is.
func TestProfilerRanges(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("no C compiler to build the stand-in library with: %v", err)
	}
	path := filepath.Join(t.TempDir(), "libnvtx.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", path, "nvtx/testdata/nvtx.c").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv(nvtx.LibraryVariable, path)
	check(t, ProfilerRanges(true))
	defer func() { check(t, ProfilerRanges(false)) }()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW)
	check(t, err)
	var latest func() string
	var open, started func() int32
	purego.RegisterLibFunc(&latest, handle, "stand_in_latest")
	purego.RegisterLibFunc(&open, handle, "stand_in_open")
	purego.RegisterLibFunc(&started, handle, "stand_in_started")

	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	plan := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	g := d.MustCapture(func(s *Stream) { check(t, s.Launch(k, Grid(1), Block(1), x, 2, 0, 1)) }, Named("twice"))
	for _, c := range []struct {
		call   func() error
		name   string
		ranges int32
	}{
		{func() error { return d.Launch(k, Grid(1), Block(1), x, 1, 1, 1) }, "affine<1, 1>", 1},
		{func() error { _, err := d.Dispatch(k, Grid(1), Block(1), x, 1, 1, 1); return err }, "affine<1, 1>", 2},
		{g.Launch, "twice", 1},
		{func() error { _, err := plan.Run([]*Buffer{x}); return err }, "affine<1, 1>", 1},
		{func() error { _, err := submitPlan(d, nil, plan.With(x), plan.With(x)); return err },
			"plan of 2 steps", 1},
		{func() error { defer Profile("mine")(); return nil }, "mine", 1},
	} {
		before := started()
		check(t, c.call())
		if latest() != c.name || started()-before != c.ranges || open() != 0 {
			t.Errorf("%q: the latest is %q of %d, %d are open", c.name, latest(), started()-before, open())
		}
	}
	check(t, ProfilerRanges(false))
	before := started()
	check(t, errors.Join(g.Launch(), d.Synchronize(), g.Close()))
	if started() != before {
		t.Error("a range that nobody wants to know of")
	}
	t.Setenv(nvtx.LibraryVariable, "/nonexistent/libnvtx.so")
	var absent *nvtx.NotFoundError
	if err := ProfilerRanges(true); err != nil && !errors.As(err, &absent) {
		t.Errorf("%v", err)
	}
}
