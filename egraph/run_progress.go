package egraph

import (
	"math"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// usualBarAfter is when a run in a notebook shows a bar of itself.
var usualBarAfter = 2 * time.Second

// ShowProgress shows a bar once the run has lasted so long: how far it is to the nearest of its limits. A run
// in a notebook shows one after two seconds where not said.
func ShowProgress(after time.Duration) RunOption {
	return func(r *runner) { r.bar = &progressBar{after: after} }
}

const (
	barSteps  = 1000
	barBlocks = 64 // blocks of matches between two looks at the bar
)

// A progressBar is shown by a run that lasts.
type progressBar struct {
	after  time.Duration
	blocks int
	shown  *display.Progress
}

// show draws the bar anew, now and then.
func (b *progressBar) show(r *runner) {
	if b.blocks++; b.blocks%barBlocks != 0 || time.Since(r.start) < b.after {
		return
	}
	if b.shown == nil {
		b.shown = display.NewProgress("equality saturation", barSteps)
	}
	b.shown.Set(int(barSteps * min(1, r.used())))
}

// usualBar is the bar of a run that was not told: none outside notebooks.
func usualBar() *progressBar {
	if !display.OnScreen() {
		return nil
	}
	return &progressBar{after: usualBarAfter}
}

func (b *progressBar) end() {
	if b != nil && b.shown != nil {
		b.shown.Done()
	}
}

// used is the part of the limit that is nearest, 1 where it is reached.
func (r *runner) used() float64 {
	part := float64(len(r.report.Iterations)) / float64(max(1, r.limits.iterations))
	part = max(part, float64(r.g.nodes())/float64(max(1, r.limits.nodes)))
	if r.limits.bytes < math.MaxInt {
		part = max(part, float64(r.g.bytes())/float64(max(1, r.limits.bytes)))
	}
	return max(part, float64(time.Since(r.start))/float64(max(1, r.limits.time)))
}
