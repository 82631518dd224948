package egraph

import (
	"fmt"
	"testing"
	"time"
)

// Rebuilding costs what the rows cost, however many operators they are of. // EG17
func TestRebuildOfManyOperators(t *testing.T) {
	const operators = 100_000
	g := New()
	x, y := g.MustAdd("x"), g.MustAdd("y")
	for i := range operators {
		for _, id := range []ID{x, y} {
			if _, err := g.AddNode(fmt.Sprint("op", i), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := time.Now()
	if _, err := g.Union(x, y); err != nil {
		t.Fatal(err)
	}
	g.Rebuild()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%v for %d operators", took, operators)
	}
	checked(t, g)
	if g.Nodes() != 2+operators || g.Classes() != 1+operators {
		t.Errorf("%d nodes in %d classes", g.Nodes(), g.Classes())
	}
}
