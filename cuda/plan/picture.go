package plan

import "fmt"

// A fusion plan says what a drawing of its stages needs, so that plots.DAG can show which of them
// share a launch.

// Name is the picture's title.
func (p FusionPlan) Name() string { return p.caption() }

// NodeLabels are the stages in order.
func (p FusionPlan) NodeLabels() []string {
	return p.each(func(_ int, id uint32) string { return fmt.Sprint("stage ", id) })
}

// NodeKinds tell the launch of each stage.
func (p FusionPlan) NodeKinds() []string {
	return p.each(func(group int, _ uint32) string { return fmt.Sprint("launch ", group) })
}

func (p FusionPlan) each(text func(group int, id uint32) string) []string {
	var out []string
	for i, g := range p.Groups {
		for _, id := range g.Stages {
			out = append(out, text(i, id))
		}
	}
	return out
}

// Edges are pairs of places among the stages: those of the dataflow, or of a greedy plan, which
// knows none, each stage with the next.
func (p FusionPlan) Edges() [][2]int {
	var out [][2]int
	if p.Mode != Dataflow {
		for i := 1; i < p.Launches()+p.AvoidedLaunches; i++ {
			out = append(out, [2]int{i - 1, i})
		}
		return out
	}
	places := map[uint32]int{}
	for _, g := range p.Groups {
		for _, id := range g.Stages {
			places[id] = len(places)
		}
	}
	for _, e := range p.edges {
		out = append(out, [2]int{places[e.From], places[e.To]})
	}
	return out
}
