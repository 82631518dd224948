package conformance

import (
	"slices"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	p := Program{Source: `package main

import "fmt"

type T int

func f() {}

func main() {
	x := T(1)
	for i := range x {
		fmt.Println(i)
	}
	f()
}
`}
	cells, err := Cut(p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"import \"fmt\"\n", "type T int\nfunc f() {}\n", "x := T(1)",
		"for i := range x {\n\tfmt.Println(i)\n}", "f()"}
	if got := strings.Join(cells, "|"); got != strings.Join(want, "|") {
		t.Errorf("%q", got)
	}
	for _, body := range []string{"defer f()", "L: for { break L }", "if true { return }",
		"x := 1; { }; x, y := 2, 3; _, _ = x, y"} {
		if cells, err := Cut(Program{Source: "package main\nfunc f() {}\nfunc main() {\n" + body + "\n}"}); cells != nil ||
			err != nil {
			t.Errorf("%s: cut into %q, %v", body, cells, err)
		}
	}
}

func TestMostProgramsCanBeCut(t *testing.T) {
	ps, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range ps {
		cells, err := Cut(p)
		if err != nil {
			t.Error(err)
		}
		if cells != nil {
			n++
		}
	}
	if n < 200 {
		t.Errorf("only %d of %d programs can be cut", n, len(ps))
	}
	t.Logf("%d of %d programs can be cut", n, len(ps))
}

func TestCutDeclarations(t *testing.T) {
	cells, err := CutDeclarations("package main\n\nimport \"fmt\"\n\ntype T int\n\nfunc (T) M() {}\n\nvar x = " +
		"1\n\nfunc main() {\n\tfmt.Println(x)\n\treturn\n}\n")
	want := []string{"import \"fmt\"", "type T int", "func (T) M() {}", "var x = 1",
		"func() {\n\tfmt.Println(x)\n\treturn\n}()"}
	if err != nil || !slices.Equal(cells, want) {
		t.Errorf("%q, %v", cells, err)
	}
	const whole = "package main\n\nfunc init() {}\n\nfunc main() {}\n"
	if cells, err := CutDeclarations(whole); err != nil || !slices.Equal(cells, []string{whole}) {
		t.Errorf("%q, %v", cells, err)
	}
	if _, err := CutDeclarations("package main\nfunc {"); err == nil {
		t.Error("what cannot be parsed is cut")
	}
}
