package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// capture records two steps on a buffer: x*3+1, then x*2.
func captureSteps(t testing.TB) (*Device, *Buffer, *Graph) {
	t.Helper()
	d, m := openKernels(t)
	b, k := d.MustUpload([]uint32{1}), m.MustKernel("affine")
	g, err := d.Capture(func(s *Stream) {
		check(t, s.Launch(k, Grid(1), Block(1), b, 3, 1, 1))
		check(t, s.Launch(k, Grid(1), Block(1), b, 2, 0, 1, Named("double")))
	})
	check(t, err)
	return d, b, g
}

func TestCaptureAndReplay(t *testing.T) {
	d, b, g := captureSteps(t)
	equal(t, MustSlice[uint32](b), []uint32{1})
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](b), []uint32{8})
	timing := g.MustTime(10)
	if len(timing.Times) != 10 || timing.Name() != g.Name() {
		t.Errorf("%s", timing)
	}
	if labels := g.NodeLabels(); fmt.Sprint(labels) != "[affine double]" {
		t.Error(labels)
	}
	if edges := g.Edges(); fmt.Sprint(edges) != "[[0 1]]" {
		t.Error(edges)
	}
	text := g.Table().Text()
	t.Log("\n" + text)
	if !strings.Contains(text, "double") || !strings.Contains(text, "affine<1, 1>") {
		t.Error(text)
	}
	check(t, g.Close())
	if g.Launch() == nil || g.Close() == nil {
		t.Error("a closed graph works")
	}
}

func TestParametersByName(t *testing.T) {
	d, b, g := captureSteps(t)
	check(t, g.SetArg("affine", "add", 5))
	check(t, g.SetArg("double", 1, 10))
	if args, err := g.Args("double"); err != nil || !equalValues(args, []any{b, 10, 0, 1}) {
		t.Errorf("%v, %v", args, err)
	}
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](b), []uint32{80})
	other := d.MustUpload([]uint32{7})
	check(t, g.Set("affine", other, 1, 1, 1))
	check(t, g.SetArg("double", "x", other))
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](other), []uint32{80})
	equal(t, MustSlice[uint32](b), []uint32{80})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"node":      {g.SetArg("triple", 0, 1), "want one of affine, double, got triple"},
		"parameter": {g.SetArg("double", "factor", 1), "x, mul, add, n"},
		"value":     {g.SetArg("double", "mul", 1.5), "want a 32-bit value"},
		"count":     {g.Set("double", 1), "want 4 arguments"},
		"kind":      {g.SetFill("double", 1), "want a memset node, got a kernel node"},
		"held":      {other.Close(), "in use by graph"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	check(t, g.Close())
	check(t, other.Close())
}

// The vector of the graph specification: 4096 bytes captured with 0x5A, set to 0xA5, 3 launches.
func TestFillUpdated(t *testing.T) {
	d := openTest(t)
	b := d.MustAlloc(4096)
	g := d.MustCapture(func(s *Stream) { check(t, s.Fill(b, 0x5A)) })
	if n := g.Nodes(); len(n) != 1 || n[0].Kind != driver.GraphNodeMemset {
		t.Errorf("%v", n)
	}
	check(t, g.SetFill("fill", 0xA5))
	for range 3 {
		check(t, g.Launch())
	}
	got, err := Slice[byte](b)
	check(t, err)
	if !bytes.Equal(got, bytes.Repeat([]byte{0xA5}, 4096)) {
		t.Errorf("% x ...", got[:8])
	}
	check(t, g.Close())
}

func TestForkedCapture(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	a, b, c := d.MustUpload([]uint32{1}), d.MustUpload([]uint32{2}), d.MustUpload([]uint32{0})
	out := make([]uint32, 1)
	var seen []uint32
	g := d.MustCapture(func(s *Stream) {
		f := s.MustFork()
		check(t, s.Launch(k, Grid(1), Block(1), a, 10, 0, 1))
		check(t, f.Launch(k, Grid(1), Block(1), b, 100, 0, 1))
		check(t, s.Join(f))
		check(t, s.Copy(c, b))
		check(t, s.Read(c, out))
		check(t, s.Host(func() { seen = append(seen, out[0]) }, Named("seen")))
	})
	if labels := g.NodeLabels(); fmt.Sprint(labels) != "[affine affine#2 copy read seen]" {
		t.Error(labels)
	}
	if n := len(g.Edges()); n != 4 {
		t.Errorf("edges %v", g.Edges())
	}
	check(t, g.Launch())
	check(t, d.Stream().Synchronize())
	equal(t, append(MustSlice[uint32](a), MustSlice[uint32](b)...), []uint32{10, 200})
	equal(t, out, []uint32{200})
	check(t, g.SetCopy("copy", c, a))
	check(t, g.Enable("affine", false))
	check(t, g.Launch())
	check(t, d.Stream().Synchronize())
	equal(t, out, []uint32{10})
	equal(t, seen, []uint32{200, 10})
	if err := g.SetCopy("read", c, a); err == nil {
		t.Error("a read was pointed at buffers")
	}
	check(t, g.Close())
}

func TestCaptureErrorsNameTheLine(t *testing.T) {
	d, m := openKernels(t)
	k, b, wide := m.MustKernel("affine"), d.MustUpload([]uint32{1}), d.MustAlloc(8)
	for name, record := range map[string]func(s *Stream){
		"bad argument": func(s *Stream) { _ = s.Launch(k, Grid(1), Block(1), b, "x", 0, 1) },
		"wait":         func(s *Stream) { _ = s.Launch(k, Grid(1), Block(1), b, 1, 0, 1); _ = s.Synchronize() },
		"sizes":        func(s *Stream) { _ = s.Copy(b, wide) },
	} {
		_, err := d.Capture(record)
		if err == nil || !strings.Contains(err.Error(), "recorded at graph_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	func() {
		defer func() {
			if recover() != "stop" {
				t.Error("the panic was lost")
			}
		}()
		d.MustCapture(func(s *Stream) { check(t, s.Launch(k, Grid(1), Block(1), b, 1, 0, 1)); panic("stop") })
	}()
	check(t, d.Launch(k, Grid(1), Block(1), b, 1, 1, 1))
	equal(t, MustSlice[uint32](b), []uint32{2})
}

func TestEmptyCapture(t *testing.T) {
	d := openTest(t)
	g := d.MustCapture(func(*Stream) {})
	check(t, g.Launch())
	check(t, d.Synchronize())
	check(t, g.Close())
}

func TestGraphUpdate(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	a, b := d.MustUpload([]uint32{1}), d.MustUpload([]uint32{1})
	steps := func(x *Buffer, mul int) func(*Stream) {
		return func(s *Stream) {
			check(t, s.Launch(k, Grid(1), Block(1), x, mul, 0, 1))
			check(t, s.Launch(k, Grid(1), Block(1), x, 1, 1, 1, Named("plus")))
		}
	}
	g := d.MustCapture(steps(a, 10))
	check(t, g.Update(steps(b, 100)))
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, append(MustSlice[uint32](a), MustSlice[uint32](b)...), []uint32{1, 101})
	check(t, g.SetArg("plus", "add", 5)) // names and places hold after an update
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](b), []uint32{10105})
	for name, record := range map[string]func(*Stream){
		"fewer nodes":  func(s *Stream) { check(t, s.Launch(k, Grid(1), Block(1), b, 1, 0, 1)) },
		"another kind": func(s *Stream) { check(t, s.Launch(k, Grid(1), Block(1), b, 1, 0, 1)); check(t, s.Fill(b, 0)) },
		"another shape": func(s *Stream) {
			f := s.MustFork()
			check(t, s.Launch(k, Grid(1), Block(1), a, 1, 0, 1))
			check(t, f.Launch(k, Grid(1), Block(1), b, 1, 0, 1))
			check(t, s.Join(f))
		},
	} {
		var e *Error
		if err := g.Update(record); !errors.As(err, &e) || !strings.Contains(err.Error(), "capture another graph") {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, g.Launch())
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](b), []uint32{1010505})
	check(t, g.Close())
}
