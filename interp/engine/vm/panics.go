package vm

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

// same reports whether r is the record's panic going on, by the interface's words: values need not be comparable.
func (p *panicRecord) same(r any) bool {
	return *(*pair)(pointer(&p.value)) == *(*pair)(pointer(&r))
}

// sighted returns the record of a panic with value r that arrived at frame fp.
func (g *routine) sighted(r any, fp pointer) *panicRecord {
	if p := g.panicking; p != nil && p.same(r) {
		return p
	}
	p := &panicRecord{value: r, stack: g.stackAbove(fp)}
	g.panicking = p
	return p
}

// stackAbove is the stack from where control left the engine down to the goroutine's first frame. Where a fault came without a
// note of the place, it starts at fp.
func (g *routine) stackAbove(fp pointer) []engine.Frame {
	for p := g.top; p != nil; p = head(p).up {
		if p == fp {
			return stackFrom(g.top)
		}
	}
	if fp == nil {
		fp = g.top
	}
	return stackFrom(fp)
}

const maxStackFrames = 200

// stackFrom lists the functions from frame fp downwards; of very deep stacks the innermost and outermost hundred. A deferred call stands on
// the frames of the panic that it runs for.
func stackFrom(fp pointer) []engine.Frame {
	var frames []engine.Frame
	var tail []pointer
	skipped := 0
	for p := fp; p != nil; p = head(p).up {
		h := head(p)
		if !h.code.wrapper {
			if len(frames) < maxStackFrames/2 {
				frames = append(frames, h.frame())
			} else if tail = append(tail, p); len(tail) > maxStackFrames {
				skipped += maxStackFrames / 2
				tail = append(tail[:0], tail[maxStackFrames/2:]...)
			}
		}
		if ds := h.defered; ds != nil && ds.panic != nil {
			frames = append(withTail(frames, tail, skipped), engine.Frame{Function: engine.PanicCall})
			return outermost(append(frames, ds.panic.stack...))
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

// recoverValue is the builtin recover, called in frame fp.
func recoverValue(fp pointer) any {
	ds := head(fp).defered
	if c := head(fp).code; c.yield {
		ds = enclosing(fp)
	}
	if ds == nil || ds.panic == nil || ds.recovered {
		return nil
	}
	ds.recovered = true
	head(fp).g.panicking = nil
	return ds.panic.value
}

// enclosing finds the deferred call that a range-over-func body belongs to.
func enclosing(fp pointer) *deferStack {
	c := head(fp).code
	for c.yield && c.parent != nil {
		c = c.parent
	}
	for p := head(fp).up; p != nil; p = head(p).up {
		if head(p).code == c {
			return head(p).defered
		}
	}
	return nil
}
