package queue

import (
	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// The Must forms are for cells: they give the value or panic with the error, which is the cell's
// error then.

// MustNew is New for cells.
func MustNew(dev *cuda.Device, p plan.DrainPlan, item any, w Workload) *Queue {
	return must(New(dev, p, item, w))
}

// MustRun is Run for cells.
func (q *Queue) MustRun(initial any, user *cuda.Buffer) *Report { return must(q.Run(initial, user)) }

// MustFinish is Finish for cells.
func (q *Queue) MustFinish(initial any, user *cuda.Buffer) *Report {
	return must(q.Finish(initial, user))
}

// MustPlan is Plan for cells.
func (p Pipeline) MustPlan(budget uint64) plan.FusionPlan { return must(p.Plan(budget)) }

// MustPlanDataflow is PlanDataflow for cells.
func (p Pipeline) MustPlanDataflow(budget uint64) plan.FusionPlan {
	return must(p.PlanDataflow(budget))
}

// MustExecute is Execute for cells.
func MustExecute(dev *cuda.Device, p Pipeline, f plan.FusionPlan, input []float32) *FusionReport {
	return must(Execute(dev, p, f, input))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
