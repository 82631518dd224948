package queue

import (
	"fmt"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// rounds is how often each way of running a pipeline is timed.
const rounds = 9

// An Execution is one way of running a pipeline.
type Execution struct {
	Launches uint64
	// Intermediate is the bytes of device memory for results that one launch leaves for another.
	Intermediate uint64
	// Peak is the most bytes of buffers that one launch reads and writes.
	Peak uint64
	// Times are device times of the whole pipeline, a round each.
	Times []time.Duration
}

// Samples are the times in seconds, for a plot.
func (e Execution) Samples() []float64 {
	out := make([]float64, len(e.Times))
	for i, t := range e.Times {
		out[i] = t.Seconds()
	}
	return out
}

// Median is the middle of the times.
func (e Execution) Median() time.Duration {
	sorted := slices.Sorted(slices.Values(e.Times))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// A FusionReport is what a fusion plan came to: one launch a stage beside one a group.
type FusionReport struct {
	Pipeline       string
	Plan           plan.FusionPlan
	Unfused, Fused Execution
	// Output is what both gave, equal in every bit.
	Output []float32
}

// Execute runs a pipeline stage by stage and then as planned, and compares. Errors: *StageError,
// *PlanError, *ItemError, *MismatchError, and what the device refuses.
func Execute(dev *cuda.Device, p Pipeline, f plan.FusionPlan, input []float32) (r *FusionReport, err error) {
	if dev == nil {
		return nil, &cuda.Error{Op: "queue.Execute", Want: "an open device", Got: "nil", Fix: "open one with cuda.Open"}
	}
	if err := p.check(f, input); err != nil {
		return nil, err
	}
	unfused, err := p.kernels("stage_", slices.Repeat([]int{1}, len(p.Stages)))
	if err != nil {
		return nil, err
	}
	fused, err := p.kernels("fused_", sizes(f))
	if err != nil {
		return nil, err
	}
	text, err := fusionText(p, unfused, fused)
	if err != nil {
		return nil, err
	}
	module, err := dev.LoadPTX(text)
	if err != nil {
		return nil, fmt.Errorf("queue: pipeline %s: %w", p.Name, err)
	}
	defer func() { err = first(err, module.Close()) }()
	r = &FusionReport{Pipeline: p.Name, Plan: f}
	var want []float32
	if r.Unfused, want, err = run(dev, module, unfused, input); err != nil {
		return nil, err
	}
	if r.Fused, r.Output, err = run(dev, module, fused, input); err != nil {
		return nil, err
	}
	for i := range want {
		if a, b := r.Output[i], want[i]; a != b && (a == a || b == b) {
			return nil, &MismatchError{Pipeline: p.Name, Index: i, Fused: a, Unfused: b}
		}
	}
	return r, nil
}

// sizes are the numbers of stages in the groups.
func sizes(f plan.FusionPlan) []int {
	out := make([]int, len(f.Groups))
	for i, g := range f.Groups {
		out[i] = len(g.Stages)
	}
	return out
}

// run gives every result that leaves a launch a buffer, and times the launches.
func run(dev *cuda.Device, m *cuda.Module, list []kernel, input []float32) (e Execution, output []float32, err error) {
	buffers := map[int]*cuda.Buffer{}
	defer func() {
		for _, b := range buffers {
			err = first(err, b.Close())
		}
	}()
	last := list[len(list)-1].last
	for _, place := range append([]int{fromInput}, stores(list)...) {
		b, err := dev.Make(len(input), float32(0))
		if err != nil {
			return e, nil, err
		}
		buffers[place] = b
		if place != fromInput && place != last {
			e.Intermediate += b.Bytes()
		}
	}
	if err := buffers[fromInput].Write(0, input); err != nil {
		return e, nil, err
	}
	launches, err := e.prepare(m, list, buffers, len(input))
	if err != nil {
		return e, nil, err
	}
	if err := e.time(dev, launches); err != nil {
		return e, nil, err
	}
	output, err = cuda.Slice[float32](buffers[last])
	return e, output, err
}

func stores(list []kernel) []int {
	var out []int
	for _, k := range list {
		out = append(out, k.stores...)
	}
	return out
}

// prepare packs the launches and finds the one that holds most memory.
func (e *Execution) prepare(m *cuda.Module, list []kernel, buffers map[int]*cuda.Buffer, n int) ([]*cuda.Plan, error) {
	const threads = 256
	var out []*cuda.Plan
	for _, k := range list {
		code, err := m.Kernel(k.name)
		if err != nil {
			return nil, err
		}
		var args []any
		bytes := uint64(0)
		for _, place := range slices.Concat(k.loads, k.stores) {
			args = append(args, buffers[place])
			bytes += buffers[place].Bytes()
		}
		e.Peak = max(e.Peak, bytes)
		p, err := code.Plan(cuda.GridFor(n, threads), cuda.Block(threads), append(args, uint32(n), cuda.Elements(n))...)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// time runs all launches a number of times; a first round that is not counted loads the code.
func (e *Execution) time(dev *cuda.Device, launches []*cuda.Plan) error {
	for round := range rounds + 1 {
		before := dev.Telemetry()
		took, err := timed(dev, func() error {
			for _, l := range launches {
				if err := l.Launch(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		e.Launches = dev.Telemetry().Sub(before).Values["launches"]
		if round > 0 {
			e.Times = append(e.Times, took)
		}
	}
	return nil
}

// Table sets the plan's figures beside both ways of running.
func (r *FusionReport) Table() display.Table {
	if r == nil {
		return *display.Card("Fusion plan: no report")
	}
	stages := uint64(r.Plan.Launches() + r.Plan.AvoidedLaunches)
	t := display.NewTable(fmt.Sprintf("Fusion plan (%s) of %s, executed", r.Plan.Mode, r.Pipeline),
		display.Column{Kind: display.Label},
		display.Column{Title: "predicted", Kind: display.Number}, display.Column{Title: "unfused", Kind: display.Number},
		display.Column{Title: "fused", Kind: display.Number}, display.Column{Title: "difference", Kind: display.Number},
		display.Column{Title: "unit"})
	t.Add("launches", r.Plan.Launches(), r.Unfused.Launches, r.Fused.Launches, less(r.Unfused.Launches, r.Fused.Launches),
		nil).
		Add("launches avoided", r.Plan.AvoidedLaunches, uint64(0), stages-r.Fused.Launches, nil, nil).
		Add("bytes avoided", r.Plan.Avoided, uint64(0), r.Unfused.Intermediate-r.Fused.Intermediate, nil, "bytes").
		Add("intermediate results", nil, r.Unfused.Intermediate, r.Fused.Intermediate,
			less(r.Unfused.Intermediate, r.Fused.Intermediate), "bytes").
		Add("peak of a launch", atMost(r.peak()), r.Unfused.Peak, r.Fused.Peak, nil, "bytes").
		Add("device time", nil, display.Seconds(r.Unfused.Median().Seconds()), display.Seconds(r.Fused.Median().Seconds()),
			speedup(r.Unfused.Median(), r.Fused.Median()), "median")
	t.Note(fmt.Sprintf("All %s elements are equal in every bit.", figure(uint64(len(r.Output)))))
	return *t
}

// peak is the most that a group was planned to need.
func (r *FusionReport) peak() uint64 {
	most := uint64(0)
	for _, g := range r.Plan.Groups {
		most = max(most, g.Required)
	}
	return most
}

func less(before, after uint64) string {
	if after > before {
		return "+" + figure(after-before)
	}
	return "-" + figure(before-after)
}

func speedup(before, after time.Duration) string {
	if after <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2fx", before.Seconds()/after.Seconds())
}

// String is the table as text.
func (r *FusionReport) String() string { return r.Table().Text() }
