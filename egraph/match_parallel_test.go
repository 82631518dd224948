package egraph

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// The result of a run, down to the order of rows, does not depend on the number of threads.
func TestThreadsDoNotMatter(t *testing.T) {
	for name, scheduler := range map[string]func() Scheduler{"simple": Simple,
		"backoff": func() Scheduler { return Backoff(20_000, 2) }} {
		var want []byte
		for _, threads := range []int{1, 2, 5} {
			g, rules := mathGraph(t)
			r := g.Run(rules, Iterations(11), MaxNodes(400_000), Threads(threads), WithScheduler(scheduler()), crewFromStart,
				smallerTasks)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			var file bytes.Buffer
			if err := g.WriteBinary(&file); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = file.Bytes()
			} else if !bytes.Equal(want, file.Bytes()) {
				t.Errorf("%s: %d threads give another graph", name, threads)
			}
			checked(t, g)
		}
	}
}

// crewFromStart matches in parallel from the first iteration on, whether it pays or not.
func crewFromStart(r *runner) { r.crewPays = r.threads > 1 }

// smallerTasks divides large tables into more parts than usual, smallTasks small ones too.
func smallerTasks(r *runner) { r.taskRows = 1 << 10 }
func smallTasks(r *runner)   { r.taskRows = 8 }

func TestParallelStops(t *testing.T) {
	before := runtime.NumGoroutine()
	g, rules := mathGraph(t)
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	r := g.RunContext(ctx, rules, Iterations(12), MaxNodes(1<<30), Threads(4), crewFromStart, smallerTasks)
	if r.Stop != Interrupted || r.Time > 20*time.Second {
		t.Error(r.Summary())
	}
	checked(t, g)
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before the run, %d after", before, after)
	}
}

// A search that finds nothing stops too: three patterns without a common variable.
func TestFruitlessSearchStops(t *testing.T) {
	for _, threads := range []int{1, 3} {
		g := New()
		for i := range int64(3000) {
			leaf, _ := g.AddLeaf(term.Int(i))
			if _, err := g.AddNode("f", leaf); err != nil {
				t.Fatal(err)
			}
		}
		rules := MustParseRules("cross: (f ?a), (f ?b), (f ?c), (g ?a ?b ?c) => ?a\nnever: (g ?a ?b ?c) => ?a")
		g.MustAdd("(g x y z)")
		r := g.Run(rules, MaxTime(200*time.Millisecond), Threads(threads), crewFromStart)
		if r.Stop != TimeLimit || r.Time > 20*time.Second {
			t.Errorf("%d threads: %s", threads, r.Summary())
		}
	}
}
