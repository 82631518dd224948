package egraph

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"
	"time"
)

// sum is n leaves of a name added up.
func sumOf(n int, leaf string) string {
	t := leaf + "0"
	for i := 1; i < n; i++ {
		t = fmt.Sprintf("(+ %s%d %s)", leaf, i, t)
	}
	return t
}

const acRules = "comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)"

// On large classes the search is cut, says so, and what it tells is still enough. // EG7
func TestWhyNotIsCut(t *testing.T) {
	g := New()
	a, b := g.MustAdd(sumOf(8, "x")), g.MustAdd(sumOf(8, "y"))
	g.Run(MustParseRules(acRules))
	start := time.Now()
	d, err := g.WhyNot(a, b)
	if took := time.Since(start); err != nil || !d.Cut || len(d.Pairs) == 0 || took > 10*time.Second {
		t.Fatalf("%v, %v after %v", d, err, took)
	}
	enough(t, g, d, a, b)
}

// enough equates the pairs of a difference and sees the classes become one.
func enough(t *testing.T, g *EGraph, d *Difference, a, b ID) {
	t.Helper()
	for _, p := range d.Pairs {
		union(t, g, p.A, p.B)
	}
	if g.Rebuild(); !g.Same(a, b) {
		t.Errorf("the pairs of %v are not enough", d)
	}
}

// What is told is enough, on any graph.
func TestWhyNotIsEnough(t *testing.T) {
	for seed := range int64(300) {
		g, ids := randomGraph(t, seed, 3, 12, 2)
		r := rand.New(rand.NewSource(seed))
		a, b := ids[r.Intn(len(ids))], ids[r.Intn(len(ids))]
		d, err := g.WhyNot(a, b)
		if err != nil || d.Cut || d.Equal != g.Same(a, b) {
			t.Fatalf("seed %d: %v, %v", seed, d, err)
		}
		enough(t, g, d, a, b)
	}
}

// Searches and extractions end at Interrupt. // EG7 EG8
func TestInterruptEndsSearches(t *testing.T) {
	g := New()
	a, b := g.MustAdd(sumOf(8, "x")), g.MustAdd(sumOf(8, "y"))
	g.Run(MustParseRules(acRules), Iterations(8))
	slow := func(Node, []float64) float64 { time.Sleep(time.Microsecond); return 1 }
	for what, call := range map[string]func() error{
		"WhyNot":       func() error { _, err := g.WhyNot(a, b); return err },
		"NewExtractor": func() error { _, err := g.NewExtractor(slow); return err },
		"ExtractK":     func() error { _, err := g.ExtractK(a, 1<<20, ASTSize); return err },
	} {
		ended, done := make(chan bool), make(chan bool)
		go func() {
			defer close(done)
			for {
				select {
				case <-ended:
					return
				case <-time.After(time.Millisecond):
					Interrupt()
				}
			}
		}()
		var interrupted *InterruptedError
		err := call()
		close(ended)
		if <-done; !errors.As(err, &interrupted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	d := tryDAG(g.ExtractDAG(a, OneEach, 0))
	if d.Err != nil || d.Optimal && d.Bound < d.Cost {
		t.Errorf("%v, %v", d, d.Err)
	}
}
