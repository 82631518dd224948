package yaegi

import (
	"context"
	"io"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// Options of an engine. Symbols and Types find what the binary holds of compiled packages, as symbols.Lookup and
// symbols.Type do.
type Options struct {
	Symbols func(path, name string) (reflect.Value, bool)
	Types   func(path, name string) (reflect.Type, bool)
	// Stdin is what cells read where they read os.Stdin or call fmt.Scan; nil: the process's own.
	Stdin io.Reader
	// Writer is what compiled functions write to where a cell hands them a file, or prints; nil: the file.
	Writer func(*os.File) io.Writer
}

// yaegi is one session's engine.
type yaegi struct {
	*link.Session[*target]
	options    Options
	live       sync.Map // *routine -> struct{}
	background *run     // of goroutines that compiled code started and that call back
	onPanic    atomic.Pointer[func(*engine.Panic)]
	lastID     atomic.Int64
	watching
}

// New makes the engine of a session. The error is a *gorelease.FactError, as the other engine's.
func New(o Options) (engine.Engine, error) {
	e := &yaegi{options: o}
	var err error
	if e.Session, err = link.New(link.Options{Symbols: o.Symbols, Types: o.Types, Instead: instead}, methodSource{e}, e.newUnit); err != nil {
		return nil, err
	}
	e.background = e.newRun(context.Background())
	return e, nil
}

func (e *yaegi) Name() string { return "yaegi" }

// Close stops every goroutine that cells started.
func (e *yaegi) Close() error {
	e.live.Range(func(g, _ any) bool {
		g.(*routine).run.stop()
		return true
	})
	return nil
}

// Context is that of the run that the calling goroutine belongs to.
func (e *yaegi) Context() context.Context {
	if g := current(); g != nil {
		return g.run.ctx
	}
	return nil
}

func (e *yaegi) OnPanic(f func(*engine.Panic)) { e.onPanic.Store(&f) }

func (e *yaegi) Goroutines() []engine.Goroutine {
	var all []engine.Goroutine
	e.live.Range(func(k, _ any) bool {
		g := k.(*routine)
		wait, stack := g.state()
		all = append(all, engine.Goroutine{ID: g.id, Wait: wait, Stack: stack})
		return true
	})
	return all
}

// methodSource gives the table the methods of cell types.
type methodSource struct{ e *yaegi }

// WordMethod has no faster way than Method: it is told which methods there are.
func (m methodSource) WordMethod(x *rtype.Method) unsafe.Pointer {
	m.e.MethodMade(x)
	return nil
}

func (m methodSource) Method(x *rtype.Method) (code func([]reflect.Value) []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = m.e.Refusal(r)
		}
	}()
	t := m.e.Method(x.RecvType, x.Selection)
	t.body()
	return func(args []reflect.Value) []reflect.Value { return t.callback(nil, args) }, nil
}

var _ engine.Engine = (*yaegi)(nil)
