package egraph

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

func TestCongruence(t *testing.T) {
	g := New()
	a, b := g.MustAdd("a"), g.MustAdd("b")
	fa, fb := g.MustAdd("(f (f (f a)))"), g.MustAdd("(f (f (f b)))")
	if g.Same(fa, fb) {
		t.Fatal("equal before the union")
	}
	if _, err := g.Union(a, b); err != nil {
		t.Fatal(err)
	}
	g.Rebuild()
	if !g.Same(fa, fb) {
		t.Error("f(f(f(a))) and f(f(f(b))) are not one class after a = b")
	}
	if g.Nodes() != 5 || g.Classes() != 4 {
		t.Errorf("%d nodes in %d classes, want 5 in 4", g.Nodes(), g.Classes())
	}
	checked(t, g)
}

func TestFirstExample(t *testing.T) {
	g := New()
	root := g.MustAdd("(/ (* a 2) 2)")
	rules := MustParseRules(`
		assoc:  (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))
		cancel: (/ ?x ?x) => 1 if (!= ?x 0)
		one:    (* ?x 1) => ?x`)
	r := g.Run(rules)
	if r.Stop != Saturated {
		t.Errorf("stopped for %s", r.Stop)
	}
	if got := try(g.Extract(root, ASTSize)).String(); got != "a" {
		t.Errorf("extracted %s", got)
	}
	checked(t, g)
}

func TestNoChangeSaturatesAtOnce(t *testing.T) {
	g := New()
	g.MustAdd("(f a)")
	r := g.Run(MustParseRules("idle: (f ?x) => (f ?x)"))
	if r.Stop != Saturated || len(r.Iterations) != 1 {
		t.Errorf("%s after %d iterations", r.Stop, len(r.Iterations))
	}
}

func TestMultiPattern(t *testing.T) {
	g := New()
	x, y := g.MustAdd("x"), g.MustAdd("y")
	g.MustAdd("(edge x m)")
	g.MustAdd("(edge m y)")
	g.MustAdd("(edge y z)")
	rules := MustParseRules("step: (edge ?a ?b), (edge ?b ?c) => (edge ?a ?c)")
	g2 := New()
	for _, s := range []string{"(edge x m)", "(edge m y)"} {
		g2.MustAdd(s)
	}
	r := g2.Run(MustParseRules("step: (edge ?a ?b), (edge ?b ?c) => (path ?a ?c)"))
	if r.Err != nil || g2.MustAdd("(path x y)") != g2.MustAdd("(edge x m)") {
		t.Errorf("(path x y) is not found: %v", r)
	}
	g.Run(rules)
	if g.Same(x, y) {
		t.Error("x = y")
	}
	bound := New()
	bound.MustAdd("(g (f a))")
	bound.MustAdd("(h b)")
	fa, hb := bound.MustAdd("(f a)"), bound.MustAdd("(h b)")
	if _, err := bound.Union(fa, hb); err != nil {
		t.Fatal(err)
	}
	bound.Run(MustParseRules("two: ?x = (f ?a), ?x = (h ?b) => ?a = ?b"))
	if !bound.Same(bound.MustAdd("a"), bound.MustAdd("b")) {
		t.Error("?x = (f ?a), ?x = (h ?b) did not match")
	}
	checked(t, bound)
}

// A pattern whose class is named among its children matches only a node that is a child of its own
// class.
func TestPatternOfItsOwnClass(t *testing.T) {
	for _, c := range []struct {
		pattern      string
		before, then bool // with f(a) apart from a, and in its class
	}{
		{"?t = (f ?t)", false, true},
		{"?t = (f (f ?t))", false, true},
		{"?t = (f ?u), ?u = (f ?t)", false, true},
		{"?t = (g ?t ?t)", false, false},
		{"?t = (f ?u)", true, true},
	} {
		g := New()
		fa, a := g.MustAdd("(f a)"), g.MustAdd("a")
		rules := MustParseRules("own: (f ?x), " + c.pattern + " => hit")
		hit := func() bool {
			if r := g.Run(rules); r.Err != nil {
				t.Fatal(r.Err)
			}
			id, ok, _ := g.Lookup("hit")
			return ok && g.Same(id, fa)
		}
		if got := hit(); got != c.before {
			t.Errorf("%s: matched %v", c.pattern, got)
		}
		if _, err := g.Union(fa, a); err != nil {
			t.Fatal(err)
		}
		g.Rebuild()
		if got := hit(); got != c.then {
			t.Errorf("%s: matched %v where f(a) = a", c.pattern, got)
		}
	}
}

func TestErrors(t *testing.T) {
	g := New(Operators(map[string]int{"+": 2}))
	for _, c := range []struct {
		do   func() error
		want any
	}{
		{func() error { _, err := g.Add("(+ 1 2"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("(+ 1 2))"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("()"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("a b"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add(""); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("?x"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("((f) 1)"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("\xff"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("(+ 1 1/0)"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := g.Add("(+ 1)"); return err }, new(*ArityError)},
		{func() error { _, err := g.Add("(* 1 2)"); return err }, new(*UnknownOperatorError)},
		{func() error { _, err := g.AddNode("+", 0, 999); return err }, new(*ClassError)},
		{func() error { return try(g.Extract(999, ASTSize)).Err }, new(*ClassError)},
		{func() error { return g.Run(MustParseRules("r: (+ ?a ?b) => (* ?a ?b)")).Err }, new(*RuleError)},
		{func() error { _, err := ParseRules("r: (+ ?a ?b) => ?c"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := ParseRules("r: (+ ?a ?b)"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := ParseRules("(+ ?a ?b) => ?a"); return err }, new(*term.SyntaxError)},
		{func() error { _, err := ParseRules("r: (f ?a) => ?a\nr: (g ?a) => ?a"); return err }, new(*RuleError)},
		{func() error { _, err := ParseRules("r: (f ?a) => ?a if (p ?a)"); return err }, new(*term.SyntaxError)},
		{func() error { return NewRule("r").Match("(f ?a)").Replace("?b").Err() }, new(*RuleError)},
	} {
		err := c.do()
		if err == nil || !errors.As(err, c.want) {
			t.Errorf("got %v, want a %T", err, c.want)
		}
	}
	if g.Nodes() != 0 {
		t.Errorf("refused terms left %d nodes", g.Nodes())
	}
	_, err := g.Add("(+ 1\n   (+ 2 3)")
	if err == nil || !strings.Contains(err.Error(), "2:11") || !strings.Contains(err.Error(), "1:1") {
		t.Errorf("positions missing: %v", err)
	}
}

func TestPanicsAreErrors(t *testing.T) {
	g := New()
	g.MustAdd("(f a)")
	boom := NewRule("boom").Match("(f ?x)").Replace("?x").If(func(*EGraph, *Match) bool { panic("no") })
	var cb *CallbackError
	if r := g.Run(NewRules(boom)); r.Stop != Failed || !errors.As(r.Err, &cb) {
		t.Errorf("report %v", r)
	}
	checked(t, g)
	if e := try(g.Extract(0, func(Node, []float64) float64 { panic("no") })); !errors.As(e.Err, &cb) {
		t.Errorf("extraction %v", e)
	}
}

// A right side in Go that answers a class which the graph does not have ends the run with an error
// that says so, and the graph can be used on.
func TestRightSideOfNoClass(t *testing.T) {
	for _, options := range [][]Option{nil, {WithProofs()}, {WithAnalysis(foldConstants())}} {
		for name, scheduler := range map[string]Scheduler{"simple": Simple(), "backoff": Backoff(10, 2)} {
			g := New(options...)
			root := g.MustAdd("(f a)")
			calls := 0
			lost := NewRule("lost").Match("(f ?x)").Do(func(g *EGraph, m *Match) (ID, bool) {
				if calls++; m.Rule() != "lost" || m.Root() != root {
					t.Errorf("called for %s in class %d", m.Rule(), m.Root())
				}
				return ID(len(g.uf.parent)), true
			})
			r := g.Run(NewRules(lost), WithScheduler(scheduler))
			var unknown *ClassError
			if r.Stop != Failed || !errors.As(r.Err, &unknown) || unknown.ID != ID(g.Nodes()) || calls != 1 ||
				r.Err.Error() != "egraph: right side of rule lost: no class 2 in this graph, which has ids below 2" {
				t.Errorf("%s: after %d calls %v", name, calls, r.Err)
			}
			checked(t, g)
			if r = g.Run(MustParseRules("found: (f ?x) => ?x"), WithScheduler(scheduler)); r.Err != nil || !g.Same(root,
				g.MustAdd("a")) {
				t.Errorf("%s: the graph is of no use afterwards: %v", name, r)
			}
		}
	}
}

func TestAtoms(t *testing.T) {
	for in, want := range map[string]string{
		"7": "7", "007": "7", "-3": "-3", "+3": "3", "4/2": "2", "2/6": "1/3", "0.25": "1/4", "x": "x",
		"-": "-", "1e5": "1e5", "--3": "--3", "123456789012345678901234567890": "123456789012345678901234567890",
		"1.2.3": "1.2.3", "3/": "3/",
	} {
		if got := term.Symbol(in).String(); got != want {
			t.Errorf("%s reads as %s, want %s", in, got, want)
		}
	}
	values := []int64{0, 1, -1, 2, 3, 1 << 62, -1 << 63, 1<<63 - 1, 1 << 31}
	for _, x := range values {
		for _, y := range values {
			a, b := term.Int(x), term.Int(y)
			sum, _ := a.Add(b)
			diff, _ := a.Sub(b)
			prod, _ := a.Mul(b)
			bx, by := big.NewInt(x), big.NewInt(y)
			for _, c := range []struct {
				got  term.Atom
				want *big.Int
			}{{sum, new(big.Int).Add(bx, by)}, {diff, new(big.Int).Sub(bx, by)}, {prod, new(big.Int).Mul(bx, by)}} {
				if c.got.String() != c.want.String() {
					t.Errorf("%d and %d: %v, want %v", x, y, c.got, c.want)
				}
			}
			if q, ok := a.Div(b); ok != (y != 0) || ok && q.Rat().Cmp(big.NewRat(x, y)) != 0 {
				t.Errorf("%d / %d = %v", x, y, q)
			}
		}
	}
}

// naiveClosure is congruence closure by comparing every two rows until nothing changes.
func naiveClosure(rows [][3]int, unions [][2]int, leaves int) []int {
	class := make([]int, leaves+len(rows))
	for i := range class {
		class[i] = i
	}
	merge := func(a, b int) {
		from, to := class[a], class[b]
		for i, c := range class {
			if c == from {
				class[i] = to
			}
		}
	}
	for _, u := range unions {
		merge(u[0], u[1])
	}
	for changed := true; changed; {
		changed = false
		for i, a := range rows {
			for j, b := range rows[:i] {
				if class[leaves+i] != class[leaves+j] && a[0] == b[0] && class[a[1]] == class[b[1]] && class[a[2]] == class[b[2]] {
					merge(leaves+i, leaves+j)
					changed = true
				}
			}
		}
	}
	return class
}

func TestClosureAgainstNaive(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		leaves, n := 2+r.Intn(8), r.Intn(60)
		var rows [][3]int
		for i := range n {
			rows = append(rows, [3]int{r.Intn(2), r.Intn(leaves + i), r.Intn(leaves + i)})
		}
		var unions [][2]int
		for range r.Intn(6) {
			unions = append(unions, [2]int{r.Intn(leaves + n), r.Intn(leaves + n)})
		}
		want := naiveClosure(rows, unions, leaves)
		g := New()
		if seed%2 == 1 {
			g.closing.rounds, g.closing.portion = 1, 0 // a worklist after the first round
		}
		if seed%3 > 0 {
			g.closing.parallelFrom, g.threads = 1, int(seed%3)*4-3
		}
		ids := make([]ID, 0, leaves+n)
		for i := range leaves {
			ids = append(ids, g.MustAdd(fmt.Sprintf("x%d", i)))
		}
		for _, row := range rows {
			id, err := g.AddNode([]string{"f", "g"}[row[0]], ids[row[1]], ids[row[2]])
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		for _, u := range unions {
			if _, err := g.Union(ids[u[0]], ids[u[1]]); err != nil {
				t.Fatal(err)
			}
		}
		g.Rebuild()
		checked(t, g)
		for i := range ids {
			for j := range ids[:i] {
				if g.Same(ids[i], ids[j]) != (want[i] == want[j]) {
					t.Fatalf("seed %d: classes of %d and %d: same is %v", seed, i, j, g.Same(ids[i], ids[j]))
				}
			}
		}
	}
}

// Closures by one thread and by several merge the same classes and keep the same rows, whatever the
// arity.
func TestReinsertingTogether(t *testing.T) {
	for seed := range int64(200) {
		var files [][]byte
		for _, threads := range []int{1, 4, 40} {
			g := randomClosure(t, seed, threads)
			checked(t, g)
			var file bytes.Buffer
			if err := g.WriteBinary(&file); err != nil {
				t.Fatal(err)
			}
			files = append(files, file.Bytes())
		}
		if !bytes.Equal(files[0], files[1]) || !bytes.Equal(files[0], files[2]) {
			t.Fatalf("seed %d: the graph depends on the number of threads", seed)
		}
	}
}

// randomClosure closes a random graph of rows with one, two and three children after many unions.
func randomClosure(t *testing.T, seed int64, threads int) *EGraph {
	t.Helper()
	r := rand.New(rand.NewSource(seed))
	g := New()
	g.closing.parallelFrom, g.threads = 1, threads
	var ids []ID
	for i := range 20 {
		ids = append(ids, g.MustAdd(fmt.Sprint("x", i)))
	}
	for range 30 + r.Intn(200) {
		kids := make([]ID, 1+r.Intn(3))
		for i := range kids {
			kids[i] = ids[r.Intn(len(ids))]
		}
		id, err := g.AddNode(fmt.Sprint("f", len(kids)), kids...)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for range 5 + r.Intn(40) {
		if _, err := g.Union(ids[r.Intn(len(ids))], ids[r.Intn(len(ids))]); err != nil {
			t.Fatal(err)
		}
	}
	g.Rebuild()
	return g
}

// A chain f^n(a), f^n(b) with a = b needs n rounds: they must not cost n passes.
func TestChainClosure(t *testing.T) {
	g := New()
	a, b := g.MustAdd("a"), g.MustAdd("b")
	x, y := a, b
	const n = 200_000
	for range n {
		x, _ = g.AddNode("f", x)
		y, _ = g.AddNode("f", y)
	}
	if _, err := g.Union(a, b); err != nil {
		t.Fatal(err)
	}
	g.Rebuild()
	if !g.Same(x, y) || g.Classes() != n+1 {
		t.Errorf("%d classes, want %d", g.Classes(), n+1)
	}
	checked(t, g)
}
