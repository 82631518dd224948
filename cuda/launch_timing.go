package cuda

import (
	"fmt"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A TimingReport is the device times of something that was repeated, in the order in which it ran.
type TimingReport struct {
	Title string
	Times []time.Duration
	// EnqueueTime and WaitTime are the host's, for all rounds together.
	EnqueueTime, WaitTime time.Duration
}

// Time launches a plan n times and measures each round on the device. One round before them, which
// is not counted, loads what a first launch loads.
func (p *Plan) Time(n int, buffers ...*Buffer) (*TimingReport, error) {
	const op = "Plan.Time"
	if err := p.check(op); err != nil {
		return nil, err
	}
	return p.device().repeat(op, p.label(), n, p.stream.s, func() error { return p.launchOn(op, p.stream, buffers) })
}

// maxRounds bounds what one call may repeat.
const maxRounds = 10_000_000

// repeat times a call on a stream, n times after one that is not counted.
func (d *Device) repeat(op, title string, n int, s driver.Stream, call func() error) (*TimingReport, error) {
	if n < 1 || n > maxRounds {
		return nil, &Error{Op: op, What: title, Want: fmt.Sprintf("1 to %d rounds", maxRounds), Got: fmt.Sprint(n)}
	}
	if err := call(); err != nil {
		return nil, err
	}
	t, err := d.timed(op, s, n, call)
	if err != nil {
		return nil, err
	}
	return &TimingReport{Title: title, Times: t.device, EnqueueTime: t.enqueue, WaitTime: t.wait}, nil
}

// Name is what was timed, for a plot's title.
func (t *TimingReport) Name() string { return t.Title }

// Samples are the times in seconds, for a plot.
func (t *TimingReport) Samples() []float64 {
	s := make([]float64, len(t.Times))
	for i, d := range t.Times {
		s[i] = d.Seconds()
	}
	return s
}

// Percentile is the smallest time that at least p percent of the times do not exceed (nearest
// rank); 0 where nothing was timed.
func (t *TimingReport) Percentile(p float64) time.Duration {
	if len(t.Times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.Times))
	rank := int(p / 100 * float64(len(sorted)))
	if float64(rank) < p/100*float64(len(sorted)) {
		rank++
	}
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Total is the sum of the times.
func (t *TimingReport) Total() time.Duration {
	var sum time.Duration
	for _, d := range t.Times {
		sum += d
	}
	return sum
}

// Table is count, percentiles and the host's share.
func (t *TimingReport) Table() display.Table {
	c := display.Card("Timing of " + t.Title)
	c.Add("rounds", len(t.Times))
	if len(t.Times) == 0 {
		return *c
	}
	for _, p := range []struct {
		name string
		at   float64
	}{{"fastest", 0}, {"median", 50}, {"90 %", 90}, {"99 %", 99}, {"slowest", 100}} {
		c.Add(p.name, t.Percentile(p.at))
	}
	c.Add("mean", t.Total()/time.Duration(len(t.Times)))
	c.Add("enqueue a round", t.EnqueueTime/time.Duration(len(t.Times)))
	return *c
}

func (t *TimingReport) String() string {
	return fmt.Sprintf("%s: %d rounds, median %s", t.Title, len(t.Times), t.Percentile(50))
}
