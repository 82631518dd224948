package egraph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// oddNames are names that are something else, or nothing, where they stand in a text as they are.
var oddNames = []string{"two words", "a;b", "(", ")", "a)b", "?", "?x", `"`, `"quoted"`, `a"b`, `\`, "1", "1.0", "01",
	"-7/3", "1/0", "a,", ",",
	"=", "=>", "<=>", "if", "and", "name:", "@go", "\n", "\t", "\xff", "a\xffb", "é", "\u2028", "\U000e0001", "x y\\z\"",
	" "}

// Names print as what reads back as the same name, in terms, patterns, rules, snapshots and right
// sides. // EG27
func TestNamesReadBack(t *testing.T) {
	for _, name := range oddNames {
		g := New()
		tree := &term.Term{Op: name, Children: []*term.Term{{Leaf: term.Name(name)}, {Leaf: term.Symbol(name)}}}
		if again, err := term.Parse(tree.String()); err != nil || !sameTerm(again, tree) {
			t.Errorf("%q prints as %s and reads as %v, %v", name, tree, again, err)
		}
		id, err := g.AddTerm(tree)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if got, ok, err := g.Lookup(tree.String()); got != id || !ok || err != nil {
			t.Errorf("%q: %v, %v", name, ok, err)
		}
		if got, ok := g.LookupNode(name); !ok || got != g.MustAdd(term.Symbol(name).String()) {
			t.Errorf("%q: a leaf is no node", name)
		}
		if ok, err := g.Matches(tree.String(), id); !ok || err != nil {
			t.Errorf("%q: no match of %s, %v", name, tree, err)
		}
		var b bytes.Buffer
		if err := g.WriteBinary(&b); err != nil {
			t.Fatal(err)
		}
		if back, err := ReadBinary(&b); err != nil || back.Dump() != g.Dump() || back.leaves.atoms[0] != term.Name(name) {
			t.Errorf("%q: %v", name, err)
		}
		leaf := term.Name(name).String()
		alone := (&shape{kind: isAtom, atom: term.Name(name)}).text(nil)
		rule := NewRule(name).Match("?r = (f ?x " + leaf + ")").Match(leaf).Replace("(" + term.Quote(name) + " ?x " + leaf +
			")")
		again, err := ParseRules(rule.String())
		if err != nil || again.String() != rule.String()+"\n" || again.Rule(name) == nil ||
			!strings.Contains(rule.String(), ", "+alone+" =>") {
			t.Errorf("%q: the rule %v reads as %v, %v", name, rule, again, err)
		}
	}
	if a, b := term.MustParse(`(f "1" 1)`), term.MustParse(`(f 1 "1")`); sameTerm(a, b) || a.String() != `(f "1" 1)` {
		t.Errorf("%v and %v", a, b)
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range oddNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if term.CheckName(name) != nil {
			return
		}
		tree := term.Apply(name, term.Apply(name, term.Leaf(term.Name(name)), term.Leaf(term.Symbol(name))))
		if again, err := term.Parse(tree.String()); err != nil || !sameTerm(again, tree) {
			t.Errorf("%q prints as %s: %v", name, tree, err)
		}
		rule := NewRule(name).Match("(f ?x)").Match(term.Name(name).String()).Replace(term.Name(name).String())
		again, err := ParseRules(rule.String())
		if err != nil || again.Len() != 1 || again.list[0].name != name || again.list[0].right.atom != term.Name(name) ||
			again.list[0].left[1].shape.atom != term.Name(name) {
			t.Errorf("%q: %v reads as %v, %v", name, rule, again, err)
		}
	})
}

// Separators are read as separators or refused, never as names. // EG25
func TestSeparatorsAreNoNames(t *testing.T) {
	const separated = ", stands in quotes: %q; parts of a list are separated by blanks"
	for text, want := range map[string]string{
		"r: ?x = => ?x":                     "1:7: = where a pattern should stand; the leaf of that name stands in quotes",
		"r: (f ?x),, (g ?x) => ?x":          "1:10: a comma where a pattern should stand",
		"r: (f ?x) , , (g ?x) => ?x":        "1:13: a comma where a pattern should stand",
		"r: ,, => a":                        "1:4: a comma where a pattern should stand",
		"r: (f ?x) => (1/0)":                "1:15: 1/0 divides by zero",
		"r: (f 1/0) => a":                   "1:7: 1/0 divides by zero",
		"r: (f ?x, ?y) => ?y":               "1:7: a name such as ?x" + fmt.Sprintf(separated, "?x,"),
		"r: (f x, ?y) => ?y":                "1:7: a name such as x" + fmt.Sprintf(separated, "x,"),
		"r: (f, x ?y) => ?y":                "1:5: a name such as f" + fmt.Sprintf(separated, "f,"),
		"r: (f ?x) => =":                    "1:14: = where a pattern should stand; the leaf of that name stands in quotes",
		"r: (f ?x) => ,":                    "1:14: a comma where a pattern should stand",
		"r: (f ?x) => a,":                   "1:14: a name such as a" + fmt.Sprintf(separated, "a,"),
		"r: (f ?x) => (g ?)":                "1:17: a variable has a name behind its ?",
		`r: (f ?x) => "a`:                   "1:14: the text ends inside the quotes that opened here",
		`r: (f ?x) => "a"b`:                 "1:17: a name goes on behind its quotes",
		`r: (f ?x) => ""`:                   `1:14: the name "" is empty: give another`,
		`r: (f ?x) => "\q"`:                 `1:14: "\q" is no name in quotes: they are those of Go's strings`,
		`r: (f "x": ?x) => ?x`:              "1:7: a colon behind quotes makes a rule's name, which stands outside of lists",
		"r: (f ?x) => \"a\x00\"":            `1:14: the name "a\x00" has a U+0000: give another`,
		"r: (?x ?y) => ?y":                  "1:5: an operator's name must stand first in a list",
		"r: (f ?x) => ?x if (= ?x (g 1/0))": "1:29: 1/0 divides by zero",
	} {
		set, err := ParseRules(text)
		var syntax *term.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s is read as %v, %v\nwant %s", text, set, err, want)
		}
	}
	for _, text := range []string{"?x", "?", "(?x a)", "(f a, b)", "(a, b)", "(f ?)", "(1/0)", `(f "a": b)`} {
		if tree, err := term.Parse(text); err == nil {
			t.Errorf("%s is read as %v", text, tree)
		}
	}
	set := MustParseRules(`"my rule": "a", "=" "," => "=>" if (= "?x" b)`)
	if r := set.Rule("my rule"); r == nil || len(r.left) != 3 || r.left[1].shape.atom != term.Symbol("=") ||
		r.right.atom != term.Symbol("=>") || r.conds[0].args[0].atom != term.Name("?x") {
		t.Errorf("%v", set)
	}
}

// Names that nothing could read back are refused where they would come in. // EG26
func TestNamesThatAreNone(t *testing.T) {
	g := New()
	x := g.MustAdd("x")
	long := strings.Repeat("n", term.MaxName+1)
	for _, name := range []string{"", "a\x00b", long} {
		for what, add := range map[string]func() error{
			"AddNode of a leaf": func() error { _, err := g.AddNode(name); return err },
			"AddNode":           func() error { _, err := g.AddNode(name, x); return err },
			"AddLeaf":           func() error { _, err := g.AddLeaf(term.Symbol(name)); return err },
			"AddNodes":          func() error { _, err := g.AddNodes(name, []ID{x}); return err },
			"AddTerm":           func() error { _, err := g.AddTerm(term.Leaf(term.Symbol(name))); return err },
			"Bulk":              func() error { b := g.Bulk(); r, _ := b.Of(x); _, err := b.Node(name, r); return err },
		} {
			var bad *term.NameError
			if err := add(); !errors.As(err, &bad) || bad.Name != name {
				t.Errorf("%s of %.20q: %v", what, name, err)
			}
		}
	}
	if g.Nodes() != 1 {
		t.Errorf("%d nodes", g.Nodes())
	}
}

// What a term holds twice is added, looked up and proved once; what holds itself is refused, and
// depth is no matter. // EG9 EG14
func TestTermsAreGraphs(t *testing.T) {
	g := New(WithProofs())
	id := g.MustAdd("x")
	for range 60 {
		id, _ = g.AddNode("f", id, id)
	}
	tower := try(g.Extract(id, ASTSize)).Term
	if got, ok := g.LookupTerm(tower); !ok || got != id {
		t.Error("a tower is not found")
	}
	h := New(WithProofs())
	if _, err := h.AddTerm(tower); err != nil || h.Nodes() != 61 {
		t.Errorf("%v, %d nodes", err, h.Nodes())
	}
	other := try(h.Extract(h.Find(ID(60)), ASTSize)).Term
	if e, err := g.ExplainTerms(tower, other); err != nil || len(e.Steps) != 0 || e.Check(NewRules(), nil) != nil {
		t.Errorf("%v, %v", e, err)
	}
	if !sameTerm(tower, other) || sameTerm(tower, term.Apply("f", tower, other)) {
		t.Error("towers are not compared")
	}
	if _, err := g.UnionTerms(tower, term.Leaf(term.Symbol("small")), "so"); err != nil {
		t.Error(err)
	}
	if e, err := g.ExplainTerms(tower, term.Leaf(term.Symbol("small"))); err != nil || len(e.Steps) != 1 ||
		!strings.Contains(e.String(), "too large to print") {
		t.Errorf("%v, %v", e, err)
	}

	cyclic := term.Apply("f", term.Leaf(term.Symbol("x")), nil)
	cyclic.Children[1] = term.Apply("g", cyclic)
	for _, bad := range []*term.Term{nil, cyclic, term.Apply("f", nil, nil),
		{Children: []*term.Term{term.Leaf(term.Int(1))}}} {
		var none *term.MalformedError
		if _, err := New().AddTerm(bad); !errors.As(err, &none) {
			t.Errorf("AddTerm: %v", err)
		}
		if _, err := g.ExplainTerms(bad, tower); !errors.As(err, &none) {
			t.Errorf("ExplainTerms: %v", err)
		}
		if _, err := g.UnionTerms(tower, bad, ""); !errors.As(err, &none) {
			t.Errorf("UnionTerms: %v", err)
		}
		if s := bad.String(); s == "" {
			t.Error("no text")
		}
		if !errors.As(panicOf(func() { g.LookupTerm(bad) }), &none) || !errors.As(panicOf(func() { bad.Size() }), &none) {
			t.Error("no MalformedError")
		}
	}
}

// panicOf is the error that a call panics with.
func panicOf(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// Depth is no matter: where a stack is small, a walk that recurses ends the test. // EG14
func TestDeepTerms(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20))
	deep := term.Leaf(term.Symbol("x"))
	const n = 150_000
	for range n {
		deep = term.Apply("f", deep)
	}
	g := New(WithProofs())
	id, err := g.AddTerm(deep)
	if err != nil || g.Nodes() != n+1 || deep.Size() != n+1 || len(deep.String()) != 4*n+1 {
		t.Fatal(err, g.Nodes())
	}
	if got, ok := g.LookupTerm(deep); !ok || got != id {
		t.Error("it is not found")
	}
	if e := try(g.Extract(id, ASTSize)); e.Err != nil || !sameTerm(e.Term, deep) {
		t.Error(e.Err)
	}
	if best, err := g.ExtractK(id, 1, ASTSize); err != nil || !sameTerm(best[0].Term, deep) {
		t.Error(err)
	}
	if d := tryDAG(g.ExtractDAG(id, OneEach, time.Second)); d.Err != nil || !sameTerm(d.Term, deep) {
		t.Error(d.Err)
	}
	if d, err := g.WhyNot(id, g.MustAdd("y")); err != nil || !sameTerm(d.A, deep) {
		t.Error(err)
	}
	top := term.Apply("g", deep)
	if _, err := g.UnionTerms(top, term.Leaf(term.Symbol("z")), "so"); err != nil {
		t.Error(err)
	}
	if e, err := g.ExplainTerms(top, term.Leaf(term.Symbol("z"))); err != nil ||
		e.Check(NewRules(), func(Step) bool { return true }) != nil {
		t.Error(err)
	}
	if err := g.WriteJSON(io.Discard, id); err != nil {
		t.Error(err)
	}
}

// A random text's tokens are printed and read as they were.
func TestSpelledIsMinimal(t *testing.T) {
	for _, name := range []string{"+", "<<", "x", "f/2", "a:b", "a'b", "é", "if", "and", "=", ","} {
		if term.Quote(name) != name {
			t.Errorf("%s is spelled %s", name, term.Quote(name))
		}
	}
	if !slices.Contains(oddNames, "\xff") || term.Quote("\xff") != `"\xff"` {
		t.Error(term.Quote("\xff"))
	}
}
