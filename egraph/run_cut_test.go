package egraph

import (
	"testing"
	"time"
)

// Slices of a run get on, however much shorter they are than an iteration, and come to the same end; each says that it
// was cut. // EG19
func TestSlicesGetOn(t *testing.T) {
	blocks := func(r *runner) { r.windowFrom = 1 << 30 }
	for name, o := range map[string]RunOption{"blocks": blocks, "windows": windowsFromStart} {
		g, rules := exploding(t, 9)
		whole, _ := exploding(t, 9)
		want := whole.Run(rules, Iterations(50))
		cut, still := 0, 0
		for slice := range 800 {
			before := g.Nodes()
			r := g.Run(rules, MaxTime(time.Millisecond), Iterations(50), Threads(1+slice%3), o, smallerTasks)
			if r.Err != nil || r.Stop != TimeLimit && r.Stop != Saturated {
				t.Fatal(r)
			}
			if r.Cut {
				cut++
			}
			if still++; g.Nodes() > before {
				still = 0
			}
			if r.Stop == Saturated || still > 40 {
				break
			}
		}
		if r := g.Run(rules, Iterations(50)); r.Stop != Saturated || r.Nodes != want.Nodes {
			t.Errorf("%s: %v, in one run %v", name, r.Summary(), want.Summary())
		}
		if got := float64(g.Nodes()) / float64(want.Nodes); cut == 0 || got < 0.9 {
			t.Errorf("%s: %d slices were cut", name, cut)
		}
		checked(t, g)
	}
}

// A part of the rows that was cut off is searched first by the next run.
func TestCutPlace(t *testing.T) {
	g, rules := exploding(t, 12)
	g.Run(rules, Iterations(5))
	blocks := func(r *runner) { r.windowFrom = 1 << 30 }
	r := g.Run(rules, MaxNodes(g.Nodes()+40_000), Iterations(1), FullSearch(), smallTasks, blocks)
	if r.Stop != NodeLimit || !r.Cut || g.cutAt.rules == nil || g.cutAt.root == 0 && g.cutAt.row == 0 {
		t.Errorf("%v: cut at %v", r, g.cutAt)
	}
	if r = g.Run(MustParseRules("r: (* ?a ?b) => ?a")); r.Cut || g.cutAt.rules != nil {
		t.Errorf("another set's run goes on at %v", g.cutAt)
	}
}
