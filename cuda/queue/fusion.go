package queue

import (
	"errors"
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

// Execute runs a pipeline stage by stage and then as planned, and compares. Errors: *StageError, *PlanError, *ItemError,
// *MismatchError, and what the device refuses.
func Execute(dev *cuda.Device, p Pipeline, f plan.FusionPlan, input []float32) (r *FusionReport, err error) {
	if err := p.check(f, input); err != nil {
		return nil, err
	}
	module, err := dev.LoadPTX(fusionText(p, f))
	if err != nil {
		return nil, fmt.Errorf("queue: pipeline %s: %w", p.Name, err)
	}
	defer func() { err = errors.Join(err, module.Unload()) }()
	r = &FusionReport{Pipeline: p.Name, Plan: f}
	var unfused []float32
	if r.Unfused, unfused, err = run(dev, module, "stage_", len(p.Stages), input); err != nil {
		return nil, err
	}
	if r.Fused, r.Output, err = run(dev, module, "fused_", len(f.Groups), input); err != nil {
		return nil, err
	}
	for i := range unfused {
		if a, b := r.Output[i], unfused[i]; a != b && (a == a || b == b) {
			return nil, &MismatchError{Pipeline: p.Name, Index: i, Fused: a, Unfused: b}
		}
	}
	return r, nil
}

// run launches kernels prefix0, prefix1 and so on, each reading what the one before wrote.
func run(dev *cuda.Device, m *cuda.Module, prefix string, kernels int, input []float32) (e Execution, output []float32, err error) {
	buffers := make([]*cuda.Buffer, 0, kernels+1)
	defer func() {
		for _, b := range buffers {
			err = errors.Join(err, b.Free())
		}
	}()
	for range kernels + 1 {
		b, err := dev.Make(len(input), float32(0))
		if err != nil {
			return e, nil, err
		}
		buffers = append(buffers, b)
	}
	for _, b := range buffers[1:kernels] {
		e.Intermediate += b.Bytes()
	}
	if err := buffers[0].Write(0, input); err != nil {
		return e, nil, err
	}
	launches, err := prepare(m, prefix, buffers, len(input))
	if err != nil {
		return e, nil, err
	}
	if err := e.time(dev, launches); err != nil {
		return e, nil, err
	}
	output, err = buffers[kernels].Float32s()
	return e, output, err
}

func prepare(m *cuda.Module, prefix string, buffers []*cuda.Buffer, n int) ([]*cuda.Prepared, error) {
	const threads = 256
	var out []*cuda.Prepared
	for i := range len(buffers) - 1 {
		kernel, err := m.Kernel(fmt.Sprint(prefix, i))
		if err != nil {
			return nil, err
		}
		p, err := kernel.Prepare(cuda.GridFor(n, threads), cuda.Block(threads), buffers[i], buffers[i+1], uint32(n), cuda.Elements(n))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// time runs all launches a number of times; a first round that is not counted loads the code.
func (e *Execution) time(dev *cuda.Device, launches []*cuda.Prepared) error {
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
	stages := uint64(r.Plan.Launches() + r.Plan.AvoidedLaunches)
	t := display.NewTable(fmt.Sprintf("Fusion plan (%s) of %s, executed", r.Plan.Mode, r.Pipeline), display.Column{Kind: display.Label},
		display.Column{Title: "predicted", Kind: display.Number}, display.Column{Title: "unfused", Kind: display.Number},
		display.Column{Title: "fused", Kind: display.Number}, display.Column{Title: "difference", Kind: display.Number}, display.Column{Title: "unit"})
	t.Add("launches", r.Plan.Launches(), r.Unfused.Launches, r.Fused.Launches, less(r.Unfused.Launches, r.Fused.Launches), nil).
		Add("launches avoided", r.Plan.AvoidedLaunches, uint64(0), stages-r.Fused.Launches, nil, nil).
		Add("bytes avoided", r.Plan.Avoided, uint64(0), r.Unfused.Intermediate-r.Fused.Intermediate, nil, "bytes").
		Add("intermediate results", nil, r.Unfused.Intermediate, r.Fused.Intermediate, less(r.Unfused.Intermediate, r.Fused.Intermediate), "bytes").
		Add("device time", nil, display.Seconds(r.Unfused.Median().Seconds()), display.Seconds(r.Fused.Median().Seconds()), speedup(r.Unfused.Median(), r.Fused.Median()), "median")
	t.Note(fmt.Sprintf("All %d elements are equal in every bit.", len(r.Output)))
	return *t
}

func less(before, after uint64) string {
	if after > before {
		return fmt.Sprintf("+%d", after-before)
	}
	return fmt.Sprintf("-%d", before-after)
}

func speedup(before, after time.Duration) string {
	if after <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2fx", before.Seconds()/after.Seconds())
}

// String is the table as text.
func (r *FusionReport) String() string { return r.Table().Text() }
