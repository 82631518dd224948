package egraph

import (
	"strings"
	"testing"
	"time"
)

// Interrupt ends a run at any moment, with a usable graph from which a further run goes on.
func TestInterrupt(t *testing.T) {
	for _, threads := range []int{1, 3} {
		g, rules := mathGraph(t)
		started := make(chan struct{})
		done := make(chan *Report)
		go func() {
			done <- g.Run(rules, MaxNodes(1<<30), Threads(threads), OnIteration(func(i Iteration) {
				if i.Number == 10 {
					close(started)
				}
			}))
		}()
		<-started
		at := time.Now()
		Interrupt()
		r := <-done
		if r.Stop != Interrupted || r.Err != nil || !strings.Contains(r.Detail, "egraph.Interrupt was called") ||
			time.Since(at) > 20*time.Second {
			t.Errorf("%d threads: %s, %v after Interrupt", threads, r.Summary(), time.Since(at))
		}
		checked(t, g)
		before := g.Nodes()
		if r = g.Run(rules, Iterations(1), MaxNodes(before+50_000)); r.Stop == Interrupted || r.Err != nil ||
			r.Nodes < before {
			t.Errorf("a run after an interrupt: %s", r.Summary())
		}
		checked(t, g)
	}
	if Interrupt(); len(underWay.runs) != 0 {
		t.Errorf("%d runs are still listed", len(underWay.runs))
	}
}

// Two runs of two graphs at once are both reached.
func TestInterruptReachesAll(t *testing.T) {
	done := make(chan *Report, 2)
	for range 2 {
		go func() {
			g, rules := exploding(t, 15)
			done <- g.Run(rules, MaxNodes(1<<30), MaxTime(20*time.Second), Threads(1))
		}()
	}
	for reached := 0; reached < 2; time.Sleep(time.Millisecond) {
		underWay.Lock()
		reached = len(underWay.runs)
		underWay.Unlock()
	}
	Interrupt()
	for range 2 {
		if r := <-done; r.Stop != Interrupted {
			t.Error(r.Summary())
		}
	}
}
