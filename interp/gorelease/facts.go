package gorelease

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Fact is one thing that the project knows of the Go release and that the release does not
// promise: a layout, a private function, a convention. It is checked once, when it is first asked
// for; one that does not hold switches one ability off.
type Fact struct {
	Name    string // in Go's own names
	Why     string // what it is used for
	Without string // the ability that is off where it does not hold
	Vital   bool   // without it no cell runs
	check   func() error

	once sync.Once
	err  error
	took time.Duration
}

// Err is nil where the fact holds, a *FactError where it does not.
func (f *Fact) Err() error {
	f.once.Do(f.look)
	return f.err
}

// Holds reports whether the fact holds.
func (f *Fact) Holds() bool { return f.Err() == nil }

// Took is how long its check took; 0 where it was not checked yet.
func (f *Fact) Took() time.Duration { return f.took }

func (f *Fact) look() {
	begin := time.Now()
	err := errSwitchedOff
	if !slices.Contains(switchedOff(), f.Name) {
		err = tried(f.check)
	}
	f.took = time.Since(begin)
	if err != nil {
		f.err = &FactError{f, err}
	}
}

// tried runs a check. One that looks where nothing is fails.
func tried(check func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the check panics: %v", r)
		}
	}()
	return check()
}

// WithoutFacts is the environment variable that names facts, separated by commas, which are taken
// not to hold: a way around one of them, and a test of what its ability says.
const WithoutFacts = "VYRE_KERNEL_WITHOUT"

var errSwitchedOff = fmt.Errorf("%s switches it off", WithoutFacts)

var switchedOff = sync.OnceValue(func() []string { return strings.Split(os.Getenv(WithoutFacts), ",") })

// A FactError says which fact does not hold, and what is off for it.
type FactError struct {
	Fact *Fact
	Err  error // what was found
}

func (e *FactError) Error() string {
	return fmt.Sprintf("off: %s: %s is not as it is in %s: %v (built by %s; docs/go-release.md)",
		e.Fact.Without, e.Fact.Name, Name, e.Err, runtime.Version())
}

func (e *FactError) Unwrap() error { return e.Err }

// Check checks all facts, and returns what is off.
func Check() (failed []*FactError) {
	for _, f := range Facts {
		if f.Err() != nil {
			failed = append(failed, f.err.(*FactError))
		}
	}
	return failed
}

// Vital is nil where cells can run, else the error of a fact that all of them rest on.
func Vital() error {
	for _, f := range Facts {
		if f.Vital && f.Err() != nil {
			return f.err
		}
	}
	return nil
}
