package plan

import ()

// Every exported call that returns an error has a Must form, for cells and for programs that end with it: the same
// name and parameters, the results but the error, which it panics with. Close and the forms that take a context
// have none. TestMust holds the package to that.

// MustDataflowFusion is DataflowFusion, and panics with its error.
func MustDataflowFusion(stages []Stage, edges []Edge, budget uint64) FusionPlan {
	return must(DataflowFusion(stages, edges, budget))
}

// MustDrain is Drain, and panics with its error.
func MustDrain(p QueueProfile, maxItems uint64) DrainPlan { return must(Drain(p, maxItems)) }

// MustLaunchFusion is LaunchFusion, and panics with its error.
func MustLaunchFusion(stages []Stage, budget uint64) FusionPlan {
	return must(LaunchFusion(stages, budget))
}

// MustWorkQueue is WorkQueue, and panics with its error.
func MustWorkQueue(p QueueProfile) QueuePlan { return must(WorkQueue(p)) }

// MustDataflowFusion is DataflowFusion, and panics with its error.
func (p *Planner) MustDataflowFusion(stages []Stage, edges []Edge, budget uint64) FusionPlan {
	return must(p.DataflowFusion(stages, edges, budget))
}

// MustLaunchFusion is LaunchFusion, and panics with its error.
func (p *Planner) MustLaunchFusion(stages []Stage, budget uint64) FusionPlan {
	return must(p.LaunchFusion(stages, budget))
}

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
