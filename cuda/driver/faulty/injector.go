package faulty

import (
	"maps"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// An Injector decides which calls fail, counts calls, and knows what is alive.
type Injector struct {
	fail func(n int, call string) error

	mu    sync.Mutex
	calls []string       // guarded by mu
	alive map[string]int // guarded by mu
}

// NewInjector makes an injector. fail is asked before each call with the number of calls before it
// and its name (queries, which are not counted, with the number of the call before them), and gives
// the error the call is to return, usually a driver.Result; nil lets it pass. A nil fail lets all
// pass.
func NewInjector(fail func(n int, call string) error) *Injector {
	return &Injector{fail: fail, alive: map[string]int{}}
}

// Lost is a fail function of a device that is lost at call n: that call and all later ones return
// the code.
func Lost(at int, code driver.Result) func(int, string) error {
	return func(n int, _ string) error {
		if n >= at {
			return code
		}
		return nil
	}
}

// Once is a fail function for call n alone.
func Once(at int, code driver.Result) func(int, string) error {
	return func(n int, _ string) error {
		if n == at {
			return code
		}
		return nil
	}
}

// Calls names the calls so far, in order.
func (in *Injector) Calls() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]string(nil), in.calls...)
}

// Alive counts what was made and not given back, by kind; kinds of which nothing is left are
// absent.
func (in *Injector) Alive() map[string]int {
	in.mu.Lock()
	defer in.mu.Unlock()
	alive := maps.Clone(in.alive)
	maps.DeleteFunc(alive, func(_ string, n int) bool { return n == 0 })
	return alive
}

// ask gives the failure of a call that is about to be made.
func (in *Injector) ask(call string) error {
	in.mu.Lock()
	n := len(in.calls)
	in.calls = append(in.calls, call)
	in.mu.Unlock()
	return in.fails(n, call)
}

func (in *Injector) fails(n int, call string) error {
	if in.fail == nil {
		return nil
	}
	err := in.fail(n, call)
	if code, ok := err.(driver.Result); ok {
		return &driver.Error{Call: call, Code: code, Detail: "injected"}
	}
	return err
}

// do makes a call unless it is to fail.
func (in *Injector) do(call string, f func() error) error {
	if err := in.ask(call); err != nil {
		return err
	}
	return f()
}

// poll makes a call that only asks, and that programs make as often as they like: it is not
// counted, and fails with the call before it.
func (in *Injector) poll(call string, f func() error) error {
	in.mu.Lock()
	n := len(in.calls) - 1
	in.mu.Unlock()
	if err := in.fails(n, call); err != nil {
		return err
	}
	return f()
}

// waits makes a call that waits for the device, and then reports the failure that the call was to
// have: when a wait fails, the work that it was for is over.
func (in *Injector) waits(call string, f func() error) error {
	injected := in.ask(call)
	err := f()
	if injected != nil {
		return injected
	}
	return err
}

// made makes something and counts it.
func made[T any](in *Injector, kind, call string, f func() (T, error)) (T, error) {
	var none T
	if err := in.ask(call); err != nil {
		return none, err
	}
	v, err := f()
	if err != nil {
		return none, err
	}
	in.mu.Lock()
	in.alive[kind]++
	in.mu.Unlock()
	return v, nil
}

// gone gives something back, and then reports the failure that the call was to have.
func (in *Injector) gone(kind, call string, f func() error) error {
	injected := in.ask(call)
	err := f()
	if err == nil {
		in.mu.Lock()
		in.alive[kind]--
		in.mu.Unlock()
	}
	if injected != nil {
		return injected
	}
	return err
}
