package cuda

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestGraphIsBuiltNodeByNode(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	a, b, sum := d.MustMake(1, uint32(0)), d.MustMake(1, uint32(0)), d.MustMake(1, uint32(0))
	in, out, calls := []uint32{7}, make([]uint32, 1), 0
	build := d.NewGraphBuilder(Named("by hand"))
	write := build.Write(a, in)
	clear := build.Fill(b, 1)
	both := build.Join(After(write, clear, write))
	first := build.Launch(k, Grid(1), Block(1), a, 2, 1, 1, After(both), Named("first"))
	build.Launch(k, Grid(1), Block(1), b, 1, 5, 1, After(both), Named("second"))
	moved := build.Copy(sum, a, After(first))
	read := build.Read(sum, out, After(moved))
	build.Host(func() { calls++ }, After(read))
	g := build.MustBuild()
	for range 2 {
		check(t, g.Launch())
	}
	check(t, d.Synchronize())
	equal(t, append(out, MustSlice[uint32](b)...), []uint32{15, 0x01010106})
	if calls != 2 || g.Name() != "by hand" || fmt.Sprint(g.NodeLabels()) != "[write fill join first second copy read host]" || len(g.Edges()) != 7 {
		t.Errorf("%d calls, %s\n%s", calls, g, g.Table().Text())
	}
	in[0] = 1
	check(t, errors.Join(g.SetArg("first", "mul", 10), g.SetFill("fill", 0), g.Launch()))
	check(t, d.Synchronize())
	equal(t, append(out, MustSlice[uint32](b)...), []uint32{11, 5})

	// As a node of another graph, with what was set.
	outer := d.NewGraphBuilder()
	inner := outer.Graph(g)
	outer.Launch(k, Grid(1), Block(1), b, 100, 0, 1, After(inner))
	whole := outer.MustBuild()
	in[0] = 2
	check(t, whole.Launch())
	check(t, d.Synchronize())
	equal(t, append(out, MustSlice[uint32](b)...), []uint32{21, 500})

	// Other slices for the copies between host and device, also where a copy measures.
	other, into := []uint32{3}, make([]uint32, 1)
	check(t, errors.Join(g.SetWrite("write", other), g.SetRead("read", into), g.Launch(), d.Synchronize()))
	equal(t, append(into, out...), []uint32{31, 21})
	other[0] = 4
	_, err := g.TimeNodes(1)
	check(t, err)
	equal(t, append(into, out...), []uint32{41, 21})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"way":    {g.SetWrite("read", other), "copies a slice into a buffer"},
		"kind":   {g.SetRead("fill", other), "copies a buffer into a slice"},
		"type":   {g.SetWrite("write", []float32{1}), "want []uint32"},
		"length": {g.SetWrite("write", []uint32{}), "want 4 bytes, got 0"},
		"node":   {g.SetWrite("writes", other), "got writes"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	check(t, errors.Join(g.Close(), whole.Close()))
}

func TestConditionsAreBuilt(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, left := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{4})
	b := d.NewGraphBuilder()
	loop := b.While(left, func(b *GraphBuilder) {
		step := b.Launch(k, Grid(1), Block(1), x, 2, 1, 1)
		b.Launch(k, Grid(1), Block(1), left, 1, 0xffffffff, 1, After(step), Named("down"))
	}, Named("four times"))
	b.If(x, func(b *GraphBuilder) { b.Fill(left, 1) }, func(b *GraphBuilder) { b.Fill(left, 2) }, After(loop))
	g, err := b.Build()
	needsConditions(t, err)
	check(t, g.Launch())
	equal(t, append(MustSlice[uint32](x), MustSlice[uint32](left)...), []uint32{15, 0x01010101})
	if text := g.Table().Text(); !strings.Contains(text, "body › down") || !strings.Contains(text, "else › fill#2") || !strings.Contains(text, "four times flag") {
		t.Error(text)
	}
	check(t, g.Close())
	b = d.NewGraphBuilder()
	b.If(left, func(b *GraphBuilder) { b.Host(func() {}) }, nil)
	if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), "a call of Go") {
		t.Error(err)
	}
}

func TestBuildingIsRefused(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, wide := d.MustUpload([]uint32{1}), d.MustAlloc(8)
	other := d.NewGraphBuilder()
	foreign := other.Fill(x, 0)
	defer func() { check(t, other.MustBuild().Close()) }()
	g := d.MustCapture(func(s *Stream) { check(t, s.Fill(x, 0)) })
	check(t, g.Enable("fill", false))
	for name, c := range map[string]struct {
		add  func(b *GraphBuilder)
		want string
	}{
		"argument": {func(b *GraphBuilder) { b.Launch(k, Grid(1), Block(1), x) }, "want 4 arguments"},
		"foreign":  {func(b *GraphBuilder) { b.Fill(x, 0, After(foreign)) }, "nodes of this builder"},
		"nil":      {func(b *GraphBuilder) { b.Fill(x, 0, After(b.Fill(nil, 0))) }, "want a buffer, got nil"},
		"sizes":    {func(b *GraphBuilder) { b.Copy(x, wide) }, "want 4 bytes, got 8"},
		"slice":    {func(b *GraphBuilder) { b.Read(x, []float32{1}) }, "want []uint32"},
		"nothing":  {func(b *GraphBuilder) { b.Read(x, []uint32{}) }, "at least one element"},
		"graph":    {func(b *GraphBuilder) { b.Graph(nil) }, "want a graph, got nil"},
		"off":      {func(b *GraphBuilder) { b.Graph(g) }, "fill is off"},
		"cooperative": {func(b *GraphBuilder) { b.Launch(k, Grid(1), Block(1), x, 1, 1, 1, Cooperative()) },
			"Cooperative is for Device.Launch"},
	} {
		b := d.NewGraphBuilder()
		c.add(b)
		b.Fill(x, 1) // left out
		_, err := b.Build()
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(),
			"graph_builder_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := b.Build(); err == nil {
			t.Errorf("%s: built twice", name)
		}
	}
	if err := d.Launch(k, Grid(1), Block(1), x, 1, 1, 1, After(foreign)); err == nil || !strings.Contains(err.Error(),
		"After is for GraphBuilder.Launch") {
		t.Errorf("After outside of a builder: %v", err)
	}
	equal(t, MustSlice[uint32](x), []uint32{1})
	check(t, g.Close())
}

func TestGraphCache(t *testing.T) {
	d := openTest(t)
	x := d.MustUpload([]uint32{1})
	c := d.MustNewGraphCache(2)
	for _, n := range []uint32{3, 4, 100, 120, 3, 1000, 3} {
		class := 1
		for class < int(n) {
			class *= 2
		}
		g, release, err := c.Get([2]any{"fill", class}, func() (*Graph, error) { return d.Capture(func(s *Stream) { _ = s.Fill(x, 0) }) })
		check(t, err)
		check(t, g.Launch())
		release()
	}
	if s := c.Stats(); s != (CacheStats{Hits: 4, Misses: 3, Evictions: 1, Kept: 2}) {
		t.Errorf("%+v", s)
	}
	if _, _, err := c.Get([]int{1}, nil); err == nil || !strings.Contains(err.Error(), "can be compared") {
		t.Errorf("a slice as key: %v", err)
	}
	check(t, c.Close())
}
