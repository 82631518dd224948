package vm

import (
	"go/types"
	"io"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// Options of an engine. Symbols and Types find what the binary holds of compiled packages, as
// symbols.Lookup and symbols.Type do.
type Options struct {
	Symbols func(path, name string) (reflect.Value, bool)
	Types   func(path, name string) (reflect.Type, bool)
	// Stdin is what cells read where they read os.Stdin or call fmt.Scan; nil: the process's own.
	Stdin io.Reader
	// Writer is what compiled functions write to where a cell hands them a file, or prints: a session that keeps the order of
	// standard output and standard error gives for those two what does. nil: the file itself.
	Writer func(*os.File) io.Writer
	// MaxDepth is how deep calls of cell code may nest; 0: DefaultMaxDepth. Deeper is a StackOverflow.
	MaxDepth int
}

// DefaultMaxDepth keeps a runaway recursion under the limit that the Go runtime sets to a stack (1 GB).
const DefaultMaxDepth = 500_000

// maxStackBytes is what callbacks, whose compiled frames nobody counts, may use of a stack.
const maxStackBytes = 512 << 20

// vm is one session's engine.
type vm struct {
	options  Options
	table    *rtype.Table
	maxDepth uint32
	maxStack uintptr

	typs    sync.Map // reflect.Type -> *typ
	forms   sync.Map // reflect.Type -> *funcForm
	methods sync.Map // methodKey -> *boundMethod
	live    sync.Map // *routine -> *run
	sources sync.Map // paths of the packages that some unit had the source of
	idle    sync.Pool
	lastID  atomic.Int64

	// background is the run of goroutines that compiled code started and that call back.
	background *run
	onPanic    atomic.Pointer[func(*engine.Panic)]
	closed     atomic.Bool
	wakers     wakers
	lookout    lookout

	loading sync.Mutex // one unit is loaded at a time
	mu      sync.RWMutex
	units   map[*types.Package]*unit
	latest  *unit
	funcs   map[types.Object]*target
	made    []*types.Selection // methods of types that were made since a unit was loaded (generics.go)
	globals map[types.Object]pointer
	pools   poolIDs

	generics generics.Table[*target]
}

// New makes the engine of a session. The error is a *rtype.LayoutError: this binary was built by a Go release that
// the engine does not know.
func New(o Options) (engine.Engine, error) {
	v := &vm{
		options: o, maxDepth: DefaultMaxDepth, maxStack: maxStackBytes,
		units: map[*types.Package]*unit{}, funcs: map[types.Object]*target{}, globals: map[types.Object]pointer{},
	}
	if o.MaxDepth > 0 {
		v.maxDepth = uint32(o.MaxDepth)
	}
	var err error
	if v.table, err = rtype.NewTable(methodSource{v}, nativeTypes{v}); err != nil {
		return nil, err
	}
	v.lastID.Store(mainID)
	v.background = v.newRun()
	witness(weak.Make(v))
	return v, nil
}

func (v *vm) Name() string { return "vm" }

// Close stops every goroutine that cells started.
func (v *vm) Close() error {
	v.closed.Store(true)
	v.live.Range(func(g, _ any) bool {
		g.(*routine).run.stop()
		return true
	})
	return nil
}

func (v *vm) OnPanic(f func(*engine.Panic)) { v.onPanic.Store(&f) }

func (v *vm) Type(t types.Type) (reflect.Type, error) { return v.table.Of(t) }

func (v *vm) Variable(x *types.Var) (reflect.Value, bool) {
	v.mu.RLock()
	p, ok := v.globals[x]
	v.mu.RUnlock()
	if !ok {
		return reflect.Value{}, false
	}
	rt, err := v.table.Of(x.Type())
	if err != nil {
		return reflect.Value{}, false
	}
	return reflect.NewAt(rt, p).Elem(), true
}

// methodSource gives the table the methods of cell types.
type methodSource struct{ vm *vm }

func (m methodSource) Method(x *rtype.Method) (code func([]reflect.Value) []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = refusal(r)
		}
	}()
	o := &funcObject{target: m.vm.methodTarget(x.RecvType, x.Selection)}
	o.target.code()
	return o.callValues, nil
}

// nativeTypes finds compiled types for the table.
type nativeTypes struct{ vm *vm }

func (n nativeTypes) NativeType(path, name string) (reflect.Type, bool) {
	return n.vm.options.Types(path, name)
}

// Compiled: cells and the packages executed from source are not.
func (n nativeTypes) Compiled(path string) bool {
	n.vm.mu.RLock()
	u := n.vm.latest
	n.vm.mu.RUnlock()
	if path == "main" {
		return false
	}
	if _, ok := n.vm.sources.Load(path); ok {
		return false
	}
	return u == nil || !u.fromSource(path)
}

// methodTarget is the code of a method of a type that the table made.
func (v *vm) methodTarget(t types.Type, sel *types.Selection) *target {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	u := v.owner(t)
	u.compiling.Lock()
	defer u.compiling.Unlock()
	return u.method(sel)
}

// owner is the unit whose program has the methods of t.
func (v *vm) owner(t types.Type) *unit {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, named := types.Unalias(t).(*types.Named)
	v.mu.RLock()
	defer v.mu.RUnlock()
	if named && n.Obj().Pkg() != nil {
		if u := v.units[n.Obj().Pkg()]; u != nil && n.TypeArgs().Len() == 0 {
			return u
		}
	}
	return v.latest
}

// poolIDs numbers codes for the pools of released frames.
type poolIDs struct {
	mu   sync.Mutex
	next int
	free []int
}

func (v *vm) newPool() int {
	v.pools.mu.Lock()
	defer v.pools.mu.Unlock()
	if n := len(v.pools.free); n > 0 {
		id := v.pools.free[n-1]
		v.pools.free = v.pools.free[:n-1]
		return id
	}
	v.pools.next++
	return v.pools.next - 1
}

// freePool gives the number of a code that nobody can call any more to the next one. Frames of the old code that
// still lie in a pool are told apart by their header.
func (v *vm) freePool(id int) {
	v.pools.mu.Lock()
	defer v.pools.mu.Unlock()
	v.pools.free = append(v.pools.free, id)
}

var _ engine.Engine = (*vm)(nil)
