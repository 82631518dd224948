package cuda

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// needsConditions skips on a driver that has no conditional nodes.
func needsConditions(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, driver.ErrorNotSupported) {
		t.Skipf("not supported by this driver: %v", err)
	}
	check(t, err)
}

func TestWhileRunsUntilTheFlagIsZero(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	sum, left := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{5})
	g, err := d.Capture(func(s *Stream) {
		check(t, s.Launch(k, Grid(1), Block(1), sum, 1, 100, 1))
		_ = s.While(left, func(body *Stream) {
			check(t, body.Launch(k, Grid(1), Block(1), sum, 1, 1, 1, Named("step")))
			check(t, body.Launch(k, Grid(1), Block(1), left, 1, 0xffffffff, 1, Named("count down")))
		})
		_ = s.Launch(k, Grid(1), Block(1), sum, 2, 0, 1)
	})
	needsConditions(t, err)
	check(t, g.Launch())
	equal(t, MustSlice[uint32](sum), []uint32{210})
	equal(t, MustSlice[uint32](left), []uint32{0})
	check(t, g.Launch()) // the flag is 0 from the start
	equal(t, MustSlice[uint32](sum), []uint32{620})
	check(t, left.Write(0, []uint32{1}))
	check(t, g.Launch())
	equal(t, MustSlice[uint32](sum), []uint32{1442})
	text := g.Table().Text()
	t.Log("\n" + text)
	for _, want := range []string{"while flag", "body › step", "body › again", "conditional"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if err := g.SetArg("step", "add", 2); err == nil || !strings.Contains(err.Error(), "inside while") {
		t.Errorf("a parameter inside a body: %v", err)
	}
	if bundle := g.MIMEBundle(); !strings.Contains(fmt.Sprint(bundle.Data[display.TypeSVG]), "count down") {
		t.Error("the body is not drawn")
	}
	if err := left.Close(); err == nil {
		t.Error("the flag was freed under the graph")
	}
	check(t, g.Close())
}

func TestIfAndElse(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, flag, inner := d.MustUpload([]uint32{0}), d.MustUpload([]int32{1}), d.MustUpload([]uint32{1})
	g, err := d.Capture(func(s *Stream) {
		_ = s.If(flag, func(then *Stream) {
			_ = then.If(inner, func(then *Stream) { _ = then.Launch(k, Grid(1), Block(1), x, 1, 1, 1) }, nil)
		}, func(otherwise *Stream) {
			_ = otherwise.Launch(k, Grid(1), Block(1), x, 1, 10, 1)
		})
	})
	needsConditions(t, err)
	for _, c := range []struct {
		flag  int32
		inner uint32
		want  uint32
	}{{1, 1, 1}, {1, 0, 1}, {0, 1, 11}, {-7, 1, 12}} {
		check(t, errors.Join(flag.Write(0, []int32{c.flag}), inner.Write(0, []uint32{c.inner}), g.Launch()))
		equal(t, MustSlice[uint32](x), []uint32{c.want})
	}
	check(t, g.Close())
}

func TestConditionsAreRefused(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, flag, real := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{1}), d.MustUpload([]float32{1})
	out := make([]uint32, 1)
	if err := d.Stream().While(flag, nil); err == nil || !strings.Contains(err.Error(), "inside Device.Capture") {
		t.Errorf("outside a capture: %v", err)
	}
	for name, c := range map[string]struct {
		record func(*Stream)
		want   string
	}{
		"flag":  {func(s *Stream) { _ = s.While(real, func(*Stream) {}) }, "a buffer of uint32 or int32"},
		"none":  {func(s *Stream) { _ = s.While(nil, func(*Stream) {}) }, "want a buffer, got nil"},
		"host":  {func(s *Stream) { _ = s.While(flag, func(b *Stream) { _ = b.Read(x, out) }) }, "a copy between host and device"},
		"inner": {func(s *Stream) { _ = s.If(flag, func(b *Stream) { _ = b.Launch(k, Grid(1), Block(1)) }, nil) }, "want 4 arguments"},
	} {
		_, err := d.Capture(c.record)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "graph_cond_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	func() {
		defer func() {
			if recover() != "stop" {
				t.Error("the panic was lost")
			}
		}()
		_, _ = d.Capture(func(s *Stream) { _ = s.If(flag, func(*Stream) { panic("stop") }, nil) })
	}()
	check(t, d.Launch(k, Grid(1), Block(1), x, 1, 1, 1))
	equal(t, MustSlice[uint32](x), []uint32{1})
}

func TestNodesAreTimed(t *testing.T) {
	d, m := openKernels(t)
	k, slow := m.MustKernel("affine"), m.MustKernel("slow")
	x, y := d.MustUpload([]uint32{1}), d.MustUpload([]uint32{0})
	g := d.MustCapture(func(s *Stream) {
		check(t, s.Launch(k, Grid(1), Block(1), x, 2, 0, 1))
		check(t, s.Launch(slow, Grid(1), Block(1), x, 20000))
		check(t, s.Fill(y, 1))
	})
	check(t, g.SetFill("fill", 2))
	check(t, g.SetArg("affine", "mul", 1))
	check(t, g.SetArg("affine", "add", 3))
	before := len(g.Edges())
	times := g.MustTimeNodes(3)
	t.Log("\n" + times.String())
	if len(times.Nodes) != 3 || len(times.Nodes[0].Times) != 3 || len(times.Whole.Times) != 3 {
		t.Errorf("%+v", times)
	}
	if times.Nodes[1].Median() < times.Nodes[0].Median() || times.Whole.Percentile(50) < times.Nodes[1].Median() {
		t.Errorf("slow took %s, affine %s, all %s", times.Nodes[1].Median(), times.Nodes[0].Median(), times.Whole.Percentile(50))
	}
	equal(t, MustSlice[uint32](y), []uint32{0x02020202}) // what was set holds in the copy that measures
	if svg := fmt.Sprint(g.MIMEBundle().Data[display.TypeSVG]); !strings.Contains(svg, display.Column{Kind: display.Number}.Text(times.Nodes[1].Median())) {
		t.Error("the picture has no times")
	}
	if n := len(g.Edges()); n != before {
		t.Errorf("%d edges are left of %d", n, before)
	}
	check(t, g.Launch()) // and the graph itself has no events
	check(t, d.Synchronize())
	if _, err := g.TimeNodes(0); err == nil {
		t.Error("no rounds")
	}
	check(t, g.Close())
	if _, err := g.TimeNodes(1); err == nil {
		t.Error("a closed graph was timed")
	}
}
