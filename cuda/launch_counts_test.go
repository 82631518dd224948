package cuda

import (
	"errors"
	"strings"
	"testing"
)

// It counts the launches of its work alone; a GPU refuses.
func TestCountLaunches(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("saxpy")
	const n = 1024
	x, y := d.MustUpload(make([]float32, n)), d.MustUpload(make([]float32, n))
	launch := func() error { return d.Launch(k, GridFor(n, 256), Block(256), n, float32(2), x, y) }
	check(t, launch())
	p, err := d.CountLaunches(func() error { return errors.Join(launch(), launch()) })
	if _, counts := d.ctx.(launchCounter); !counts {
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "Nsight") {
			t.Errorf("%v", err)
		}
		return
	}
	check(t, err)
	check(t, launch())
	if len(p.Launches) != 2 || p.Launches[1].Counters.GlobalBytes != 3*4*n {
		t.Fatalf("%+v", p)
	}
	text := p.Table().Text()
	for _, want := range []string{"2 launches", "saxpy", "4.0", "12,288"} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q:\n%s", want, text)
		}
	}
	if card := p.Launches[0].Table().Text(); !strings.Contains(card, "fma.rn.f32") {
		t.Errorf("%s", card)
	}
	failed := errors.New("the work's own")
	if _, err := d.CountLaunches(func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}
