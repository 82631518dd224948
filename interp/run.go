package interp

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// run checks, loads and executes Go text as cell n, and gives what its last expression shows.
func (s *Session) run(ctx context.Context, n int, source string) (*display.Bundle, error) {
	k, err := s.load(n, source)
	if err != nil {
		return nil, err
	}
	if k.Constant.IsValid() {
		return result(k, []reflect.Value{k.Constant}), nil
	}
	for _, line := range k.Stale {
		write(s.stderr(ctx), "note: "+line)
	}
	if k.Unit.Entry == nil && k.Unit.Init == nil { // nothing runs, and the engine lets go of what code was made from
		_, err := s.current().Run(context.WithoutCancel(ctx), k.Unit)
		return nil, err
	}
	values, err := s.execute(ctx, k.Unit)
	if err != nil {
		return nil, err
	}
	if predeclared(values) {
		return result(k, values), nil
	}
	var shown *display.Bundle
	if err := s.current().Do(ctx, func() { shown = result(k, values) }); err != nil {
		return nil, err
	}
	return shown, nil
}

// load checks Go text as cell n, has the engine load it and makes it one of the earlier cells.
// Cells of other shells see all of what it declares or nothing.
func (s *Session) load(n int, source string) (*check.Checked, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	k, err := s.check.Check(n, source)
	if err == nil && !k.Constant.IsValid() {
		err = s.current().Load(k.Unit)
	}
	if err != nil {
		return nil, err
	}
	s.check.Commit(k)
	return k, nil
}

// predeclared tells of numbers, strings and truth values: they have no methods that the engine
// would have to run.
func predeclared(values []reflect.Value) bool {
	for _, v := range values {
		if !v.IsValid() || v.Type().String() != v.Kind().String() || v.Kind() == reflect.Interface {
			return false
		}
	}
	return true
}

// execute runs a unit.
func (s *Session) execute(ctx context.Context, u *engine.Unit) (values []reflect.Value, err error) {
	err = s.alone(ctx, func(ctx context.Context) (err error) {
		values, err = s.current().Run(ctx, u)
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = shownInterrupt(values)
	}
	return values, err
}

// alone is the run of a cell: an interrupt ends it, and so does a panic in any goroutine of the
// cells, as it would end a program.
func (s *Session) alone(front context.Context, run func(context.Context) error) error {
	// on the front end's context: the end of the cell cancels only the one derived from it
	defer s.tellCompiled(front)()
	ctx, cancel := context.WithCancel(front)
	defer cancel()
	sh := s.shellOf(front)
	s.begin(sh, cancel)
	sh.screen.within(ctx)
	sh.input.within(ctx)
	err := asInterrupt(front, run(ctx))
	var interrupted *engine.Interrupted
	var deadlock *engine.Deadlock
	if p := s.end(sh); p != nil && (err == nil || errors.As(err, &interrupted) || errors.As(err, &deadlock)) {
		return p
	}
	return err
}

// stubbornInterrupt is how long after an interrupt compiled code is told again.
const stubbornInterrupt = 20 * time.Millisecond

// tellCompiled calls OnInterrupt when ctx is cancelled, and again until the answer is called: a
// wait that begins while the others are told does not hear it.
func (s *Session) tellCompiled(ctx context.Context) (stop func()) {
	if s.options.OnInterrupt == nil {
		return func() {}
	}
	ended, told := make(chan struct{}), make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(told)
		for {
			s.options.OnInterrupt()
			select {
			case <-ended:
				return
			case <-time.After(stubbornInterrupt):
			}
		}
	})
	return func() {
		close(ended)
		if !detach() {
			<-told
		}
	}
}

func (s *Session) begin(sh *shell, cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh.cancel, sh.died = cancel, nil
}

func (s *Session) end(sh *shell) *engine.Panic {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh.cancel = nil
	return sh.died
}

// goroutinePanicked is told by the engine. Where a cell of the goroutine's shell runs, the panic
// becomes its error; where none does, it is written to the standard error.
func (s *Session) goroutinePanicked(p *engine.Panic) {
	if !s.diedOf(p) {
		lines, _ := s.panicLines(p)
		write(s.stderr(p.Context), lines...)
	}
}

// diedOf makes the panic the end of the cell that runs; false if none does.
func (s *Session) diedOf(p *engine.Panic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shellOf(p.Context)
	if sh == nil || sh.cancel == nil {
		return false
	}
	if sh.died == nil {
		sh.died = p
		sh.cancel()
	}
	return true
}

// A commandSession is the session as a command sees it, at its place in a cell.
type commandSession struct {
	s      *Session
	number int
	shell  *shell
	shown  *display.Bundle
}

// Go executes Go text.
func (p *commandSession) Go(ctx context.Context, source string) error {
	b, err := p.s.run(ctx, p.number, source)
	p.shown = b
	return err
}

// Reset forgets what cells declared.
func (p *commandSession) Reset() error { return p.s.reset() }

// Engine names the engine.
func (p *commandSession) Engine() string { return p.s.current().Name() }

// Engines names those that there are.
func (p *commandSession) Engines() []string { return p.s.engineNames() }

// Switch makes another engine execute what follows.
func (p *commandSession) Switch(name string) error { return p.s.switchTo(p.shell, name) }

func blank(s string) bool { return strings.TrimSpace(s) == "" }
