package plan

import "fmt"

// The names that planners go by in errors.
const (
	fusionPlanner = "launch fusion"
	queuePlanner  = "work queue"
)

// ZeroBudgetError says that a planner was given no memory to plan for.
type ZeroBudgetError struct{ Planner string }

func (e *ZeroBudgetError) Error() string {
	return fmt.Sprintf("%s: the budget is 0 bytes; give the device memory that one launch may use", e.Planner)
}

// OverflowError says that a count of bytes does not fit 64 bits.
type OverflowError struct {
	Planner string
	// Field is what was being computed.
	Field string
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("%s: %s do not fit 64 bits; split the work into smaller stages", e.Planner, e.Field)
}

// DuplicateStageError says that two stages have one id.
type DuplicateStageError struct {
	ID uint32
	// First and Second are the places in the list of stages.
	First, Second int
}

func (e *DuplicateStageError) Error() string {
	return fmt.Sprintf("launch fusion: stages %d and %d of the list both have id %d; ids must differ", e.First, e.Second, e.ID)
}

// StageOverBudgetError says that a stage does not fit the budget even in a launch of its own.
type StageOverBudgetError struct {
	ID               uint32
	Required, Budget uint64
}

func (e *StageOverBudgetError) Error() string {
	return fmt.Sprintf("launch fusion: stage %d requires %d bytes by itself, the budget is %d; split the stage or raise the budget", e.ID, e.Required, e.Budget)
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
	return fmt.Sprintf("launch fusion: the edges into stage %d carry %d bytes, its input is %d; correct the input or the edges", e.ID, e.Edges, e.Input)
}

// A ZeroFieldError says that a field which must be positive is 0.
type ZeroFieldError struct {
	Field string
	// Needs is what to give.
	Needs string
}

func (e *ZeroFieldError) Error() string {
	return fmt.Sprintf("work queue: %s is 0; give %s", e.Field, e.Needs)
}

// InitialItemsError says that a queue starts with more than it holds.
type InitialItemsError struct{ Initial, Capacity uint64 }

func (e *InitialItemsError) Error() string {
	return fmt.Sprintf("work queue: %d initial items exceed the capacity of %d; raise the capacity or start with fewer", e.Initial, e.Capacity)
}

// HostParticipationError says that the host wanted a part in draining, which a resident queue has
// no place for.
type HostParticipationError struct{}

func (*HostParticipationError) Error() string {
	return "work queue: the host cannot take part while the device drains; read the final state only (FinalOnly)"
}

// OverBudgetError says that a queue does not fit its budget.
type OverBudgetError struct{ Required, Budget uint64 }

func (e *OverBudgetError) Error() string {
	return fmt.Sprintf("work queue: %d bytes are required, the budget is %d; lower the capacity or raise the budget", e.Required, e.Budget)
}
