package queue

import "fmt"

// A PlanError says why a plan cannot be run as it stands.
type PlanError struct {
	// Field is what of the plan; Want and Got are the figures.
	Field     string
	Want, Got string
}

func (e *PlanError) Error() string {
	return fmt.Sprintf("queue: %s of the plan: want %s, got %s", e.Field, e.Want, e.Got)
}

// An ItemError says that a value is no list of the queue's items.
type ItemError struct{ Want, Got string }

func (e *ItemError) Error() string { return fmt.Sprintf("queue: want %s, got %s", e.Want, e.Got) }

// An OverflowError says that the queue was full when items wanted to put more into it. Nothing is
// lost: the report holds what is left to do.
type OverflowError struct {
	Workload string
	Capacity uint64
	// Refused is how often a reservation failed, Left the number of items that are left to do.
	Refused, Left uint64
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("queue: %s: the capacity of %d items was used up, %d items are left to do (%d reservations "+
		"refused); "+
		"go on with the report's Left, or plan a larger capacity", e.Workload, e.Capacity, e.Left, e.Refused)
}

// A StuckError says that passes make no more progress: no item that is left finds the room it
// wants.
type StuckError struct {
	Workload       string
	Capacity, Left uint64
	Passes         int
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("queue: %s: pass %d finished none of %d items: their results do not fit a capacity of %d; "+
		"plan a larger one",
		e.Workload, e.Passes, e.Left, e.Capacity)
}

// A MismatchError says that fused and unfused launches gave different results.
type MismatchError struct {
	Pipeline       string
	Index          int
	Fused, Unfused float32
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("queue: %s: element %d is %v fused and %v unfused", e.Pipeline, e.Index, e.Fused, e.Unfused)
}
