package standin

import (
	"errors"
	"flag"
	"io"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

func TestDoOnce(t *testing.T) {
	if err := gorelease.Onces.Err(); err != nil {
		t.Fatal(err)
	}
	var o sync.Once
	locks, calls := 0, 0
	do := func() { DoOnce(&o, func() { calls++; panic("once") }, func(m *sync.Mutex) { locks++; m.Lock() }) }
	func() {
		defer func() {
			if recover() != "once" {
				t.Error("the panic is lost")
			}
		}()
		do()
	}()
	do()
	o.Do(func() { t.Error("the compiled one does not know that it was done") })
	if locks != 1 || calls != 1 {
		t.Errorf("%d locks, %d calls", locks, calls)
	}
}

func TestParseFlags(t *testing.T) {
	for _, c := range []struct {
		handling flag.ErrorHandling
		args     string
		code     int
		err      bool
	}{
		{flag.ExitOnError, "-n=1", -1, false}, {flag.ExitOnError, "-n=x", 2, false}, {flag.ExitOnError, "-h", 0, false},
		{flag.ContinueOnError, "-n=x", -1, true}, {flag.ContinueOnError, "-h", -1, true},
	} {
		f := flag.NewFlagSet("f", c.handling)
		f.SetOutput(io.Discard)
		f.Int("n", 0, "")
		code := -1
		err := ParseFlags(f, []string{c.args}, func(n int) { code = n })
		if code != c.code || (err != nil) != c.err || f.ErrorHandling() != c.handling {
			t.Errorf("%v %s: exit %d, error %v, then %v", c.handling, c.args, code, err, f.ErrorHandling())
		}
	}
}

func TestParseFlagsPanics(t *testing.T) {
	f := flag.NewFlagSet("f", flag.ExitOnError)
	failed := errors.New("set")
	f.Func("x", "", func(string) error { panic(failed) })
	defer func() {
		if recover() != failed || f.ErrorHandling() != flag.ExitOnError {
			t.Error("the panic is lost, or what the set does with errors")
		}
	}()
	_ = ParseFlags(f, []string{"-x", "1"}, func(int) { t.Error("exits") })
}
