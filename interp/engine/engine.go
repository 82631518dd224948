// Package engine is the seam between the front end of a session of cells (interp/cell,
// interp/check) and what executes it (engine/vm, engine/yaegi). The front end knows nothing of
// frames and closures, an engine knows nothing of source text: between them stands a Unit, one
// checked cell in SSA form.
package engine

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A Unit is one cell (or one whole program) that type-checked. All cells are packages of their own,
// all with the path "main", so that unexported names stay reachable from later ones.
type Unit struct {
	// Cell is the execution count; positions are In[Cell]:line:column, through //line in Fset.
	Cell int
	Fset *token.FileSet
	Pkg  *types.Package
	Info *types.Info
	// SSA holds the unit's functions, built, with generics instantiated. Packages of earlier cells
	// are in its Program without bodies, as imports are; generic functions of earlier cells come
	// with their bodies, under their own package.
	SSA *ssa.Package
	// Init runs before Entry where it is not nil: the package initializer of a whole program, with
	// the package-level variables in dependency order and the init functions. Built with
	// ssa.BareInits: no guard, no calls to the initializers of imports.
	Init *ssa.Function
	// Entry is what runs: the function with the cell's statements in order, no parameters; its
	// results are the values of the last expression, none if that is nothing to show. nil: only
	// declarations.
	Entry *ssa.Function
	// Replaces maps each package-level object of the unit to the object of the same name that an
	// earlier cell declared: where kind and type agree, code that refers to the old one must see
	// the new one (variables keep their memory, functions are redirected); where not, the old one
	// stays for the code that already uses it.
	Replaces map[types.Object]types.Object
	// Lasting are values of Replaces that stay reachable although they are of another kind or type
	// than the keys: generic functions of earlier units name them, and have instances yet to come.
	Lasting map[types.Object]bool
	// Gained are methods that the unit declares for types of earlier units, which did not have
	// them. The types have them while the unit is loaded (Gain) and once it is committed.
	Gained []*types.Func
	// Redeclared maps a method that the unit declares for a type of an earlier unit to the type's
	// method of the same name, receiver and
	// signature: who calls that one runs the new body from now on.
	Redeclared map[*types.Func]*types.Func
	// Instance builds, in SSA.Prog, an instance of a generic function or of a method of a generic
	// type that the unit declares, a key of Redeclared among them, and what it needs. It may be
	// called later than the unit was loaded, by one goroutine at a time.
	Instance func(f *types.Func, args []types.Type) *ssa.Function
}

// An Engine executes the units of one session, in order.
type Engine interface {
	// Name is what %engine calls it.
	Name() string
	// Load compiles the unit whole, gives its package-level variables memory, and makes Replaces
	// true. It has no effect where it fails: *Refusal.
	Load(u *Unit) error
	// Run executes u.Init, where there is one, then u.Entry of a loaded unit, once, and returns
	// Entry's results. Errors: *Panic, *Exit, *Interrupted, *Deadlock. When ctx is cancelled it
	// returns within 100 ms unless native code does not.
	Run(ctx context.Context, u *Unit) ([]reflect.Value, error)
	// Do runs f, compiled code that may call methods of cell types (to render a value, say), so
	// that panics of cell code unwind through f and what it recovers. What f does not recover is
	// the error, as with Run; so is an interrupt.
	Do(ctx context.Context, f func()) error
	// Variable gives the addressable memory of a package-level variable of a loaded unit.
	Variable(v *types.Var) (reflect.Value, bool)
	// Type gives the runtime type that values of t have.
	Type(t types.Type) (reflect.Type, error)
	// Goroutines tells where the goroutines that cells started stand.
	Goroutines() []Goroutine
	// Context is what Run or Do was given that started the calling goroutine, itself or by others
	// that it started; nil, or context.Background, for goroutines that compiled code started.
	Context() context.Context
	// OnPanic is called when a goroutine that a cell started panics, with the cell possibly over.
	OnPanic(func(*Panic))
	// Close stops what still runs.
	Close() error
}

// A Refusal is what an engine answers to a program that it cannot execute as Go would.
type Refusal struct {
	Pos    token.Position
	What   string // the construct or function refused
	Reason string // why, and what to do instead
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %s is not supported: %s", r.Pos, r.What, r.Reason)
}

// A Frame is one function on a stack of cell code.
type Frame struct {
	Function string
	Pos      token.Position
	// Niladic functions have no parameters: the runtime writes f() for them, where it writes f(...)
	// for others.
	Niladic bool
	// Start and End are the lines where the function's declaration begins and ends, 0 where they
	// are not known.
	Start, End int
	// Skipped is how many of the frames that called this one are left out before the next.
	Skipped int
}

// PanicCall is the function of the frame between a deferred call and the panic that it runs for.
const PanicCall = "runtime.gopanic"

// Call is how a stack shows the frame's function.
func (f Frame) Call() string {
	if f.Function == PanicCall {
		return "panic(...)"
	}
	if f.Niladic {
		return f.Function + "()"
	}
	return f.Function + "(...)"
}

// A Panic is a panic that nothing recovered. Value is what was given to panic.
type Panic struct {
	Value     any
	Goroutine int // 0: the cell's own
	Stack     []Frame
	// Chain holds the panics that this one replaced while their deferred calls ran, oldest first; a
	// Recovered is one that the deferred call had recovered before it panicked anew.
	Chain []any
	// Context is that of the run whose goroutine panicked, as Engine.Context tells it.
	Context context.Context
}

// Recovered is a panic value that was recovered.
type Recovered struct{ Value any }

// A ShownPanic is a line of what the runtime writes of a panic: the value, and what it writes
// behind it.
type ShownPanic struct {
	Value any
	Mark  string
}

// Shown are the panics that led to this one and itself, oldest first, but those with the very value
// of the one before
// them: its mark tells of them where it was recovered.
func (p *Panic) Shown() []ShownPanic {
	var shown []ShownPanic
	again := false
	all := append(p.Chain[:len(p.Chain):len(p.Chain)], p.Value)
	for i, v := range all {
		skip := again
		r, recovered := v.(Recovered)
		if recovered {
			v = r.Value
		}
		again = i+1 < len(all) && sameValue(v, all[i+1])
		line := ShownPanic{Value: v}
		switch {
		case skip:
			continue
		case recovered && again:
			line.Mark = " [recovered, repanicked]"
		case recovered:
			line.Mark = " [recovered]"
		}
		shown = append(shown, line)
	}
	return shown
}

// sameValue reports whether next is v itself: by the words of the interfaces, as values need not be
// comparable.
func sameValue(v, next any) bool {
	if r, ok := next.(Recovered); ok {
		next = r.Value
	}
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(&v)) == *(*[2]unsafe.Pointer)(unsafe.Pointer(&next))
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// An Exit is os.Exit, log.Fatal or runtime.Goexit on the cell's goroutine.
type Exit struct {
	Code  int
	Stack []Frame
}

func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Interrupted is returned when the context was cancelled; Stack is where the cell stood, Goroutines
// are the others of the cells as they stood then, where the engine noted it: those that the cell
// had started end with it, those of earlier cells go on.
type Interrupted struct {
	Stack      []Frame
	Goroutines []Goroutine
}

func (*Interrupted) Error() string { return "interrupted" }

// A Deadlock is returned where it is known that every goroutine of the cells waits for another one,
// and that nothing else will wake one. The cell ends, and what it started, as with an interrupt.
type Deadlock struct {
	Goroutines []Goroutine // the cell's own first
}

func (*Deadlock) Error() string { return "all goroutines are asleep - deadlock!" }

// A Goroutine is one that executes cell code and has not ended. The cell's own has number 1.
type Goroutine struct {
	ID    int
	Wait  string  // what it waits for in the runtime's words, or "running"
	Stack []Frame // innermost first; nil where it runs and did not say
	Began Frame   // the go statement that started it; zero for the cell's own, and for those that compiled code started
	By    int     // the ID of the goroutine that started it; 0 where Began is zero
}
