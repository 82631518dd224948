package egraph

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// windowsFromStart applies matches by windows in graphs of any size.
func windowsFromStart(r *runner) { r.windowFrom = 0 }

// randomTerm draws a term of operators f1 to f4 of so many children over variables and a few leaves.
func randomTerm(r *rand.Rand, depth int, vars []string) string {
	if depth == 0 || r.Intn(4) == 0 {
		if len(vars) > 0 && r.Intn(4) > 0 {
			return vars[r.Intn(len(vars))]
		}
		return string(rune('a' + r.Intn(4)))
	}
	n := 1 + r.Intn(4)
	s := fmt.Sprint("(f", n)
	for range n {
		s += " " + randomTerm(r, depth-1, vars)
	}
	return s + ")"
}

func randomRules(r *rand.Rand, n int) string {
	var text strings.Builder
	for i := range n {
		left := randomTerm(r, 2, []string{"?x", "?y", "?z"})
		if r.Intn(5) == 0 {
			left = "?x"
		}
		var bound []string
		for _, v := range []string{"?x", "?y", "?z"} {
			if strings.Contains(left, v) {
				bound = append(bound, v)
			}
		}
		fmt.Fprintf(&text, "r%d: %s => %s\n", i, left, randomTerm(r, 3, bound))
	}
	return text.String()
}

// The graph, down to the order of rows, and the report do not depend on the number of threads,
// whatever the rules. // E3
func TestThreadsDoNotMatterForRandomRules(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		text := randomRules(r, 1+r.Intn(4))
		var terms []string
		for range 300 {
			terms = append(terms, randomTerm(r, 4, nil))
		}
		var want []byte
		var stats string
		for _, threads := range []int{1, 2, 4, 8} {
			g := New()
			g.closing.parallelFrom = 1
			for _, term := range terms {
				g.MustAdd(term)
			}
			report := g.Run(MustParseRules(text), Iterations(4), MaxNodes(60_000), Threads(threads),
				windowsFromStart, crewFromStart, smallTasks)
			if report.Err != nil {
				t.Fatal(report.Err)
			}
			checked(t, g)
			var file bytes.Buffer
			if err := g.WriteBinary(&file); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(report.Stop, report.Nodes, report.Classes, report.Bytes)
			for _, i := range report.Iterations {
				got += fmt.Sprint("\n", i.Matches, i.Applied, i.Unions, i.Nodes, i.Classes)
			}
			for _, s := range report.Rules {
				got += fmt.Sprint("\n", s.Rule, s.Matches, s.Applied, s.Nodes, s.Unions)
			}
			if want == nil {
				want, stats = file.Bytes(), got
			} else if !bytes.Equal(want, file.Bytes()) || got != stats {
				t.Fatalf("seed %d, %d threads give another graph:\n%s\nthan one:\n%s\n%s", seed, threads, got, stats, text)
			}
		}
	}
}

// By windows or block by block, a run gives the same graph but for the numbers of classes.
func TestWindowsLikeBlocks(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		text, term := randomRules(r, 3), randomTerm(r, 5, nil)
		var nodes, classes int
		for i, o := range []RunOption{func(r *runner) { r.windowFrom = 1 << 30 }, windowsFromStart} {
			g := New()
			g.MustAdd(term)
			report := g.Run(MustParseRules(text), Iterations(4), MaxNodes(100_000), o)
			checked(t, g)
			if report.Stop == NodeLimit {
				break
			}
			if i == 1 && (g.Nodes() != nodes || g.Classes() != classes) {
				t.Errorf("seed %d: %d nodes in %d classes, block by block %d in %d", seed, g.Nodes(), g.Classes(), nodes, classes)
			}
			nodes, classes = g.Nodes(), g.Classes()
		}
	}
}
