package conformance

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// A Session executes cells, each with everything that earlier ones declared. Its errors are
// engine's for a program that ended (*engine.Panic, *engine.Exit, *engine.Deadlock) and anything
// else for one that was refused.
type Session interface {
	Cell(ctx context.Context, source string) error
	Close() error
}

// An Open starts a fresh session.
type Open func() (Session, error)

// A Refused is the error for a program that was not executed, by the checker or by the engine.
type Refused struct{ Err error }

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

// A Timeout is the error for a program that did not end.
type Timeout struct{ After time.Duration }

func (t *Timeout) Error() string { return fmt.Sprintf("not over after %s", t.After) }

// Limit is how long a program of the corpus may take. None needs a hundredth of it, but on a busy
// machine, under the race detector or with the collector always at work.
const Limit = 3 * time.Minute

// Whole executes the program as one cell.
func Whole(open Open, p Program) (Outcome, error) { return Cells(open, []string{p.Source}) }

// Cells executes cells in a fresh session until one ends the program, and captures what they print.
// The error is a *Refused or *Timeout.
func Cells(open Open, cells []string) (o Outcome, err error) {
	s, err := open()
	if err != nil {
		return o, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), Limit)
	defer cancel()
	var ended error
	o.Stdout, ended = Capture(func() error {
		defer usualTestFlags()()
		for _, c := range cells {
			if err := s.Cell(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err := s.Close(); err != nil {
		return o, err
	}
	if ctx.Err() != nil {
		return o, &Timeout{Limit}
	}
	var refused error
	if o.Exit, o.Panic, refused = ending(ended); refused != nil {
		return o, &Refused{refused}
	}
	return o, nil
}

// flags are this process's, before a program of cells has its own.
var flags = flag.CommandLine

// usualTestFlags gives the flags of package testing the values that a program finds which is no
// test: those of a go test that runs this process are not the program's. The answer gives them
// back.
func usualTestFlags() (restore func()) {
	before := map[*flag.Flag]string{}
	flags.VisitAll(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "test.") && f.Value.String() != f.DefValue {
			before[f] = f.Value.String()
			_ = f.Value.Set(f.DefValue) // it has had it
		}
	})
	return func() {
		for f, value := range before {
			_ = f.Value.Set(value) // as before
		}
	}
}

// stdout is process-wide: one program at a time.
var stdout sync.Mutex

// Capture runs f and returns what was written to os.Stdout meanwhile, and f's error, or one of
// capturing.
func Capture(f func() error) (string, error) {
	stdout.Lock()
	defer stdout.Unlock()
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	var text []byte
	var readErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, readErr = io.ReadAll(r)
	}()
	old := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = old }()
	ended := f()
	if err := w.Close(); err != nil {
		return "", err
	}
	<-done
	if readErr != nil {
		return "", readErr
	}
	return string(text), ended
}

// IsRefusal tells the errors of cells that were not executed from those of cells that ended badly.
func IsRefusal(err error) bool {
	_, _, refused := ending(err)
	return refused != nil
}
