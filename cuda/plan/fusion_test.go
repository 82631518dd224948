package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A vector is one paragraph of testdata/fusion.txt.
type vector struct {
	name, want string
	stages     []Stage
	budget     uint64
}

func parseStage(t *testing.T, s string) Stage {
	t.Helper()
	var out Stage
	var host string
	s = strings.NewReplacer("(", "", ")", "", ",", " ").Replace(s)
	if n, err := fmt.Sscan(s, &out.ID, &out.Layout, &out.Input, &out.Output, &out.Scratch, &host); n != 6 {
		t.Fatalf("stage %q: %v", s, err)
	}
	out.OnHost = host == "t"
	return out
}

func (v *vector) line(t *testing.T, key, rest string) {
	switch key {
	case "name":
		v.name = rest
	case "stages":
		for _, s := range strings.Fields(rest) {
			v.stages = append(v.stages, parseStage(t, s))
		}
	case "repeat":
		var n int
		var s string
		fmt.Sscan(rest, &n, &s)
		for i := range n {
			stage := parseStage(t, s)
			stage.ID = uint32(i)
			v.stages = append(v.stages, stage)
		}
	case "budget":
		fmt.Sscan(rest, &v.budget)
	case "plan", "error":
		v.want = key + " " + rest
	default:
		t.Fatalf("line %q", key)
	}
}

func vectors(t *testing.T) []vector {
	data, err := os.ReadFile("testdata/fusion.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for paragraph := range strings.SplitSeq(string(data), "\n\n") {
		v := vector{}
		for line := range strings.Lines(paragraph) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				key, rest, _ := strings.Cut(line, " ")
				v.line(t, key, rest)
			}
		}
		out = append(out, v)
	}
	return out
}

func summary(p FusionPlan) string {
	s := fmt.Sprintf("plan launches %d avoided %d bytes %d groups", p.Launches(), p.AvoidedLaunches, p.Avoided)
	for _, g := range p.Groups {
		ids := strings.Trim(fmt.Sprint(g.Stages), "[]")
		if len(g.Stages) > 12 {
			ids = idList(g.Stages)
		}
		s += " [" + ids + "]"
	}
	return s
}

func TestLaunchFusionVectors(t *testing.T) {
	for _, v := range vectors(t) {
		p, err := LaunchFusion(v.stages, v.budget)
		got := summary(p)
		if err != nil {
			got = err.Error()
		}
		if want, isError := strings.CutPrefix(v.want, "error "); isError && (err == nil || !strings.Contains(got, want)) || !isError && got != v.want {
			t.Errorf("%s: got %s, want %s", v.name, got, v.want)
		}
		checkGroups(t, v.stages, p, err)
	}
}

// checkGroups holds for every plan: order kept, launches and avoided launches add up, every
// group within budget and of one layout.
func checkGroups(t *testing.T, stages []Stage, p FusionPlan, err error) {
	t.Helper()
	if err != nil {
		if p.Groups != nil {
			t.Errorf("groups beside the error %v", err)
		}
		return
	}
	at, avoided := 0, uint64(0)
	for _, g := range p.Groups {
		for i, id := range g.Stages {
			if stages[at].ID != id || stages[at].Layout != g.Layout || i > 0 && stages[at].OnHost {
				t.Fatalf("stage %d (%+v) in group %+v", at, stages[at], g)
			}
			at++
		}
		if g.Required > p.Budget || len(g.Stages) == 0 {
			t.Errorf("group %+v with budget %d", g, p.Budget)
		}
		avoided += g.Avoided
	}
	if at != len(stages) || p.Launches()+p.AvoidedLaunches != len(stages) || avoided != p.Avoided {
		t.Errorf("%d of %d stages, %d+%d launches, %d of %d bytes", at, len(stages), p.Launches(), p.AvoidedLaunches, avoided, p.Avoided)
	}
}

// generate makes stages of few layouts with some host boundaries, and edges between them.
func generate(r *rand.Rand, n int) ([]Stage, []Edge) {
	stages := make([]Stage, n)
	var edges []Edge
	layout := r.Uint64N(3)
	for i := range stages {
		if r.IntN(6) == 0 {
			layout = r.Uint64N(3)
		}
		s := Stage{ID: uint32(100 - i), Layout: layout, Output: r.Uint64N(48), Scratch: r.Uint64N(24), OnHost: r.IntN(11) == 0}
		for j := range i {
			if back := i - j; r.IntN(back*2) == 0 && stages[j].Output > 0 {
				e := Edge{From: stages[j].ID, To: s.ID, Bytes: 1 + r.Uint64N(stages[j].Output)}
				edges = append(edges, e)
				s.Input += e.Bytes
			}
		}
		s.Input += r.Uint64N(16) * r.Uint64N(2)
		stages[i] = s
	}
	return stages, edges
}

func TestLaunchFusionProperties(t *testing.T) {
	fused := 0
	for seed := range uint64(4096) {
		r := rand.New(rand.NewPCG(seed, 1))
		stages, _ := generate(r, r.IntN(24))
		budget := 96 + seed%512
		p, err := LaunchFusion(stages, budget)
		var over *OverBudgetError
		if err != nil && !errors.As(err, &over) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		checkGroups(t, stages, p, err)
		fused += p.AvoidedLaunches
	}
	if fused < 4096 {
		t.Errorf("the cases fuse only %d launches", fused)
	}
}

func TestFusionErrorsAreTyped(t *testing.T) {
	_, err := LaunchFusion([]Stage{{ID: 9, Input: 64, Output: 32, Scratch: 64}}, 128)
	var over *OverBudgetError
	if !errors.As(err, &over) || over.Stage == nil || *over.Stage != 9 || over.Required != 160 || over.Budget != 128 {
		t.Errorf("%#v", err)
	}
	_, err = LaunchFusion([]Stage{{ID: 3}, {ID: 3}}, 1)
	var twice *DuplicateStageError
	if !errors.As(err, &twice) || *twice != (DuplicateStageError{ID: 3, First: 0, Second: 1}) {
		t.Errorf("%#v", err)
	}
	var zero *ZeroFieldError
	if _, err = LaunchFusion(nil, 0); !errors.As(err, &zero) {
		t.Errorf("%#v", err)
	}
	var overflow *OverflowError
	if _, err = LaunchFusion([]Stage{{Input: 1, Output: ^uint64(0)}}, 1); !errors.As(err, &overflow) || overflow.Field != "stage input and output bytes" {
		t.Errorf("%#v", err)
	}
}

// Planning again takes the memory of the plan alone: its ids, groups and edges.
func TestPlannerAllocatesPlansAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	stages, edges := generate(r, 64)
	var p Planner
	for name, plan := range map[string]func() error{
		"greedy":   func() error { _, err := p.LaunchFusion(stages, 4096); return err },
		"dataflow": func() error { _, err := p.DataflowFusion(stages, edges, 4096); return err },
		"small":    func() error { _, err := p.LaunchFusion(stages[:5], 4096); return err },
	} {
		if err := plan(); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(50, func() { _ = plan() }); n > 3 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// A plan stays what it was when its planner makes another, and when its edges change. // D14
func TestPlansOutliveThePlanner(t *testing.T) {
	var p Planner
	stages, edges := generate(rand.New(rand.NewPCG(7, 7)), 12)
	greedy, err := p.LaunchFusion(stages, 4096)
	if err != nil {
		t.Fatal(err)
	}
	flow, err := p.DataflowFusion(stages, edges, 4096)
	if err != nil {
		t.Fatal(err)
	}
	wantGreedy, wantFlow, drawn := greedy.String(), flow.String(), fmt.Sprint(flow.Edges())
	others, _ := generate(rand.New(rand.NewPCG(9, 9)), 12)
	for i := range others {
		others[i].ID += 1000
	}
	if _, err := p.LaunchFusion(others, 4096); err != nil {
		t.Fatal(err)
	}
	clear(edges)
	if greedy.String() != wantGreedy || flow.String() != wantFlow || fmt.Sprint(flow.Edges()) != drawn {
		t.Errorf("%s\n%s\n%v", greedy, flow, flow.Edges())
	}
}

func BenchmarkLaunchFusion(b *testing.B) {
	stages, edges := generate(rand.New(rand.NewPCG(7, 7)), 64)
	var p Planner
	b.Run("greedy", func(b *testing.B) {
		for b.Loop() {
			_, _ = p.LaunchFusion(stages, 4096)
		}
	})
	b.Run("dataflow", func(b *testing.B) {
		for b.Loop() {
			_, _ = p.DataflowFusion(stages, edges, 4096)
		}
	})
}
