package yaegi

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A deferredCall is run with the frame whose list it stood in.
type deferredCall func(f *Frame)

// A panicRecord is a panic on its way through functions that defer.
type panicRecord struct {
	value any
	stack []engine.Frame
	chain []any // panics that it replaced, oldest first
}

// sighted returns the record of a panic with value r that was met at a call of f.
func (g *routine) sighted(r any) *panicRecord {
	if p := g.panicking; p != nil && sameValue(p.value, r) {
		return p
	}
	g.panicking = &panicRecord{value: r, stack: g.top.stack()}
	return g.panicking
}

// sameValue compares the words of two interfaces: values need not be comparable.
func sameValue(x, y any) bool {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(&x)) == *(*[2]unsafe.Pointer)(unsafe.Pointer(&y))
}

// runDeferring executes a function that defers. Where a deferred call recovers, its recover block
// gives the results.
func (f *Frame) runDeferring() {
	returned := false
	func() {
		defer func() {
			if returned || f.g.dropping {
				return
			}
			if r := recover(); r != nil {
				f.panicking = f.g.sighted(unpack(r))
			} else {
				defer f.runDeferred() // runtime.Goexit goes on behind it
				return
			}
			f.unwind()
		}()
		f.body.run(f)
		returned = true
	}()
	if !returned && f.body.recover != nil {
		f.g.top = f
		f.body.recover(f)
	}
}

// runDeferred runs what is left of the list, as a function that returns does.
func (f *Frame) runDeferred() {
	for n := len(f.deferred); n > 0; n = len(f.deferred) {
		d := f.deferred[n-1]
		f.deferred = f.deferred[:n-1]
		f.g.top = f
		d(f)
	}
}

// unwind runs the list while f panics. It returns if one of the calls recovered, and panics on
// otherwise.
func (f *Frame) unwind() {
	for n := len(f.deferred); n > 0; n = len(f.deferred) {
		d := f.deferred[n-1]
		f.deferred = f.deferred[:n-1]
		f.runOne(d)
	}
	if p := f.panicking; p != nil {
		f.g.panicking = p
		panic(&carried{p.value})
	}
}

// runOne runs a deferred call while f panics; a panic of its own takes the place of f's.
func (f *Frame) runOne(d deferredCall) {
	f.recovered = false
	before := f.panicking
	defer func() {
		r := recover()
		if r == nil {
			if f.recovered {
				f.panicking = nil
			}
			return
		}
		p := f.g.sighted(unpack(r))
		if before != nil && p != before {
			var old any = before.value
			if f.recovered {
				old = engine.Recovered{Value: old}
			}
			p.chain = append(append(append([]any{}, before.chain...), old), p.chain...)
		}
		f.panicking = p
	}()
	d(f)
}

// recoverPanic is the builtin recover in a call of f.
func (f *Frame) recoverPanic() any {
	d := f.deferring
	if d == nil || d.panicking == nil || d.recovered {
		return nil
	}
	d.recovered = true
	f.g.panicking = nil
	return d.panicking.value
}

func anyValue(x any) reflect.Value { return reflect.ValueOf(&x).Elem() }
