package cuda

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty/faultytest"
)

// everything goes through all that package cuda offers, stops at the first error, and closes the device
// whatever happened. The numbers it computes are checked: a failure may stop it, and may not falsify it.
func everything(drv driver.Driver) (err error) {
	d, err := OpenDriver(drv, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	m, err := d.LoadPTX(string(kernelsPTX))
	if err != nil {
		return err
	}
	k, err := m.Kernel("affine")
	if err != nil {
		return err
	}
	x, err := d.Upload([]uint32{1})
	if err != nil {
		return err
	}
	if _, err := d.Dispatch(k, Grid(1), Block(1), x, 2, 1, 1); err != nil {
		return err
	}
	if err := expect(x, 3); err != nil {
		return err
	}
	if err := resident(d, k, x); err != nil {
		return err
	}
	for _, part := range []func(*Device, *Kernel, *Buffer) error{replay, sequence, batched, fixpoint, conditions,
		timedNodes, byHand, caches, measured} {
		if err := part(d, k, x); err != nil {
			return err
		}
	}
	return errors.Join(x.Close(), m.Close())
}

func expect(b *Buffer, want uint32) error {
	got, err := Slice[uint32](b)
	if err != nil {
		return err
	}
	if got[0] != want {
		return fmt.Errorf("%w: %d, want %d", faultytest.ErrWrong, got[0], want)
	}
	return nil
}

func resident(d *Device, k *Kernel, x *Buffer) error {
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	p, err := k.Plan(Grid(1), Block(1), InOut("x"), 1, 1, 1, Iterations(4), Timed(), On(s))
	if err != nil {
		return err
	}
	out, err := p.Run([]*Buffer{x}, x.All())
	if err != nil {
		return err
	}
	if out[0][0] != 7 {
		return fmt.Errorf("%w: %d, want 7", faultytest.ErrWrong, out[0][0])
	}
	if err := d.WriteRanges(BufferWrite{x, 0, []byte{2, 0, 0, 0}}); err != nil {
		return err
	}
	return s.Close()
}

func replay(d *Device, k *Kernel, x *Buffer) error {
	y, err := d.Make(1, uint32(0))
	if err != nil {
		return err
	}
	out := make([]uint32, 1)
	g, err := d.Capture(func(s *Stream) {
		f, err := s.Fork()
		if err != nil {
			return
		}
		_ = s.Launch(k, Grid(1), Block(1), x, 3, 0, 1) // Capture reports what fails in it
		_ = f.Fill(y, 0)
		_ = s.Join(f)
		_ = s.Copy(y, x)
		_ = s.Read(y, out)
	})
	if err != nil {
		return err
	}
	if err := g.SetArg("affine", "mul", 5); err != nil {
		return err
	}
	if _, err := g.Time(2); err != nil {
		return err
	}
	if out[0] != 250 {
		return fmt.Errorf("%w: %d, want 2*5*5*5", faultytest.ErrWrong, out[0])
	}
	return g.Close()
}

func sequence(d *Device, k *Kernel, x *Buffer) error {
	if err := x.Write(0, []uint32{0}); err != nil {
		return err
	}
	p, err := k.Plan(Grid(1), Block(1), x, 1, 1, 1)
	if err != nil {
		return err
	}
	s, err := d.Plan(p, p)
	if err != nil {
		return err
	}
	for range 3 {
		if err := s.Launch(); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return errors.Join(expect(x, 6), s.Close())
}

func batched(d *Device, k *Kernel, x *Buffer) error {
	p, err := k.Plan(Grid(1), Block(1), InOut("x"), 2, 1, 1, Timed())
	if err != nil {
		return err
	}
	both, err := d.Plan(BufferWrite{x, 0, words(1)}, p.With(x), p.With(x))
	if err != nil {
		return err
	}
	q, err := both.Submit(nil, x.All())
	if err != nil {
		return err
	}
	values, err := q.Values()
	if err != nil {
		return err
	}
	if got := values[0].([]uint32)[0]; got != 7 {
		return fmt.Errorf("%w: %d, want 7", faultytest.ErrWrong, got)
	}
	return nil
}

func fixpoint(d *Device, k *Kernel, x *Buffer) error {
	flag, err := d.Upload([]uint32{9})
	if err != nil {
		return err
	}
	p, err := k.Plan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	if err != nil {
		return err
	}
	// Nothing raises the flag: one round.
	rounds, err := d.Plan(BufferWrite{x, 0, words(1)}, p.With(x), Until(flag, 5))
	if err != nil {
		return err
	}
	q, err := rounds.Submit(nil, x.All())
	if err != nil {
		return err
	}
	out, err := q.Wait()
	if err != nil {
		return err
	}
	if rounds, converged := q.Rounds(); rounds != 1 || !converged || out[0][0] != 2 {
		return fmt.Errorf("%w: %d rounds, %d", faultytest.ErrWrong, rounds, out[0])
	}
	return flag.Close()
}

func conditions(d *Device, k *Kernel, x *Buffer) error {
	left, err := d.Upload([]uint32{3})
	if err != nil {
		return err
	}
	if err := x.Write(0, []uint32{0}); err != nil {
		return err
	}
	g, err := d.Capture(func(s *Stream) {
		_ = s.While(left, func(s *Stream) { // Capture reports what fails in it
			_ = s.Launch(k, Grid(1), Block(1), x, 1, 1, 1)
			_ = s.Launch(k, Grid(1), Block(1), left, 1, 0xffffffff, 1)
		})
		_ = s.If(x, func(s *Stream) { _ = s.Launch(k, Grid(1), Block(1), x, 10, 0, 1) }, nil)
	})
	if err != nil {
		return err
	}
	if err := g.Launch(); err != nil {
		return err
	}
	if err := expect(x, 30); err != nil {
		return err
	}
	return errors.Join(g.Close(), left.Close())
}

func timedNodes(d *Device, k *Kernel, x *Buffer) error {
	y, err := d.Make(1, uint32(0))
	if err != nil {
		return err
	}
	steps := func(mul int) func(*Stream) {
		return func(s *Stream) {
			_ = s.Launch(k, Grid(1), Block(1), x, mul, 0, 1)
			_ = s.Fill(y, 1)
			_ = s.Copy(y, x)
		}
	}
	g, err := d.Capture(steps(1))
	if err != nil {
		return err
	}
	for _, err := range []error{g.SetFill("fill", 2), g.Update(steps(2)), g.Enable("fill", false), x.Write(0, []uint32{1})} {
		if err != nil {
			return err
		}
	}
	if _, err := g.TimeNodes(1); err != nil {
		return err
	}
	if err := expect(y, 4); err != nil {
		return err
	}
	if err := g.Launch(); err != nil {
		return err
	}
	if err := expect(y, 8); err != nil {
		return err
	}
	return errors.Join(g.Close(), y.Close())
}

func byHand(d *Device, k *Kernel, x *Buffer) error {
	in, out := []uint32{4}, make([]uint32, 1)
	b := d.NewGraphBuilder()
	write := b.Write(x, in)
	both := b.Join(After(write, b.Host(func() {})))
	b.Read(x, out, After(b.Launch(k, Grid(1), Block(1), x, 5, 1, 1, After(both))))
	g, err := b.Build()
	if err != nil {
		return err
	}
	if err := g.SetArg("affine", "add", 2); err != nil {
		return err
	}
	if err := g.SetWrite("write", []uint32{4}); err != nil {
		return err
	}
	outer := d.NewGraphBuilder()
	outer.If(x, func(b *GraphBuilder) { b.Launch(k, Grid(1), Block(1), x, 2, 0, 1) }, nil, After(outer.Graph(g)))
	whole, err := outer.Build()
	if err != nil {
		return err
	}
	if err := whole.Launch(); err != nil {
		return err
	}
	if err := expect(x, 44); err != nil {
		return err
	}
	if out[0] != 22 {
		return fmt.Errorf("%w: %d, want 22", faultytest.ErrWrong, out[0])
	}
	return errors.Join(whole.Close(), g.Close())
}

func caches(d *Device, _ *Kernel, x *Buffer) (err error) {
	modules, graphs := d.MustNewModuleCache(1), d.MustNewGraphCache(1)
	defer func() { err = errors.Join(err, graphs.Close(), modules.Close()) }()
	for i := range 2 {
		k, release, err := modules.Kernel(string(kernelsPTX)+fmt.Sprintln("//", i), "affine")
		if err != nil {
			return err
		}
		g, drop, err := graphs.Get(i, func() (*Graph, error) {
			return d.Capture(func(s *Stream) { _ = s.Launch(k, Grid(1), Block(1), x, 0, i, 1) })
		})
		if err != nil {
			release()
			return err
		}
		if err = g.Launch(); err == nil {
			err = expect(x, uint32(i))
		}
		drop()
		release()
		if err != nil {
			return err
		}
	}
	return nil
}

func measured(d *Device, k *Kernel, x *Buffer) error {
	p, err := k.Plan(Grid(1), Block(1), x, 1, 1, 1)
	if err != nil {
		return err
	}
	if _, err := p.Time(2); err != nil {
		return err
	}
	if err := expect(x, 4); err != nil {
		return err
	}
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	e, err := d.NewEvent()
	if err != nil {
		return err
	}
	got := make([]uint32, 1)
	for _, step := range []func() error{
		func() error { return p.LaunchOn(s) },
		func() error { return e.Record(s) },
		func() error { return d.Stream().WaitFor(e) },
		func() error { return d.Stream().Read(x, got) },
		d.Stream().Synchronize,
		d.Synchronize,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if got[0] != 5 {
		return fmt.Errorf("%w: %d, want 5", faultytest.ErrWrong, got[0])
	}
	return errors.Join(e.Close(), s.Close())
}

// Every call fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong, and no handle stays tracked.
func TestEveryCallMayFail(t *testing.T) {
	faultytest.EveryCall(t, func(drv driver.Driver) error {
		before := len(Live())
		err := everything(drv)
		if after := len(Live()); after != before {
			return fmt.Errorf("%w: %d handles are still tracked", faultytest.ErrWrong, after-before)
		}
		return err
	}, append(faultytest.Ways, faultytest.Way{Name: "launch failure", Fail: func(n int) func(int, string) error { return faulty.Once(n, driver.ErrorLaunchFailed) }},
		faultytest.Way{Name: "module load", Fail: func(n int) func(int, string) error { return faulty.Once(n, driver.ErrorInvalidPTX) }})...)
}

// A sticky error that arrives late names the launches that may have caused it, and what to do.
func TestStickyErrorNamesTheLaunches(t *testing.T) {
	broken := false
	in := faulty.NewInjector(func(_ int, call string) error {
		if broken && (call == "cuStreamSynchronize" || call == "cuCtxSynchronize") {
			return driver.ErrorIllegalAddress
		}
		return nil
	})
	d, err := OpenDriver(faulty.New(emulated.New(), in), 0)
	check(t, err)
	k := d.MustLoadPTX(string(kernelsPTX)).MustKernel("affine")
	x := d.MustUpload([]uint32{1})
	check(t, errors.Join(d.Launch(k, Grid(7), Block(1), x, 1, 1, 1), d.Synchronize())) // waited for: no suspect
	for i := range 10 {
		check(t, d.Launch(k, Grid(i+1), Block(2), x, 1, 1, 1))
	}
	broken = true
	err = d.Stream().Synchronize()
	var e *Error
	if !errors.As(err, &e) || len(e.Launches) != recentLaunches || e.Launches[recentLaunches-1] != "affine<10, 2>" ||
		!strings.Contains(err.Error(), "open one anew") {
		t.Errorf("%v", err)
	}
	if strings.Contains(err.Error(), "affine<7, 1>") {
		t.Error("a launch that was waited for is a suspect")
	}
	broken = false
	fresh, err := d.Reset()
	check(t, err)
	equal(t, MustSlice[uint32](fresh.MustUpload([]uint32{4})), []uint32{4})
	check(t, fresh.Close())
}
