package egraph

import "testing"

func TestImage(t *testing.T) {
	g, rules := mathGraph(t)
	g.Run(rules, Iterations(7))
	m, err := g.Image()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if int(m.Layout.Rows) != g.Nodes() || int(m.Layout.Groups) != g.Classes() {
		t.Errorf("%d rows in %d groups of %d nodes in %d classes", m.Layout.Rows, m.Layout.Groups, g.Nodes(), g.Classes())
	}
	if pairs, _, err := m.Equivalences(10); err != nil || len(pairs) > 0 {
		t.Errorf("a closed graph has equal rows in different classes: %v, %v", pairs, err)
	}
}
