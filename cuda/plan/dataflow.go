package plan

import (
	"cmp"
	"slices"
)

// An Edge says that stage To reads Bytes of what stage From writes. 0 bytes stands for all of it.
type Edge struct {
	From, To uint32
	Bytes    uint64
}

// Chain gives the edges of a pipeline in which every stage reads what the one before it writes.
func Chain(stages []Stage) []Edge {
	var edges []Edge
	for i := 1; i < len(stages); i++ {
		if bytes := min(stages[i-1].Output, stages[i].Input); bytes > 0 {
			edges = append(edges, Edge{From: stages[i-1].ID, To: stages[i].ID, Bytes: bytes})
		}
	}
	return edges
}

// DataflowFusion plans launches of adjacent stages from the edges between them. It differs from
// LaunchFusion in what it knows: only what a stage really passes on counts as avoided, and only if
// everybody who reads it is in the launch; nobody who reads from a stage at a host boundary shares
// its launch; the memory of a launch is its true peak, with results that nobody reads any more and
// the scratch of earlier stages reused. The stages must come in an order that the edges allow, and
// keep it.
//
// The plan is never worse than the greedy one (LaunchFusion's, where that keeps these rules, else
// the one that takes the longest group each time): not in launches and not in avoided bytes. Among
// those it has the fewest launches, and among these avoids the most bytes.
//
// Errors: those of LaunchFusion, *EdgeError, *InputError.
func DataflowFusion(stages []Stage, edges []Edge, budget uint64) (FusionPlan, error) {
	return new(Planner).DataflowFusion(stages, edges, budget)
}

// DataflowFusion is the function of that name in the planner's memory. Errors also: *PlannerError.
func (p *Planner) DataflowFusion(stages []Stage, edges []Edge, budget uint64) (FusionPlan, error) {
	if err := p.enter(); err != nil {
		return FusionPlan{}, err
	}
	defer p.busy.Store(false)
	if err := p.check(stages, budget); err != nil {
		return FusionPlan{}, err
	}
	f := &p.flow
	if err := f.set(p.ids, stages, edges); err != nil {
		return FusionPlan{}, err
	}
	if err := f.segments(budget); err != nil {
		return FusionPlan{}, err
	}
	base := p.baseline(stages, budget)
	p.groups = p.groups[:0]
	for _, s := range f.partition(base) {
		p.groups = append(p.groups, Group{Stages: p.ids[s.start : s.end+1 : s.end+1], Layout: stages[s.start].Layout,
			Required: s.peak, Avoided: s.avoided})
	}
	out, err := p.result(Dataflow, len(stages), budget)
	if err != nil {
		return FusionPlan{}, err
	}
	out.Baseline, out.edges = base, slices.Clone(edges)
	return out, nil
}

// A flow is the graph of stages by their places in the list.
type flow struct {
	stages []Stage
	// in holds, for each stage, the edges it reads by: in[inAt[i]:inAt[i+1]], sorted by producer.
	in   []link
	inAt []int
	// outside is what a stage reads that no stage writes.
	outside []uint64
	// lastReader is the last stage that reads a stage's output; the stage itself if nobody does.
	lastReader, firstReader []int
	places                  map[uint32]int
	budget                  uint64
	parts
}

// A link is an edge between places.
type link struct {
	from, to int
	bytes    uint64
}

// set checks the edges and stores them by place.
func (f *flow) set(ids []uint32, stages []Stage, edges []Edge) error {
	f.stages = stages
	if f.places == nil {
		f.places = make(map[uint32]int, len(ids))
	}
	clear(f.places)
	for i, id := range ids {
		f.places[id] = i
	}
	f.in = f.in[:0]
	for _, e := range edges {
		l, err := f.link(e)
		if err != nil {
			return err
		}
		f.in = append(f.in, l)
	}
	slices.SortFunc(f.in, func(a, b link) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
	for i := 1; i < len(f.in); i++ {
		if a, b := f.in[i-1], f.in[i]; a.from == b.from && a.to == b.to {
			return &EdgeError{Edge: Edge{ids[b.from], ids[b.to], b.bytes},
				Reason: "the edge is there twice; give one with all bytes"}
		}
	}
	f.index()
	return f.inputs()
}

// link finds an edge's places.
func (f *flow) link(e Edge) (link, error) {
	from, known := f.places[e.From]
	if !known {
		return link{}, &EdgeError{Edge: e, Reason: "no stage has the id it comes from"}
	}
	to, known := f.places[e.To]
	if !known {
		return link{}, &EdgeError{Edge: e, Reason: "no stage has the id it leads to"}
	}
	if from >= to {
		return link{}, &EdgeError{Edge: e, Reason: "it leads back; order the stages so that each comes after what it reads"}
	}
	written := f.stages[from].Output
	if e.Bytes > written {
		return link{}, &EdgeError{Edge: e, Reason: "it carries more than its stage writes"}
	}
	if e.Bytes == 0 {
		e.Bytes = written
	}
	return link{from: from, to: to, bytes: e.Bytes}, nil
}

// index finds each stage's edges and readers.
func (f *flow) index() {
	n := len(f.stages)
	f.inAt = slices.Grow(f.inAt[:0], n+1)
	f.lastReader, f.firstReader = slices.Grow(f.lastReader[:0], n)[:n], slices.Grow(f.firstReader[:0], n)[:n]
	for i := range n {
		f.lastReader[i], f.firstReader[i] = i, n
	}
	at := 0
	for i := range n {
		f.inAt = append(f.inAt, at)
		for ; at < len(f.in) && f.in[at].to == i; at++ {
			from := f.in[at].from
			f.lastReader[from] = i
			f.firstReader[from] = min(f.firstReader[from], i)
		}
	}
	f.inAt = append(f.inAt, at)
}

// inputs splits what each stage reads into edges and the rest.
func (f *flow) inputs() error {
	f.outside = f.outside[:0]
	for i, s := range f.stages {
		sum := uint64(0)
		for _, l := range f.reads(i) {
			var err error
			if sum, err = add(fusionPlanner, "bytes of edges", sum, l.bytes); err != nil {
				return err
			}
		}
		if sum > s.Input {
			return &InputError{ID: s.ID, Edges: sum, Input: s.Input}
		}
		f.outside = append(f.outside, s.Input-sum)
	}
	return nil
}

// reads is the edges into stage i.
func (f *flow) reads(i int) []link { return f.in[f.inAt[i]:f.inAt[i+1]] }
