package drivertest

import (
	"errors"
	"runtime"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var hostLaws = []law{
	{"panic in a stream", "a panic in a host function is the error of the call that waits", func(f *fixture) {
		s := f.stream()
		f.must("LaunchHost", s.LaunchHost(func() { panic("the host function's own words") }))
		f.hostFailed("the stream's Synchronize", s.Synchronize(), "the host function's own words")
		f.must("Synchronize again", s.Synchronize())
		f.must("Synchronize of the context", f.ctx.Synchronize())
		f.works("behind a panic")
	}},
	// D11
	{"panic in a graph", "a panic in a graph's host function is the error of who waits for it", func(f *fixture) {
		s, g := f.stream(), f.graph()
		_, err := g.AddHost(nil, func() { panic("the node's own words") })
		f.must("AddHost", err)
		x := f.instantiate(g)
		for range 2 {
			f.must("Launch", x.Launch(s))
			f.hostFailed("Synchronize", f.ctx.Synchronize(), "the node's own words")
		}
		f.must("Synchronize again", s.Synchronize())
		f.works("behind a panic")
	}},
	{"goexit", "a host function that ends its goroutine is an error, not the end of the process", func(f *fixture) {
		s, e := f.stream(), f.event(0)
		f.must("LaunchHost", s.LaunchHost(runtime.Goexit))
		f.must("Record", e.Record(s))
		f.hostFailed("Synchronize of an event", e.Synchronize(), "Goexit")
		f.works("behind it")
	}},
	{"not permitted", "a host function that calls CUDA gets ErrorNotPermitted at once", func(f *fixture) { // D25
		s, e, p, k := f.stream(), f.event(0), f.alloc(4), f.kernel("nothing")
		g := f.graph()
		calls := map[string]func() error{
			"Alloc":       func() error { _, err := f.ctx.Alloc(4); return err },
			"Free":        func() error { return f.ctx.Free(p) },
			"CopyDtoH":    func() error { return f.ctx.CopyDtoH(make([]byte, 4), p) },
			"Synchronize": f.ctx.Synchronize, "Stream.Synchronize": s.Synchronize, "Event.Synchronize": e.Synchronize,
			"Launch": func() error {
				one := driver.Dim3{X: 1, Y: 1, Z: 1}
				return k.Launch(&driver.LaunchConfig{Grid: one, Block: one, Stream: s}, nil)
			},
		}
		answers := map[string]error{}
		ask := func() {
			for name, call := range calls {
				answers[name] = call()
			}
		}
		f.must("LaunchHost", s.LaunchHost(ask))
		f.must("Synchronize", s.Synchronize())
		for name := range calls {
			f.wants(name, answers[name], driver.ErrorNotPermitted)
		}
		clear(answers)
		_, err := g.AddHost(nil, ask)
		f.must("AddHost", err)
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		for name := range calls {
			f.wants(name+" in a graph", answers[name], driver.ErrorNotPermitted)
		}
		f.works("afterwards")
	}},
	{"held", "a host function that blocks holds its own stream and its own graph, and no other", func(f *fixture) {
		held, free, p := f.stream(), f.stream(), upload(f, []uint32{1, 1})
		gate := make(chan struct{})
		g := f.graph()
		wait, err := g.AddHost(nil, func() { <-gate })
		f.must("AddHost", err)
		f.node(g, []driver.GraphNode{wait}, "affine", pack(p, uint32(3), uint32(0), uint32(1)))
		f.must("Launch", f.instantiate(g).Launch(held))
		f.launch(f.kernel("affine"), 1, 1, free, pack(p+4, uint32(5), uint32(0), uint32(1)))
		f.must("Synchronize of another stream", free.Synchronize())
		if err := held.Query(); err != nil {
			f.wants("Query of the stream that is held", err, driver.ErrorNotReady)
		} else {
			f.broken("the stream is done, and its host function is not")
		}
		close(gate)
		f.must("Synchronize", held.Synchronize())
		equal(f, "both", download[uint32](f, p, 2), []uint32{3, 5})
	}},
}

// hostFailed checks for the error of a host function.
func (f *fixture) hostFailed(what string, err error, words string) {
	f.Helper()
	var e *driver.HostFunctionError
	placed := errors.As(err, &e) && (e.Value == nil || strings.Contains(e.Stack, "laws_host.go"))
	if !placed || !strings.Contains(err.Error(), words) {
		f.broken("%s: %v", what, err)
	}
}
