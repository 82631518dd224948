package plan

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestDataflowFusion(t *testing.T) {
	chain := []Stage{{1, 7, 64, 32, 8, false}, {2, 7, 32, 48, 8, false}, {3, 7, 48, 16, 8, false}}
	for _, c := range []struct {
		name   string
		stages []Stage
		edges  []Edge
		budget uint64
		want   string
		peak   uint64
	}{
		// While stage 2 runs: 64 from outside, 32 read, 48 written, 8 scratch; the greedy sum is 184.
		{"true peak of a chain", chain, Chain(chain), 152, "plan launches 1 avoided 2 bytes 80 groups [1 2 3]", 152},
		{"a byte less", chain, Chain(chain), 151, "plan launches 2 avoided 1 bytes 48 groups [1] [2 3]", 104},
		{"no edges, nothing avoided", chain, nil, 256, "plan launches 1 avoided 2 bytes 0 groups [1 2 3]", 248},
		{"an outside reader needs the result", []Stage{{1, 7, 8, 8, 0, false}, {2, 7, 8, 8, 0, false}, {3, 9, 16, 8, 0, false}},
			[]Edge{{1, 2, 0}, {1, 3, 0}, {2, 3, 0}}, 64, "plan launches 2 avoided 1 bytes 0 groups [1 2] [3]", 24},
		{"nobody joins whom the host must see first", []Stage{{1, 7, 8, 8, 0, false}, {2, 7, 8, 8, 0, true}, {3, 7, 8, 8, 0, false}},
			[]Edge{{1, 2, 0}, {2, 3, 0}}, 64, "plan launches 3 avoided 0 bytes 0 groups [1] [2] [3]", 16},
		{"who reads something else may", []Stage{{1, 7, 8, 8, 0, true}, {2, 7, 8, 8, 0, false}},
			nil, 64, "plan launches 1 avoided 1 bytes 0 groups [1 2]", 32},
		{"a cut elsewhere avoids more", []Stage{{1, 7, 0, 1, 0, false}, {2, 7, 1, 60, 0, false}, {3, 7, 60, 1, 0, false}},
			[]Edge{{1, 2, 0}, {2, 3, 0}}, 61, "plan launches 1 avoided 2 bytes 61 groups [1 2 3]", 61},
	} {
		p, err := DataflowFusion(c.stages, c.edges, c.budget)
		if err != nil || summary(p) != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, summary(p), err, c.want)
			continue
		}
		most := uint64(0)
		for _, g := range p.Groups {
			most = max(most, g.Required)
		}
		if most != c.peak {
			t.Errorf("%s: peak %d, want %d", c.name, most, c.peak)
		}
	}
}

func TestDataflowErrors(t *testing.T) {
	stages := []Stage{{1, 7, 8, 8, 0, false}, {2, 7, 8, 8, 0, false}}
	for _, c := range []struct {
		edges []Edge
		want  string
	}{
		{[]Edge{{5, 2, 0}}, "no stage has the id it comes from"}, {[]Edge{{1, 5, 0}}, "no stage has the id it leads to"},
		{[]Edge{{2, 1, 0}}, "it leads back"}, {[]Edge{{1, 1, 0}}, "it leads back"}, {[]Edge{{1, 2, 9}}, "more than its stage writes"},
		{[]Edge{{1, 2, 1}, {1, 2, 2}}, "there twice"},
	} {
		_, err := DataflowFusion(stages, c.edges, 64)
		var edge *EdgeError
		if !errors.As(err, &edge) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %s", c.edges, err, c.want)
		}
	}
	narrow := []Stage{{1, 7, 8, 8, 0, false}, {2, 7, 4, 8, 0, false}}
	var input *InputError
	if _, err := DataflowFusion(narrow, []Edge{{1, 2, 8}}, 64); !errors.As(err, &input) || *input != (InputError{2, 8, 4}) {
		t.Errorf("%v", err)
	}
	var over *OverBudgetError
	if _, err := DataflowFusion(stages, nil, 15); !errors.As(err, &over) || over.Stage == nil || *over.Stage != 1 || over.Required != 16 || over.Budget != 15 {
		t.Errorf("%v", err)
	}
	var overflow *OverflowError
	if _, err := DataflowFusion([]Stage{{1, 7, 0, 1 << 63, 0, false}, {2, 7, 0, 1 << 63, 0, false}}, nil, ^uint64(0)); !errors.As(err, &overflow) {
		t.Errorf("%v", err)
	}
	if p, err := DataflowFusion(nil, nil, 1); err != nil || p.Launches() != 0 {
		t.Errorf("%v %v", p, err)
	}
}

// slowSegment computes a segment from the definitions, one stage and one result at a time.
func slowSegment(stages []Stage, edges []Edge, start, end int) (peak, avoided uint64, legal bool) {
	place := map[uint32]int{}
	for i, s := range stages {
		place[s.ID] = i
	}
	outer, outside := map[int]uint64{}, uint64(0)
	last, readers := map[int]int{}, map[int]int{}
	for i := start; i <= end; i++ {
		outside += stages[i].Input
	}
	for _, e := range edges {
		from, to := place[e.From], place[e.To]
		last[from] = max(last[from], to)
		readers[from]++
		if to < start || to > end {
			continue
		}
		outside -= e.Bytes
		if from < start {
			outer[from] = max(outer[from], e.Bytes)
		} else if stages[from].OnHost {
			return 0, 0, false
		}
	}
	for _, bytes := range outer {
		outside += bytes
	}
	for i := start; i <= end; i++ {
		if stages[i].Layout != stages[start].Layout || i > start && stages[i].OnHost {
			return 0, 0, false
		}
		live := outside + stages[i].Scratch
		for j := start; j <= i; j++ {
			if readers[j] == 0 || last[j] >= i {
				live += stages[j].Output
			}
		}
		peak = max(peak, live)
		if readers[i] > 0 && last[i] <= end {
			avoided += stages[i].Output
		}
	}
	return peak, avoided, true
}

// allPlans calls visit with the figures of every legal way to cut.
func allPlans(stages []Stage, edges []Edge, budget uint64, start, launches int, avoided uint64, visit func(launches int, avoided uint64)) {
	if start == len(stages) {
		visit(launches, avoided)
		return
	}
	for end := start; end < len(stages); end++ {
		if peak, more, legal := slowSegment(stages, edges, start, end); legal && peak <= budget {
			allPlans(stages, edges, budget, end+1, launches+1, avoided+more, visit)
		}
	}
}

func TestDataflowIsBestOfAll(t *testing.T) {
	planned, better := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		stages, edges := generate(r, r.IntN(9))
		budget := 64 + r.Uint64N(160)
		p, err := DataflowFusion(stages, edges, budget)
		checkGroups(t, stages, p, err)
		if err != nil {
			var over *OverBudgetError
			if !errors.As(err, &over) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		planned++
		at := 0
		for _, g := range p.Groups {
			peak, avoided, legal := slowSegment(stages, edges, at, at+len(g.Stages)-1)
			if !legal || peak != g.Required || avoided != g.Avoided {
				t.Fatalf("seed %d: group %+v: peak %d, avoided %d, legal %t", seed, g, peak, avoided, legal)
			}
			at += len(g.Stages)
		}
		base := p.Baseline
		if p.Launches() > base.Launches || p.Avoided < base.Avoided {
			t.Fatalf("seed %d: %s is worse than %+v", seed, summary(p), base)
		}
		if p.Launches() < base.Launches || p.Avoided > base.Avoided {
			better++
		}
		allPlans(stages, edges, budget, 0, 0, 0, func(launches int, avoided uint64) {
			if avoided >= base.Avoided && (launches < p.Launches() || launches == p.Launches() && avoided > p.Avoided) {
				t.Fatalf("seed %d: %d launches avoiding %d beat %s", seed, launches, avoided, summary(p))
			}
		})
	}
	if planned < 1500 || better < 20 {
		t.Errorf("only %d planned, %d better than greedy", planned, better)
	}
}

// On a chain whose edges carry what each stage reads, the greedy plan keeps the rules, so the bar is that very plan.
func TestDataflowNeverWorseThanLaunchFusionOnChains(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		stages, _ := generate(r, r.IntN(40))
		for i := range stages {
			stages[i].OnHost = false
			if i > 0 {
				stages[i].Input = stages[i-1].Output
			}
		}
		greedy, err := LaunchFusion(stages, 200)
		p, flowErr := DataflowFusion(stages, Chain(stages), 200)
		if (err == nil) != (flowErr == nil) {
			t.Fatalf("seed %d: %v, %v", seed, err, flowErr)
		}
		if err == nil && (p.Launches() > greedy.Launches() || p.Avoided < greedy.Avoided) {
			t.Fatalf("seed %d: %s is worse than %s", seed, summary(p), summary(greedy))
		}
	}
}

func TestPlannerForgetsEarlierPlans(t *testing.T) {
	var p Planner
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		stages, edges := generate(r, r.IntN(40))
		fresh, freshErr := DataflowFusion(stages, slices.Clone(edges), 250)
		again, err := p.DataflowFusion(stages, edges, 250)
		if (err == nil) != (freshErr == nil) || summary(fresh) != summary(again) {
			t.Fatalf("seed %d: %s and %s", seed, summary(fresh), summary(again))
		}
	}
}

func TestPicture(t *testing.T) {
	stages := []Stage{{10, 7, 8, 8, 0, false}, {20, 7, 8, 8, 0, false}, {30, 9, 16, 8, 0, false}}
	flow, err := DataflowFusion(stages, []Edge{{10, 30, 0}, {20, 30, 0}}, 64)
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := LaunchFusion(stages, 64)
	if err != nil {
		t.Fatal(err)
	}
	if got := flow.Edges(); !slices.Equal(got, [][2]int{{0, 2}, {1, 2}}) {
		t.Errorf("edges %v", got)
	}
	if got := greedy.Edges(); !slices.Equal(got, [][2]int{{0, 1}, {1, 2}}) {
		t.Errorf("edges of neighbours %v", got)
	}
	if got := strings.Join(slices.Concat(flow.NodeLabels(), flow.NodeKinds()), ","); got != "stage 10,stage 20,stage 30,launch 0,launch 0,launch 1" {
		t.Errorf("nodes %s", got)
	}
}
