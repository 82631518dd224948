package queue

import (
	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// Every exported call that returns an error has a Must form, for cells and for programs that end with it: the same
// name and parameters, the results but the error, which it panics with. Close and the forms that take a context
// have none. TestMust holds the package to that.

// MustExecute is Execute, and panics with its error.
func MustExecute(dev *cuda.Device, p Pipeline, f plan.FusionPlan, input []float32) *FusionReport {
	return must(Execute(dev, p, f, input))
}

// MustNew is New, and panics with its error.
func MustNew(dev *cuda.Device, p plan.DrainPlan, item any, w Workload) *Queue {
	return must(New(dev, p, item, w))
}

// MustPlan is Plan, and panics with its error.
func (p Pipeline) MustPlan(budget uint64) plan.FusionPlan { return must(p.Plan(budget)) }

// MustPlanDataflow is PlanDataflow, and panics with its error.
func (p Pipeline) MustPlanDataflow(budget uint64) plan.FusionPlan {
	return must(p.PlanDataflow(budget))
}

// MustFinish is Finish, and panics with its error.
func (q *Queue) MustFinish(initial any, user *cuda.Buffer) *Report {
	return must(q.Finish(initial, user))
}

// MustRun is Run, and panics with its error.
func (q *Queue) MustRun(initial any, user *cuda.Buffer) *Report { return must(q.Run(initial, user)) }

// must is for calls with a result, ok for those without.
func must[T any](v T, err error) T {
	ok(err)
	return v
}

func ok(err error) {
	if err != nil {
		panic(err)
	}
}
