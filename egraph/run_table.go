package egraph

import (
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

func numbers(titles ...string) []display.Column {
	columns := make([]display.Column, len(titles))
	for i, t := range titles {
		columns[i] = display.Column{Title: t, Kind: display.Number}
	}
	return columns
}

// Table is the report as people look at it: a row an iteration, one for what the run did beside
// them, and the sums of these (of nodes and classes: what there is in the end). Why the run stopped
// is in the caption.
func (r *Report) Table() display.Table {
	t := display.Table{Caption: r.Summary(), Columns: numbers("iteration", "matches", "unions", "nodes", "classes",
		"match", "apply", "rebuild", "total")}
	matches, unions := 0, 0
	for _, i := range r.Iterations {
		t.Add(i.Number, i.Matches, i.Unions, i.Nodes, i.Classes, i.Prepare+i.Match, i.Apply, i.Rebuild, i.Time())
		matches += i.Matches
		unions += i.Unions
	}
	if len(r.Iterations) > 0 {
		prepare, match, apply, rebuild := r.Phases()
		t.Add("beside", "", "", "", "", "", "", "", r.Beside())
		t.Footer = []any{"all", matches, unions, r.Nodes, r.Classes, prepare + match, apply, rebuild, r.Time}
	}
	return t
}

// Beside is what a run took that was no iteration: its rules were compiled, the graph closed before
// the first of them, limits looked at, and it went to an accelerator and came back (Offload).
func (r *Report) Beside() time.Duration {
	prepare, match, apply, rebuild := r.Phases()
	return r.Time - (prepare + match + apply + rebuild)
}

// RuleTable is what each rule did, the dearest first.
func (r *Report) RuleTable() display.Table {
	columns := append([]display.Column{{Title: "rule", Kind: display.Code}}, numbers("matches", "applied", "new nodes",
		"unions", "held back", "time")...)
	t := display.Table{Caption: "rules by the time of applying their matches", Columns: columns}
	var all RuleStats
	for _, s := range r.dearest() {
		t.Add(s.Rule, s.Matches, s.Applied, s.Nodes, s.Unions, s.Held, s.Time)
		all.Matches += s.Matches
		all.Applied += s.Applied
		all.Nodes += s.Nodes
		all.Unions += s.Unions
		all.Held += s.Held
		all.Time += s.Time
	}
	if len(r.Rules) > 1 {
		t.Footer = []any{"all", all.Matches, all.Applied, all.Nodes, all.Unions, all.Held, all.Time}
	}
	return t
}

// Growth gives the curves of a growth plot: for each name, a value an iteration.
func (r *Report) Growth() (names []string, series [][]float64) {
	nodes := make([]float64, len(r.Iterations))
	classes := make([]float64, len(r.Iterations))
	for n, i := range r.Iterations {
		nodes[n], classes[n] = float64(i.Nodes), float64(i.Classes)
	}
	return []string{"nodes", "classes"}, [][]float64{nodes, classes}
}
