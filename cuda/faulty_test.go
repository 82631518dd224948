package cuda

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty"
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
	if err := replay(d, k, x); err != nil {
		return err
	}
	return errors.Join(x.Free(), m.Unload())
}

var errWrong = errors.New("wrong result")

func expect(b *Buffer, want uint32) error {
	got, err := b.Uint32s()
	if err != nil {
		return err
	}
	if got[0] != want {
		return fmt.Errorf("%w: %d, want %d", errWrong, got[0], want)
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
		return fmt.Errorf("%w: %d, want 7", errWrong, out[0][0])
	}
	if err := d.WriteRanges(Write{x, 0, []byte{2, 0, 0, 0}}); err != nil {
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
	if _, err := g.Replay(2); err != nil {
		return err
	}
	if out[0] != 250 {
		return fmt.Errorf("%w: %d, want 2*5*5*5", errWrong, out[0])
	}
	return g.Close()
}

// Every call fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong.
func TestEveryCallMayFail(t *testing.T) {
	count := faulty.NewInjector(nil)
	check(t, everything(faulty.New(emulated.New(), count)))
	if alive := count.Alive(); len(alive) > 0 {
		t.Fatalf("without any failure %v are left", alive)
	}
	calls := count.Calls()
	t.Logf("%d calls", len(calls))
	for name, fail := range map[string]func(int) func(int, string) error{
		"out of memory":  func(n int) func(int, string) error { return faulty.Once(n, driver.ErrorOutOfMemory) },
		"launch failure": func(n int) func(int, string) error { return faulty.Once(n, driver.ErrorLaunchFailed) },
		"lost device":    func(n int) func(int, string) error { return faulty.Lost(n, driver.ErrorECCUncorrectable) },
	} {
		t.Run(name, func(t *testing.T) {
			for n, call := range calls {
				tryWithFailure(t, fmt.Sprintf("call %d, %s", n, call), faulty.NewInjector(fail(n)))
			}
		})
	}
}

func tryWithFailure(t *testing.T, what string, in *faulty.Injector) {
	t.Helper()
	done := make(chan error, 1)
	before := len(Live())
	go func() { done <- everything(faulty.New(emulated.New(), in)) }()
	select {
	case err := <-done:
		if err == nil {
			t.Errorf("%s: the failure was swallowed", what)
		}
		if errors.Is(err, errWrong) {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: hangs", what)
	}
	if alive := in.Alive(); len(alive) > 0 {
		t.Errorf("%s: left alive %v", what, alive)
	}
	if after := len(Live()); after != before {
		t.Errorf("%s: %d handles are still tracked", what, after-before)
	}
}
