package machine

import (
	"context"
	"io"
	"math"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
)

// Options are what a machine is given.
type Options struct {
	// Symbols finds what the binary holds of compiled packages.
	Symbols func(path, name string) (reflect.Value, bool)
	// Replaced and ReplacedMethod find what cells call in place of compiled functions and methods.
	Replaced       func(path, name string) (reflect.Value, bool)
	ReplacedMethod func(recv reflect.Type, name string) (reflect.Value, bool)
	// Adapter finds how func values of a type are called by compiled code other than through
	// package reflect.
	Adapter func(reflect.Type) (*FuncForm, bool)
	// Stdin is what cells read where they read os.Stdin or call fmt.Scan; nil: the process's own.
	Stdin io.Reader
	// Writer is what compiled functions write to where a cell hands them a file, or prints; nil:
	// the file itself.
	Writer func(*os.File) io.Writer
	// MaxDepth is how deep calls of cell code may nest; 0: as the stack has room.
	MaxDepth int
}

// maxStackBytes is how much of a stack calls may use. The Go runtime doubles stacks up to 512 MB,
// as twice that is above its limit (1 GB), and
// ends the process where that is not enough: the rest is for compiled code.
const maxStackBytes = 416 << 20

// A Machine is what one session's cells run on.
type Machine struct {
	*link.Session[*Function]
	Options Options
	// General makes the general form of every instruction: nothing is folded, fused or specialised.
	// Tests compare with it.
	General  bool
	maxDepth uint32
	maxStack uintptr

	typs    sync.Map // reflect.Type -> *Type
	forms   sync.Map // reflect.Type -> *FuncForm
	methods sync.Map // methodKey -> *BoundMethod
	live    sync.Map // *Run, that has goroutines
	Boxes   sync.Map // boxKey -> pointer
	idle    sync.Pool
	lastID  atomic.Int64

	// background is the run of goroutines that compiled code started and that call back.
	background  *Run
	onPanic     atomic.Pointer[func(*engine.Panic)]
	closed      atomic.Bool
	KnownWakers wakers
	lookout     lookout
	cells       atomic.Int64 // that have ended
	pools       poolIDs

	hushed       atomic.Pointer[chan struct{}] // set while goroutines are not to compute; closed after
	interrupting atomic.Int32                  // how many interrupts are under way: they end before who is hushed goes on

	locksThreads atomic.Bool // a cell names runtime.LockOSThread
}

// New makes the machine of a session, which its caller gives the Session.
func New(o Options) *Machine {
	v := &Machine{maxDepth: math.MaxUint32 >> 1, maxStack: maxStackBytes}
	o.Symbols = v.noting(o.Symbols)
	v.Options = o
	if o.MaxDepth > 0 {
		v.maxDepth = uint32(o.MaxDepth)
	}
	v.lastID.Store(mainID)
	v.background = v.newRun(context.Background())
	witness(weak.Make(v))
	return v
}

// Close stops every goroutine that cells started.
func (v *Machine) Close() error {
	v.closed.Store(true)
	v.live.Range(func(r, _ any) bool {
		r.(*Run).stop()
		return true
	})
	return nil
}

// OnPanic has f told of panics that end goroutines beside a cell's own.
func (v *Machine) OnPanic(f func(*engine.Panic)) { v.onPanic.Store(&f) }
