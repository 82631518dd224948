package plan

// The Must forms are for cells: they give the plan or panic with the error, which is the cell's
// error then.

// MustLaunchFusion is LaunchFusion for cells.
func MustLaunchFusion(stages []Stage, budget uint64) FusionPlan {
	return must(LaunchFusion(stages, budget))
}

// MustDataflowFusion is DataflowFusion for cells.
func MustDataflowFusion(stages []Stage, edges []Edge, budget uint64) FusionPlan {
	return must(DataflowFusion(stages, edges, budget))
}

// MustWorkQueue is WorkQueue for cells.
func MustWorkQueue(p QueueProfile) QueuePlan { return must(WorkQueue(p)) }

// MustDrain is Drain for cells.
func MustDrain(p QueueProfile, maxItems uint64) DrainPlan { return must(Drain(p, maxItems)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
