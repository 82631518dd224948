package yaegi

import (
	"go/types"
	"io"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
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
	options    Options
	table      *rtype.Table
	sources    sync.Map // paths of the packages that some unit had the source of
	live       sync.Map // *routine -> struct{}
	background *run     // of goroutines that compiled code started and that call back
	onPanic    atomic.Pointer[func(*engine.Panic)]
	lastID     atomic.Int64
	generics   generics.Table[*target]

	loading sync.Mutex
	mu      sync.RWMutex
	units   map[*types.Package]*unit
	latest  *unit
	funcs   map[types.Object]*target
	globals map[types.Object]unsafe.Pointer
	made    []*types.Selection // methods of instances of cells' generic types that were made
}

// New makes the engine of a session. The error is a *rtype.LayoutError, as the other engine's.
func New(o Options) (engine.Engine, error) {
	e := &yaegi{options: o, units: map[*types.Package]*unit{}, funcs: map[types.Object]*target{}, globals: map[types.Object]unsafe.Pointer{}}
	var err error
	if e.table, err = rtype.NewTable(methodSource{e}, nativeTypes{e}); err != nil {
		return nil, err
	}
	e.background = e.newRun()
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

func (e *yaegi) OnPanic(f func(*engine.Panic)) { e.onPanic.Store(&f) }

func (e *yaegi) Type(t types.Type) (reflect.Type, error) { return e.table.Of(t) }

func (e *yaegi) Variable(x *types.Var) (reflect.Value, bool) {
	e.mu.RLock()
	p, ok := e.globals[x]
	e.mu.RUnlock()
	if !ok {
		return reflect.Value{}, false
	}
	rt, err := e.table.Of(x.Type())
	if err != nil {
		return reflect.Value{}, false
	}
	return reflect.NewAt(rt, p).Elem(), true
}

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
	if generics.IsInstance(x.RecvType) {
		m.e.mu.Lock()
		defer m.e.mu.Unlock()
		m.e.made = append(m.e.made, x.Selection)
	}
	return nil
}

func (m methodSource) Method(x *rtype.Method) (code func([]reflect.Value) []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = refusal(r)
		}
	}()
	t := m.e.methodTarget(x.RecvType, x.Selection)
	return func(args []reflect.Value) []reflect.Value { return t.callback(nil, args) }, nil
}

// nativeTypes finds compiled types for the table.
type nativeTypes struct{ e *yaegi }

func (n nativeTypes) NativeType(path, name string) (reflect.Type, bool) {
	return n.e.options.Types(path, name)
}

// Compiled tells apart cells and packages executed from source.
func (n nativeTypes) Compiled(path string) bool {
	if path == "main" {
		return false
	}
	_, source := n.e.sources.Load(path)
	return !source
}

// methodTarget is the code of a method of a type that the table made.
func (e *yaegi) methodTarget(t types.Type, sel *types.Selection) *target {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	u := e.owner(t)
	u.printing.Lock()
	defer u.printing.Unlock()
	target := u.method(sel)
	u.readPending()
	return target
}

// owner is the unit whose program has the methods of t.
func (e *yaegi) owner(t types.Type) *unit {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, named := types.Unalias(t).(*types.Named)
	e.mu.RLock()
	defer e.mu.RUnlock()
	if named && n.Obj().Pkg() != nil {
		if u := e.units[n.Obj().Pkg()]; u != nil && n.TypeArgs().Len() == 0 {
			return u
		}
	}
	return e.latest
}

// hasBodies tells packages executed from source.
func hasBodies(p *ssa.Package) bool {
	init := p.Func("init")
	return init != nil && init.Blocks != nil
}

var _ engine.Engine = (*yaegi)(nil)
