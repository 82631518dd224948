package device

import (
	"os"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph"
)

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// mathGraph is the start of the math benchmark.
func mathGraph(t testing.TB) (*egraph.EGraph, *egraph.Rules) {
	t.Helper()
	g := egraph.New()
	for _, line := range strings.Split(strings.TrimSpace(readFile(t, "../testdata/math.terms")), "\n") {
		g.MustAdd(line)
	}
	rules, err := egraph.ParseRules(readFile(t, "../testdata/math.rules"))
	if err != nil {
		t.Fatal(err)
	}
	return g, rules
}

var (
	mathNodes   = []int{69, 118, 208, 389, 784, 1576, 3160, 8113, 28303, 136446, 1047896, 15987528}
	mathClasses = []int{50, 71, 116, 197, 361, 666, 1347, 3576, 12445, 58464, 443832}
)

// The counts of the math benchmark: the first iterations on the emulated device, all on a GPU.
func TestSaturateMath(t *testing.T) {
	dev := open(t)
	n := 7
	if !dev.Emulated() {
		n = 11
	}
	g, rules := mathGraph(t)
	r := g.Run(rules, egraph.Iterations(n), egraph.On(New(dev)))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	t.Log("\n" + r.String())
	if len(r.Iterations) != n {
		t.Fatalf("%d iterations", len(r.Iterations))
	}
	for i, it := range r.Iterations {
		if it.Nodes != mathNodes[i] || it.Classes != mathClasses[i] {
			t.Errorf("iteration %d: %d nodes in %d classes, want %d in %d", i+1, it.Nodes, it.Classes, mathNodes[i],
				mathClasses[i])
		}
	}
	if g.Nodes() != mathNodes[n-1] || g.Classes() != mathClasses[n-1] {
		t.Errorf("back on the host: %d nodes in %d classes", g.Nodes(), g.Classes())
	}
	if err := g.CheckInvariants(); err != nil {
		t.Error(err)
	}
}
