package machine

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A panicRecord is a panic on its way through functions that defer.
type panicRecord struct {
	value any
	stack []engine.Frame
	chain []any // panics that it replaced, oldest first
}

// same reports whether r is the record's panic going on, by the interface's words: values need not
// be comparable.
func (p *panicRecord) same(r any) bool {
	return *(*Pair)(pointer(&p.value)) == *(*Pair)(pointer(&r))
}

// sighted returns the record of a panic with value r that arrived at frame fp.
func (g *Routine) sighted(r any, fp pointer) *panicRecord {
	if p := g.panicking; p != nil && p.same(r) {
		return p
	}
	p := &panicRecord{value: r, stack: g.stackAbove(fp)}
	g.panicking = p
	return p
}

// stackAbove is the stack from where control left the engine down to the goroutine's first frame.
// Where a fault came without a note of the place, it starts at fp.
func (g *Routine) stackAbove(fp pointer) []engine.Frame {
	for p := g.Top; p != nil; p = head(p).up {
		if p == fp {
			return Stack(g.Top)
		}
	}
	if fp == nil {
		fp = g.Top
	}
	return Stack(fp)
}

const maxStackFrames = 200

// Stack lists the functions from frame fp downwards; of very deep stacks the innermost and
// outermost hundred. A deferred call stands on the frames of the panic that it runs for.
func Stack(fp pointer) []engine.Frame {
	var frames []engine.Frame
	var tail []pointer
	skipped := 0
	for p := fp; p != nil; p = head(p).up {
		h := head(p)
		if !h.Code.Wrapper {
			if len(frames) < maxStackFrames/2 {
				frames = append(frames, h.frame())
			} else if tail = append(tail, p); len(tail) > maxStackFrames {
				skipped += maxStackFrames / 2
				tail = append(tail[:0], tail[maxStackFrames/2:]...)
			}
		}
		if ds := h.DeferredBy; ds != nil && ds.Panic != nil {
			frames = append(withTail(frames, tail, skipped), engine.Frame{Function: engine.PanicCall})
			return outermost(append(frames, ds.Panic.stack...))
		}
	}
	return withTail(frames, tail, skipped)
}

// withTail puts the outermost hundred of the frames of tail behind frames.
func withTail(frames []engine.Frame, tail []pointer, skipped int) []engine.Frame {
	if n := len(tail) - maxStackFrames/2; n > 0 {
		skipped += n
		tail = tail[n:]
	}
	if skipped > 0 {
		frames[len(frames)-1].Skipped = skipped
	}
	for _, p := range tail {
		frames = append(frames, head(p).frame())
	}
	return frames
}

// outermost bounds the stack of panics in deferred calls of panics.
func outermost(frames []engine.Frame) []engine.Frame {
	if len(frames) <= 2*maxStackFrames {
		return frames
	}
	kept := slices.Clone(frames[:maxStackFrames])
	last, skipped := &kept[maxStackFrames-1], frames[maxStackFrames:len(frames)-maxStackFrames]
	for _, f := range skipped {
		last.Skipped += 1 + f.Skipped
	}
	return append(kept, frames[len(frames)-maxStackFrames:]...)
}

// Recover is the builtin recover, called in frame fp.
func Recover(fp pointer) any {
	ds := head(fp).DeferredBy
	if c := head(fp).Code; c.RangeBody {
		ds = enclosing(fp)
	}
	if ds == nil || ds.Panic == nil || ds.recovered {
		return nil
	}
	ds.recovered = true
	head(fp).Routine.panicking = nil
	return ds.Panic.value
}

// enclosing finds the deferred call that a range-over-func body belongs to.
func enclosing(fp pointer) *DeferStack {
	c := head(fp).Code
	for c.RangeBody && c.Parent != nil {
		c = c.Parent
	}
	for p := head(fp).up; p != nil; p = head(p).up {
		if head(p).Code == c {
			return head(p).DeferredBy
		}
	}
	return nil
}
