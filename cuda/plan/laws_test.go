package plan

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether v is one of this package's errors.
func refusal(v any) bool {
	err, ok := v.(error)
	if !ok {
		return false
	}
	for _, target := range []any{new(*PlannerError), new(*OverflowError), new(*DuplicateStageError), new(*EdgeError),
		new(*InputError), new(*ZeroFieldError), new(*InitialItemsError), new(*HostParticipationError),
		new(*OverBudgetError)} {
		if errors.As(err, target) {
			return true
		}
	}
	return false
}

// Every exported call refuses what it cannot do.
func TestLaws(t *testing.T) {
	stages := []Stage{{10, 7, 8, 8, 0, false}, {20, 7, 8, 8, 0, false}}
	profile := QueueProfile{Initial: 1, Capacity: 8, Entry: 8, Control: 64, Budget: 1024}
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Planner)(nil)},
		Data: []any{FusionPlan{}, QueuePlan{}, DrainPlan{}, (*PlannerError)(nil), (*OverflowError)(nil),
			(*DuplicateStageError)(nil), (*EdgeError)(nil), (*InputError)(nil), (*ZeroFieldError)(nil),
			(*InitialItemsError)(nil), (*HostParticipationError)(nil), (*OverBudgetError)(nil)},
		States: []lawtest.State{{Name: "ready", Works: true, New: func() any { return new(Planner) }}},
		Functions: map[string]any{"LaunchFusion": LaunchFusion, "DataflowFusion": DataflowFusion, "WorkQueue": WorkQueue,
			"Drain": Drain, "Chain": Chain, "MustLaunchFusion": MustLaunchFusion, "MustDataflowFusion": MustDataflowFusion,
			"MustWorkQueue": MustWorkQueue, "MustDrain": MustDrain},
		Args: []any{func() []Stage { return stages }, func() []Edge { return Chain(stages) }, func() uint64 { return 64 },
			func() QueueProfile { return profile }},
		Refusal: refusal,
		Answers: map[string]string{
			"Planner.LaunchFusion zero":       "the zero value is ready",
			"Planner.DataflowFusion zero":     "the zero value is ready",
			"Planner.MustDataflowFusion zero": "the zero value is ready",
			"Planner.MustLaunchFusion zero":   "the zero value is ready",
		},
	})
}

// TestMust holds every call that returns an error to having a Must form of its parameters.
func TestMust(t *testing.T) { lawtest.MustForms(t) }
