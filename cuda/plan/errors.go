package plan

import "fmt"

// The names that planners go by in errors.
const (
	fusionPlanner = "launch fusion"
	queuePlanner  = "work queue"
)

// OverflowError says that a count of bytes does not fit 64 bits.
type OverflowError struct {
	Planner string
	// Field is what was being computed.
	Field string
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("%s: %s do not fit 64 bits; split the work into smaller stages", e.Planner, e.Field)
}

// A PlannerError says that a Planner cannot plan.
type PlannerError struct{ Got, Fix string }

func (e *PlannerError) Error() string {
	return fmt.Sprintf("launch fusion: want a Planner of this goroutine, got %s; %s", e.Got, e.Fix)
}

// DuplicateStageError says that two stages have one id.
type DuplicateStageError struct {
	ID uint32
	// First and Second are the places in the list of stages.
	First, Second int
}

func (e *DuplicateStageError) Error() string {
	return fmt.Sprintf("launch fusion: stages %d and %d of the list both have id %d; ids must differ", e.First, e.Second,
		e.ID)
}

// An EdgeError says what is wrong with an edge between stages.
type EdgeError struct {
	Edge   Edge
	Reason string
}

func (e *EdgeError) Error() string {
	return fmt.Sprintf("launch fusion: edge %d -> %d (%d bytes): %s", e.Edge.From, e.Edge.To, e.Edge.Bytes, e.Reason)
}

// InputError says that the edges into a stage carry more than the stage reads.
type InputError struct {
	ID           uint32
	Edges, Input uint64
}

func (e *InputError) Error() string {
	return fmt.Sprintf("launch fusion: the edges into stage %d carry %d bytes, its input is %d; correct the input or "+
		"the edges", e.ID, e.Edges, e.Input)
}

// A ZeroFieldError says that a field which must be positive is 0.
type ZeroFieldError struct {
	Planner, Field string
	// Needs is what to give.
	Needs string
}

func (e *ZeroFieldError) Error() string {
	return fmt.Sprintf("%s: %s is 0; give %s", e.Planner, e.Field, e.Needs)
}

// InitialItemsError says that a queue starts with more than it holds.
type InitialItemsError struct{ Initial, Capacity uint64 }

func (e *InitialItemsError) Error() string {
	return fmt.Sprintf("work queue: %d initial items exceed the capacity of %d; raise the capacity or start with fewer",
		e.Initial, e.Capacity)
}

// HostParticipationError says that the host wanted a part in draining, which a resident queue has
// no place for.
type HostParticipationError struct{}

func (*HostParticipationError) Error() string {
	return "work queue: the host cannot take part while the device drains; read the final state only (FinalOnly)"
}

// OverBudgetError says that something does not fit its budget: a queue, or a stage even in a launch
// of its own.
type OverBudgetError struct {
	Planner string
	// Stage is the id of the stage; nil where it is the queue.
	Stage            *uint32
	Required, Budget uint64
}

func (e *OverBudgetError) Error() string {
	if e.Stage != nil {
		return fmt.Sprintf("%s: stage %d requires %d bytes by itself, the budget is %d; split the stage or raise the budget",
			e.Planner, *e.Stage, e.Required, e.Budget)
	}
	return fmt.Sprintf("%s: %d bytes are required, the budget is %d; lower the capacity or raise the budget", e.Planner,
		e.Required, e.Budget)
}

// overBudget is the error of a stage, whose id it copies: the caller's list of stages may change.
func overBudget(stage uint32, required, budget uint64) *OverBudgetError {
	return &OverBudgetError{Planner: fusionPlanner, Stage: &stage, Required: required, Budget: budget}
}
