package yaegi

import (
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A unit is this engine's side of a unit: it prints. All but the tables is guarded as the link.Unit
// is.
type unit struct {
	*link.Unit[*target]
	e       *yaegi
	fresh   map[*target]*body // take the place of earlier units' when all is loaded
	numbers int

	// what texts refer to by number
	tables    sync.RWMutex
	constants []*V
	ops       []operation
}

// A target is a function as its callers know it: whatever body was declared last.
type target struct {
	u   *unit
	now atomic.Pointer[body]
}

// Made reports whether the function has a body.
func (t *target) Made() bool { return t.now.Load() != nil }

// body is the function's body, read now if it was not asked for before.
func (t *target) body() *body {
	if b := t.now.Load(); b != nil {
		return b
	}
	t.u.Need(t)
	return t.now.Load()
}

// A body is a function that yaegi has read.
type body struct {
	u         *unit
	fn        *ssa.Function
	name      string
	run       func(*Frame)
	recover   func(*Frame)   // what runs after a recovered panic; nil: nothing
	params    []reflect.Type // the receiver's before the others
	results   []reflect.Type
	deferring bool
	wrapper   bool
}

// An operation is what an instruction does that the text leaves to it.
type operation struct {
	run func(f *Frame, a []reflect.Value) reflect.Value
	at  ssa.Instruction
}

func (e *yaegi) newUnit(u *link.Unit[*target]) link.Maker[*target] {
	return &unit{Unit: u, e: e, fresh: map[*target]*body{}}
}

// New makes a target.
func (u *unit) New() *target { return &target{u: u} }

// Native refuses what is not there.
func (u *unit) Native(fn *ssa.Function) { u.native(fn, fn.Prog.Fset.Position(fn.Pos())) }

// Make prints functions, and has one interpreter read them.
func (u *unit) Make(jobs iter.Seq[link.Job[*target]]) {
	var text strings.Builder
	var bodies []*body
	var done []link.Job[*target]
	for j := range jobs {
		bodies = append(bodies, u.print(j.Fn, &text))
		done = append(done, j)
	}
	if len(bodies) > 0 {
		u.read(text.String(), bodies)
	}
	for i, j := range done {
		if j.Renewed {
			u.fresh[j.Target] = bodies[i]
		} else {
			j.Target.now.Store(bodies[i])
		}
	}
}

// Publish puts bodies in the place of earlier units'. Nothing is remembered of what calls of
// interfaces found.
func (u *unit) Publish([]rtype.Word) {
	for t, b := range u.fresh {
		t.now.Store(b)
		t.u = u
	}
	u.fresh = nil
}

const header = "package main\n\nimport \"h\"\n\n"

func (u *unit) read(text string, bodies []*body) {
	i := interp.New(interp.Options{Stderr: io.Discard, Stdout: io.Discard})
	if err := i.Use(interp.Exports{"h/h": u.helpers()}); err != nil {
		panic(err)
	}
	if _, err := i.Eval(header + text); err != nil {
		panic(&engine.Refusal{What: "this cell", Reason: fmt.Sprintf("yaegi does not take its text: %v%s", err, instead)})
	}
	function := func(name string) func(*Frame) {
		v, err := i.Eval(name)
		if err != nil {
			panic(err)
		}
		f, ok := v.Interface().(func(*Frame))
		if !ok {
			panic(fmt.Errorf("yaegi makes %s of a function", v.Type()))
		}
		return f
	}
	for _, b := range bodies {
		b.run = function(b.name)
		if b.recover != nil {
			b.recover = function(b.name + "r")
		}
	}
}
