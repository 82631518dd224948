package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/plots"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

func registerTimeit() {
	const help = "run %s many times, as often as its speed asks for, and show the distribution of the times of one"
	magic.Register("%timeit", fmt.Sprintf(help, "the Go text that follows"), timeit)
	magic.Register("%%timeit", fmt.Sprintf(help, "the cell"), timeit)
}

const (
	// oneSample is how long a sample lasts at least, so that the clock and the call around the loop
	// do not count.
	oneSample = 20 * time.Millisecond
	// allSamples is how long they may take together.
	allSamples = 2 * time.Second
	minSamples = 5
	maxSamples = 50
	maxLoops   = 1_000_000_000
)

// timeit measures Go text: a sample is the time of one execution, the mean of as many as fill
// oneSample.
func timeit(ctx context.Context, c *magic.Call) (any, error) {
	run, err := c.Session.Loop(ctx, c.Source)
	if err != nil {
		return nil, err
	}
	loops, took, err := calibrate(run)
	if err != nil {
		return nil, err
	}
	n := min(max(int(allSamples/max(took, 1)), minSamples), maxSamples)
	samples := make([]float64, n)
	runtime.GC() // what came before is not this text's
	for i := range samples {
		took, err := run(loops)
		if err != nil {
			return nil, err
		}
		samples[i] = took.Seconds() / float64(loops)
	}
	return measured(samples, loops), nil
}

// calibrate finds how many executions fill a sample.
func calibrate(run func(int) (time.Duration, error)) (loops int, took time.Duration, err error) {
	for loops = 1; ; loops *= 10 {
		for _, m := range []int{1, 2, 5} {
			took, err = run(loops * m)
			if err != nil || took >= oneSample || loops*m >= maxLoops {
				return loops * m, took, err
			}
		}
	}
}

func measured(samples []float64, loops int) *plots.TimingPlot {
	plot := plots.Timing(samples)
	d := plot.Distribution
	title := fmt.Sprintf("%v ± %v a loop (mean ± std dev of %d runs of %s)", display.Seconds(d.Mean),
		display.Seconds(d.StandardDeviation),
		len(samples), counted(loops))
	return plots.Timing(samples, plots.Title(title))
}

func counted(loops int) string {
	if loops == 1 {
		return "1 loop"
	}
	return display.Column{Kind: display.Number}.Text(loops) + " loops"
}
