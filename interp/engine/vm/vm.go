package vm

import (
	"io"
	"math"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
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
	// MaxDepth is how deep calls of cell code may nest; 0: as the stack has room. Deeper is a
	// StackOverflow.
	MaxDepth int
}

// maxStackBytes is how much of a stack calls may use. The Go runtime doubles stacks up to 512 MB,
// as twice that is above its limit (1 GB), and
// ends the process where that is not enough: the rest is for compiled code.
const maxStackBytes = 416 << 20

// vm is one session's engine.
type vm struct {
	*link.Session[*target]
	options Options
	// general makes the general form of every instruction: nothing is folded, fused or specialised.
	// Tests compare with it.
	general  bool
	maxDepth uint32
	maxStack uintptr

	typs    sync.Map // reflect.Type -> *typ
	forms   sync.Map // reflect.Type -> *funcForm
	methods sync.Map // methodKey -> *boundMethod
	live    sync.Map // *run, that has goroutines
	idle    sync.Pool
	lastID  atomic.Int64

	// background is the run of goroutines that compiled code started and that call back.
	background *run
	onPanic    atomic.Pointer[func(*engine.Panic)]
	closed     atomic.Bool
	wakers     wakers
	lookout    lookout
	cells      atomic.Int64 // that have ended
	pools      poolIDs

	hushed       atomic.Pointer[chan struct{}] // set while goroutines are not to compute; closed after
	interrupting atomic.Int32                  // how many interrupts are under way: they end before who is hushed goes on

	locksThreads atomic.Bool // a cell names runtime.LockOSThread
}

// New makes the engine of a session. The error is a *rtype.LayoutError: this binary was built by a Go release that
// the engine does not know.
func New(o Options) (engine.Engine, error) {
	v := &vm{maxDepth: math.MaxUint32 >> 1, maxStack: maxStackBytes}
	o.Symbols = v.noting(o.Symbols)
	v.options = o
	if o.MaxDepth > 0 {
		v.maxDepth = uint32(o.MaxDepth)
	}
	var err error
	if v.Session, err = link.New(link.Options{Symbols: o.Symbols, Types: o.Types}, methodSource{v}, v.newUnit); err != nil {
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
	v.live.Range(func(r, _ any) bool {
		r.(*run).stop()
		return true
	})
	return nil
}

func (v *vm) OnPanic(f func(*engine.Panic)) { v.onPanic.Store(&f) }

// methodSource gives the table the methods of cell types.
type methodSource struct{ vm *vm }

func (m methodSource) Method(x *rtype.Method) (code func([]reflect.Value) []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = m.vm.Refusal(r)
		}
	}()
	o := &funcObject{target: m.vm.Method(x.RecvType, x.Selection)}
	o.target.code()
	return o.callValues, nil
}

var _ engine.Engine = (*vm)(nil)
