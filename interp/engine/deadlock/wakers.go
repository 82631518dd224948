package deadlock

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/ssa"
)

// What can wake a goroutine of the cells runs: as a goroutine, which a snapshot shows, or not yet,
// if compiled code holds a function or a channel that a timer, a signal, the collector or the front
// end will make it use. Those are handed over in few places, which are looked for in every function
// that is compiled. Once there was one, nobody can know any more that a wait has no end.

// Wakers remembers the first such place.
type Wakers struct{ found atomic.Bool }

// Found reports whether there was one.
func (w *Wakers) Found() bool { return w.found.Load() }

// handovers are the functions of the standard library that keep functions or channels for what is
// no goroutine yet. Any method can be called through those of package reflect.
var handovers = map[string][]string{
	"time": {"AfterFunc"}, "context": {"AfterFunc"}, "os/signal": {"Notify"}, "runtime": {"SetFinalizer", "AddCleanup"},
	"reflect": {"Value.Method", "Value.MethodByName"},
}

// A Keeping is what a compiled package does with the functions and channels that it is handed.
type Keeping int

const (
	// KeepsShown is what packages outside of the standard library are taken for: they keep what the
	// type of a parameter shows to be a function or a channel.
	KeepsShown Keeping = iota
	// KeepsNothing calls what it is handed before it returns, or never.
	KeepsNothing
	// KeepsAll also keeps functions and channels that come in interfaces.
	KeepsAll
)

var keeping sync.Map // by import path: Keeping

// Declare says what a package keeps. It is for the command that links the package, before cells
// run.
func Declare(path string, k Keeping) { keeping.Store(path, k) }

// Look goes through the instructions of a function that gets code.
func (w *Wakers) Look(fn *ssa.Function) {
	var operands [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if f, ok := in.(*ssa.FieldAddr); ok {
				w.field(f)
			}
			for _, x := range in.Operands(operands[:0]) {
				if f, ok := (*x).(*ssa.Function); ok && f.Blocks == nil {
					w.function(f)
				}
			}
		}
	}
}

// function looks at a compiled function that cells name.
func (w *Wakers) function(f *ssa.Function) {
	o := f.Object()
	if o == nil || o.Pkg() == nil {
		return
	}
	receiver := ""
	if r := f.Signature.Recv(); r != nil {
		receiver = typeName(r.Type())
	}
	w.callee(o.Pkg().Path(), receiver, f.Name(), f.Signature)
}

// Method looks at a method of a compiled type that cells call through an interface.
func (w *Wakers) Method(t reflect.Type, m *types.Func) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	w.callee(t.PkgPath(), t.Name(), m.Name(), m.Signature())
}

func (w *Wakers) callee(path, receiver, name string, sig *types.Signature) {
	if receiver != "" {
		name = receiver + "." + name
	}
	if slices.Contains(handovers[path], name) {
		w.found.Store(true)
	}
	k := keeps(path)
	if k == KeepsNothing {
		return
	}
	for p := range sig.Params().Variables() {
		if callable(p.Type(), k == KeepsAll) {
			w.found.Store(true)
		}
	}
}

func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// field looks at a field of a compiled struct, where a function may be put.
func (w *Wakers) field(f *ssa.FieldAddr) {
	p, ok := f.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || keeps(n.Obj().Pkg().Path()) == KeepsNothing {
		return
	}
	if st, ok := n.Underlying().(*types.Struct); ok && callable(st.Field(f.Field).Type(), true) {
		w.found.Store(true)
	}
}

// keeps returns what a package keeps: the standard library nothing, beside handovers.
func keeps(path string) Keeping {
	if k, ok := keeping.Load(path); ok {
		return k.(Keeping)
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return KeepsShown
	}
	return KeepsNothing
}

// callable tells of types whose values can be, or lead to, functions and channels of cells;
// interfaces only where they are to count.
func callable(t types.Type, interfaces bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return interfaces
	case *types.Slice:
		return callable(u.Elem(), interfaces)
	case *types.Map:
		return callable(u.Elem(), interfaces)
	case *types.Array:
		return callable(u.Elem(), interfaces)
	case *types.Struct:
		if _, named := types.Unalias(t).(*types.Named); !named {
			return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool {
				return callable(f.Type(), interfaces)
			})
		}
	}
	return false
}
