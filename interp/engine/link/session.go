package link

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// Options of a Session.
type Options struct {
	// Symbols and Types find what the binary holds of compiled packages, as symbols.Lookup and
	// symbols.Type do.
	Symbols func(path, name string) (reflect.Value, bool)
	Types   func(path, name string) (reflect.Type, bool)
	// Instead ends the reason of a refusal for which no part of the program is at fault.
	Instead string
}

// A Function is a function of cells as its callers know it: code takes the place of other code
// behind it.
type Function interface {
	comparable
	// Made reports whether it has code.
	Made() bool
}

// A Session is what the units of one engine have in common.
type Session[T Function] struct {
	Table *rtype.Table

	options  Options
	maker    func(*Unit[T]) Maker[T]
	generics generics.Table[T]
	loading  sync.Mutex // one unit is loaded at a time

	mu        sync.RWMutex // guards what follows; nobody who holds it asks the Table
	units     map[*types.Package]*Unit[T]
	latest    *Unit[T]
	functions map[types.Object]T
	globals   map[types.Object]unsafe.Pointer
	made      []*types.Selection // methods of instances of cells' generic types that are to have code
}

// New begins a session. maker makes the engine's side of each unit. The error is a
// *gorelease.FactError: this binary was built by a Go release that is not known.
func New[T Function](o Options, methods rtype.MethodSource, maker func(*Unit[T]) Maker[T]) (*Session[T], error) {
	table, err := rtype.NewTable(methods, natives{o.Types})
	if err != nil {
		return nil, err
	}
	return &Session[T]{
		Table: table, options: o, maker: maker,
		units: map[*types.Package]*Unit[T]{}, functions: map[types.Object]T{}, globals: map[types.Object]unsafe.Pointer{},
	}, nil
}

// natives finds compiled types for the table.
type natives struct {
	find func(path, name string) (reflect.Type, bool)
}

func (n natives) NativeType(path, name string) (reflect.Type, bool) { return n.find(path, name) }

// Compiled: all packages but those of cells are.
func (natives) Compiled(path string) bool { return path != "main" }

// Type gives the runtime type that values of t have.
func (s *Session[T]) Type(t types.Type) (reflect.Type, error) { return s.Table.Of(t) }

// Variable gives the addressable memory of a package-level variable of a loaded unit.
func (s *Session[T]) Variable(x *types.Var) (reflect.Value, bool) {
	p, ok := s.global(x)
	if !ok {
		return reflect.Value{}, false
	}
	rt, err := s.Table.Of(x.Type())
	if err != nil {
		return reflect.Value{}, false
	}
	return reflect.NewAt(rt, p).Elem(), true
}

func (s *Session[T]) global(o types.Object) (unsafe.Pointer, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.globals[o]
	return p, ok
}

func (s *Session[T]) function(o types.Object) (T, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.functions[o]
	return t, ok
}

// Execute runs a loaded unit: do calls a function on a goroutine of the engine's, and tells how it
// ended; call calls a function of the unit's there.
func (s *Session[T]) Execute(ctx context.Context, cell *engine.Unit, do func(func()) error,
	call func(T) []reflect.Value) ([]reflect.Value, error) {
	s.mu.RLock()
	u := s.units[cell.Pkg]
	s.mu.RUnlock()
	if u == nil {
		return nil, &engine.Refusal{What: fmt.Sprintf("In[%d]", cell.Cell), Reason: "it is not loaded"}
	}
	if ctx.Err() != nil {
		return nil, &engine.Interrupted{}
	}
	var results []reflect.Value
	err := do(func() {
		if cell.Init != nil {
			call(u.loadedFunction(cell.Init))
		}
		if cell.Entry != nil {
			results = call(u.loadedFunction(cell.Entry))
		}
	})
	s.forget(cell.Pkg)
	if err != nil {
		return nil, err
	}
	return results, nil
}

// forget drops a unit that declares no type: later ones reach its functions and variables without
// it.
func (s *Session[T]) forget(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		if _, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.units, pkg)
}

// Method is a method of a type that the table made. It may have no code yet.
func (s *Session[T]) Method(t types.Type, sel *types.Selection) T {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	u := s.owner(t)
	if !u.means(sel) {
		s.mu.RLock()
		u = s.latest
		s.mu.RUnlock()
	}
	u.building.Lock()
	defer u.building.Unlock()
	return u.method(sel)
}

// owner is the unit whose program has the methods of t.
func (s *Session[T]) owner(t types.Type) *Unit[T] {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, named := types.Unalias(t).(*types.Named)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if named && n.Obj().Pkg() != nil && n.TypeArgs().Len() == 0 {
		if u := s.units[n.Obj().Pkg()]; u != nil {
			return u
		}
	}
	return s.latest
}

// MethodMade is told, by the engine's rtype.FastMethodSource, of each method whose runtime type is
// made: those of instances of cells' generic types get code from the unit that is loaded, whose
// program has what their bodies name.
func (s *Session[T]) MethodMade(m *rtype.Method) {
	if !generics.IsInstance(m.RecvType) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = append(s.made, m.Selection)
}

// HasInstance reports whether units have no need of the body of an instance of a generic function:
// an earlier one has made its code.
func (s *Session[T]) HasInstance(f *types.Func, args []types.Type) bool {
	return s.generics.HasInstance(f, args)
}
