package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/complete"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/interp/pace"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// Options of a session.
type Options struct {
	// Names are packages that every cell can use without importing them: the name in cells to the
	// import path. They have to be of the standard library or registered (check.Register).
	Names map[string]string
	// Comm receives comm events from the front end, on a goroutine of the engine's, so that it can
	// call functions of cells. nil: they are dropped.
	Comm func(worker.CommEvent, worker.Host)
	// OnCell is called before each cell with what the code of cells can ask of the kernel; nil:
	// nothing is.
	OnCell func(Front)
	// AfterCell is called when a cell has ended, before its reply; nil: nothing is.
	AfterCell func()
	// OnInterrupt is called when the front end interrupts the cell that runs, so that compiled code
	// that waits for something the engine cannot see (a device) can be woken. It must not block.
	OnInterrupt func()
	// Stdin is what the engine reads; nil: cells read the process's own.
	Stdin *Stdin
	// Streams are what the engine's cells print to; nil: the process's own, in order each alone.
	Streams *Streams
	// Engines are what %engine can switch to, by the engine's name; nil: there is the one that New
	// was given.
	Engines map[string]func() (engine.Engine, error)
	// OnClose is called by Close after the engine has stopped.
	OnClose func() error
}

// A Session is a sequence of cells over one engine. It implements worker.Session.
type Session struct {
	options  Options
	check    *check.Checker
	complete *complete.Completer
	sources  *sources
	engine   atomic.Pointer[engine.Engine]
	newest   atomic.Pointer[shell] // whose cell began last, of those that run
	loading  sync.Mutex            // held while a cell is checked, loaded and made one of the earlier ones

	mu      sync.Mutex
	shells  map[string]*shell
	running []*shell // in the order in which their cells began
}

var _ worker.Session = (*Session)(nil)

// New makes a session on an engine, which the session closes.
func New(e engine.Engine, o Options) (*Session, error) {
	c, err := check.New(o.Names)
	if err != nil {
		return nil, err
	}
	s := &Session{options: o, check: c, complete: complete.New(c), sources: newSources(), shells: map[string]*shell{}}
	s.engine.Store(&e)
	if o.Stdin != nil {
		o.Stdin.session = s
	}
	if o.Streams != nil {
		o.Streams.session = s
	}
	c.Compiled = func(f *types.Func, args []types.Type) bool { return check.CompiledBy(s.current(), f, args) }
	e.OnPanic(s.goroutinePanicked)
	return s, nil
}

// byteOrderMark is what some editors write at the beginning of texts.
const byteOrderMark = "\ufeff"

// Execute runs one cell.
func (s *Session) Execute(ctx context.Context, req worker.ExecuteRequest, host worker.Host) worker.ExecuteReply {
	defer pace.Begin()()
	ctx, sh := s.enter(ctx, req, host)
	defer s.after(ctx, sh)
	display.SetScreen(screens{s})
	if s.options.OnCell != nil {
		s.options.OnCell(Front{s})
	}
	req.Source = strings.TrimPrefix(req.Source, byteOrderMark)
	s.sources.put(req.Number, req.Source)
	var reply worker.ExecuteReply
	var pages pager
	value, err := s.cell(ctx, req.Number, req.Source, host, &pages)
	reply.Payload = pages
	if err != nil {
		reply.Error = withWait(err, s.cellError(err))
		return reply
	}
	reply.Result = value
	reply.UserExpressions = s.userExpressions(ctx, req)
	return reply
}

// after sends what a cell showed last and what waits yet.
func (s *Session) after(ctx context.Context, sh *shell) {
	defer s.leave(sh)
	sh.screen.updates.Flush()
	switch {
	case s.options.AfterCell == nil:
	case s.others(sh): // on a goroutine that belongs to the cell
		_ = s.current().Do(context.WithoutCancel(ctx), s.options.AfterCell) // it is compiled code's
	default:
		s.options.AfterCell()
	}
}

// cell runs the commands of a cell and then its Go text.
func (s *Session) cell(ctx context.Context, n int, source string, host worker.Host, pages *pager) (*display.Bundle,
	error) {
	calls, rest := magic.Split(source, s.declares)
	var shown *display.Bundle
	for _, c := range calls {
		at := &commandSession{s: s, number: n, shell: s.shellOf(ctx)}
		c.Session, c.Host, c.Number = at, host, n
		if s.options.Streams != nil {
			c.Stdout, c.Stderr = s.stdout(ctx), s.stderr(ctx)
		}
		value, err := magic.Run(ctx, c)
		if err != nil {
			return nil, err
		}
		shown = at.shown
		if page, ok := value.(magic.Page); ok {
			pages.add(page)
		} else if value != nil {
			b := display.Render(value)
			shown = &b
		}
	}
	if len(calls) > 0 && blank(rest) {
		return shown, nil
	}
	if s.leaves(rest) {
		pages.leave()
		write(s.stdout(ctx), "A console ends here. A notebook's kernel is ended from its Kernel menu.")
		return nil, nil
	}
	return s.run(ctx, n, rest)
}

// leaves reports whether a cell is what people write to end a console, and no name of theirs.
func (s *Session) leaves(source string) bool {
	word := strings.TrimSuffix(strings.TrimSpace(source), "()")
	if word != "exit" && word != "quit" {
		return false
	}
	return !s.declares(word)
}

// declares reports whether cells declared a name.
func (s *Session) declares(name string) bool {
	return slices.ContainsFunc(s.check.Objects(), func(o types.Object) bool { return o.Name() == name })
}

// userExpressions evaluates what the front end wants to know after the cell.
func (s *Session) userExpressions(ctx context.Context, req worker.ExecuteRequest) map[string]json.RawMessage {
	if len(req.UserExpressions) == 0 {
		return nil
	}
	all := map[string]json.RawMessage{}
	for name, source := range req.UserExpressions {
		all[name] = s.userExpression(ctx, req.Number, source)
	}
	return all
}

func (s *Session) userExpression(ctx context.Context, n int, source string) json.RawMessage {
	answer := map[string]any{"status": "ok", "data": map[string]any{}, "metadata": map[string]any{}}
	if b, err := s.run(ctx, n, source); err != nil {
		e := withWait(err, s.cellError(err))
		answer = map[string]any{"status": "error", "ename": e.Name, "evalue": e.Value, "traceback": e.Traceback}
	} else if b != nil {
		answer["data"] = b.Data
		if b.Metadata != nil {
			answer["metadata"] = b.Metadata
		}
	}
	data, err := json.Marshal(answer)
	if err != nil {
		data, _ = json.Marshal(map[string]any{"status": "error", "ename": "Refused", "evalue": err.Error(),
			"traceback": []string{}})
	}
	return data
}

// IsComplete reports whether the text is a whole cell.
func (s *Session) IsComplete(_ context.Context, req worker.IsCompleteRequest) worker.IsCompleteReply {
	calls, rest := magic.Split(req.Source, s.declares)
	if n := len(calls); n > 0 && calls[n-1].GoesOn() && blank(rest) {
		return worker.IsCompleteReply{Status: "incomplete"}
	}
	if n := len(calls); n > 0 && calls[n-1].Body != "" || blank(rest) && n > 0 {
		return worker.IsCompleteReply{Status: "complete"}
	}
	status, indent := cell.Complete(rest)
	return worker.IsCompleteReply{Status: status, Indent: indent}
}

// Comm hands an event to whoever the options name. What a function of a cell does wrong in it is
// told where the last cell prints: there is no reply that could carry it.
func (s *Session) Comm(ctx context.Context, event worker.CommEvent, host worker.Host) {
	if s.options.Comm == nil {
		return
	}
	defer s.tellCompiled(ctx)()
	if e := s.cellError(s.current().Do(ctx, func() { s.options.Comm(event, host) })); e != nil {
		fmt.Fprintln(os.Stderr, strings.Join(e.Traceback, "\n"))
	}
}

// Close stops what cells left running.
func (s *Session) Close() error {
	err := s.current().Close()
	if s.options.OnClose != nil {
		if e := s.options.OnClose(); err == nil {
			err = e
		}
	}
	return err
}

// reset forgets what cells declared; their goroutines go on.
func (s *Session) reset() error {
	s.check.Forget(maps.Clone(s.options.Names))
	return nil
}
