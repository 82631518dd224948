package plan

import (
	"slices"
	"sync/atomic"
)

// A Stage is one step of a pipeline that has a launch of its own unless it is fused.
type Stage struct {
	ID uint32
	// Layout is a hash of the memory layout; only stages with equal ones can share a launch.
	Layout uint64
	// Input, Output and Scratch are bytes of device memory.
	Input, Output, Scratch uint64
	// OnHost says that the host must see memory at this stage's boundary.
	OnHost bool
}

// A Group is a run of adjacent stages in one launch.
type Group struct {
	// Stages are ids in their original order.
	Stages []uint32
	Layout uint64
	// Required is the device memory of the launch in bytes. LaunchFusion sums inputs of the first
	// stage and scratch and outputs of all; DataflowFusion gives the true peak.
	Required uint64
	// Avoided is the bytes of intermediate results that stay inside the launch.
	Avoided uint64
}

// A Mode is how a fusion plan was made.
type Mode string

const (
	// Greedy: neighbours join while they fit, each taken for the producer of the next.
	Greedy Mode = "greedy"
	// Dataflow: real edges, true peak, best cuts.
	Dataflow Mode = "dataflow"
)

// A FusionPlan says which stages share launches. Launches() + AvoidedLaunches is the number of
// stages.
type FusionPlan struct {
	Mode   Mode
	Budget uint64
	Groups []Group
	// AvoidedLaunches is the number of stages less the number of groups.
	AvoidedLaunches int
	// Avoided is the sum of the groups' avoided bytes.
	Avoided uint64
	// Baseline is what the greedy plan comes to under the rules of DataflowFusion, which is never
	// worse than it. Nothing in a greedy plan.
	Baseline Baseline
	// edges are those of a dataflow plan, for its picture.
	edges []Edge
}

// A Baseline is what a plan is compared with.
type Baseline struct {
	Launches int
	Avoided  uint64
}

// Launches is the number of launches, one a group.
func (p FusionPlan) Launches() int { return len(p.Groups) }

// LaunchFusion plans which neighbours share a launch: a group starts with a stage's input, output
// and scratch; the next stage joins when its layout is the group's, it does not stand at a host
// boundary and its scratch and output still fit the budget of bytes. Order is kept; no stages make
// an empty plan.
//
// Errors: *ZeroFieldError, *DuplicateStageError, *OverBudgetError, *OverflowError.
func LaunchFusion(stages []Stage, budget uint64) (FusionPlan, error) {
	return new(Planner).LaunchFusion(stages, budget)
}

// A Planner plans repeatedly and reuses the memory that it works in; a plan has memory of its own.
// The zero value is ready. It is for one goroutine at a time, and refuses a second one.
type Planner struct {
	busy   atomic.Bool
	ids    []uint32
	groups []Group
	places map[uint32]int
	flow   flow
}

// few is the number of stages up to which comparing all pairs is quicker than a map.
const few = 8

// check refuses budgets of nothing and ids that are not unique, and copies the ids.
func (p *Planner) check(stages []Stage, budget uint64) error {
	if budget == 0 {
		return &ZeroFieldError{Planner: fusionPlanner, Field: "the budget",
			Needs: "the bytes of device memory that one launch may use"}
	}
	p.ids, p.groups = make([]uint32, 0, len(stages)), p.groups[:0] // groups of plans are parts of ids
	if len(stages) <= few {
		return p.checkFew(stages)
	}
	if p.places == nil {
		p.places = make(map[uint32]int, len(stages))
	}
	clear(p.places)
	for i, s := range stages {
		if first, twice := p.places[s.ID]; twice {
			return &DuplicateStageError{ID: s.ID, First: first, Second: i}
		}
		p.places[s.ID] = i
		p.ids = append(p.ids, s.ID)
	}
	return nil
}

func (p *Planner) checkFew(stages []Stage) error {
	for i, s := range stages {
		if first := slices.Index(p.ids, s.ID); first >= 0 {
			return &DuplicateStageError{ID: s.ID, First: first, Second: i}
		}
		p.ids = append(p.ids, s.ID)
	}
	return nil
}

// enter takes the planner for one plan; the caller resets busy.
func (p *Planner) enter() error {
	if p == nil {
		return &PlannerError{Got: "nil", Fix: "a zero Planner is ready"}
	}
	if !p.busy.CompareAndSwap(false, true) {
		return &PlannerError{Got: "one that another goroutine plans with", Fix: "give each goroutine one of its own"}
	}
	return nil
}

// LaunchFusion is the function of that name in the planner's memory. Errors also: *PlannerError.
func (p *Planner) LaunchFusion(stages []Stage, budget uint64) (FusionPlan, error) {
	if err := p.enter(); err != nil {
		return FusionPlan{}, err
	}
	defer p.busy.Store(false)
	if err := p.check(stages, budget); err != nil {
		return FusionPlan{}, err
	}
	for start := 0; start < len(stages); {
		group, err := p.grow(stages, start, budget)
		if err != nil {
			return FusionPlan{}, err
		}
		p.groups = append(p.groups, group)
		start += len(group.Stages)
	}
	return p.result(Greedy, len(stages), budget)
}

// grow makes the longest group that begins at start.
func (p *Planner) grow(stages []Stage, start int, budget uint64) (Group, error) {
	required, err := alone(stages[start])
	if err != nil {
		return Group{}, err
	}
	if required > budget {
		return Group{}, overBudget(stages[start].ID, required, budget)
	}
	g := Group{Layout: stages[start].Layout, Required: required}
	end := start + 1
	for ; end < len(stages); end++ {
		s := stages[end]
		if s.OnHost || s.Layout != g.Layout {
			break
		}
		required, err := joined(g.Required, s)
		if err != nil {
			return Group{}, err
		}
		if required > budget {
			break
		}
		g.Required = required
		if g.Avoided, err = add(fusionPlanner, "avoided intermediate bytes", g.Avoided, stages[end-1].Output); err != nil {
			return Group{}, err
		}
	}
	g.Stages = p.ids[start:end:end]
	return g, nil
}

// alone is what a stage needs in a launch of its own.
func alone(s Stage) (uint64, error) {
	io, err := add(fusionPlanner, "stage input and output bytes", s.Input, s.Output)
	if err != nil {
		return 0, err
	}
	return add(fusionPlanner, "stage required bytes", io, s.Scratch)
}

// joined is what a group needs with one more stage.
func joined(required uint64, s Stage) (uint64, error) {
	with, err := add(fusionPlanner, "fused scratch bytes", required, s.Scratch)
	if err != nil {
		return 0, err
	}
	return add(fusionPlanner, "fused output bytes", with, s.Output)
}

// result sums the groups up.
func (p *Planner) result(mode Mode, stages int, budget uint64) (FusionPlan, error) {
	out := FusionPlan{Mode: mode, Budget: budget, Groups: slices.Clone(p.groups), AvoidedLaunches: stages - len(p.groups)}
	var err error
	for _, g := range p.groups {
		if out.Avoided, err = add(fusionPlanner, "total avoided intermediate bytes", out.Avoided, g.Avoided); err != nil {
			return FusionPlan{}, err
		}
	}
	return out, nil
}
