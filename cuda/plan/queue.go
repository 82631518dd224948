package plan

// HostSync is what the host does while a device drains a queue.
type HostSync uint8

const (
	// FinalOnly: the host reads the final state, after draining.
	FinalOnly HostSync = iota
	// HostParticipates: the host has a part in draining; no plan allows it.
	HostParticipates
)

// A QueueProfile describes a work queue that is to live on a device.
type QueueProfile struct {
	// Initial is the number of items before the first launch, Capacity the most it can hold.
	Initial, Capacity uint64
	// Entry is the bytes of one item, Control those of heads, tails and flags.
	Entry, Control uint64
	// Budget is the bytes that queue and control may take.
	Budget uint64
	Sync   HostSync
}

// A QueuePlan is the size of a resident queue.
type QueuePlan struct {
	Profile QueueProfile
	// Queue is the bytes of the items, Resident those with the control words.
	Queue, Resident uint64
	// OccupancyBPS is how full the queue starts, in basis points, rounded down.
	OccupancyBPS uint64
	// FinalOnly is true: the host waits for the final state only.
	FinalOnly bool
}

// WorkQueue plans the memory of a queue.
//
// Errors: *ZeroFieldError, *InitialItemsError, *HostParticipationError, *OverflowError,
// *OverBudgetError.
func WorkQueue(p QueueProfile) (QueuePlan, error) {
	if err := p.check(); err != nil {
		return QueuePlan{}, err
	}
	queue, err := mul(queuePlanner, "queue bytes", p.Capacity, p.Entry)
	if err != nil {
		return QueuePlan{}, err
	}
	resident, err := add(queuePlanner, "resident bytes", queue, p.Control)
	if err != nil {
		return QueuePlan{}, err
	}
	if resident > p.Budget {
		return QueuePlan{}, &OverBudgetError{Planner: queuePlanner, Required: resident, Budget: p.Budget}
	}
	return QueuePlan{Profile: p, Queue: queue, Resident: resident,
		OccupancyBPS: basisPoints(p.Initial, p.Capacity), FinalOnly: true}, nil
}

func (p QueueProfile) check() error {
	switch {
	case p.Capacity == 0:
		return &ZeroFieldError{Planner: queuePlanner, Field: "capacity", Needs: "the most items that may wait at once"}
	case p.Entry == 0:
		return &ZeroFieldError{Planner: queuePlanner, Field: "entry bytes", Needs: "the bytes of one item"}
	case p.Initial > p.Capacity:
		return &InitialItemsError{Initial: p.Initial, Capacity: p.Capacity}
	case p.Sync != FinalOnly:
		return &HostParticipationError{}
	}
	return nil
}

// A DrainPlan is a queue with the launches that drain it.
type DrainPlan struct {
	QueuePlan
	// Chunks is the number of launches that cover the capacity, ItemsPerChunk the most that one
	// takes.
	Chunks, ItemsPerChunk uint64
}

// Chunked says that it takes more than one launch to cover the queue.
func (p DrainPlan) Chunked() bool { return p.Chunks > 1 }

// Drain plans a queue whose launches take at most maxItems each. Errors: as WorkQueue.
func Drain(p QueueProfile, maxItems uint64) (DrainPlan, error) {
	if maxItems == 0 {
		return DrainPlan{}, &ZeroFieldError{Planner: queuePlanner, Field: "drain chunk",
			Needs: "the most items that one launch may take"}
	}
	q, err := WorkQueue(p)
	if err != nil {
		return DrainPlan{}, err
	}
	return DrainPlan{QueuePlan: q, Chunks: ceilDiv(p.Capacity, maxItems), ItemsPerChunk: min(maxItems, p.Capacity)}, nil
}
