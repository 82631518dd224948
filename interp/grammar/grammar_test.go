package grammar

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func listed(src string) string {
	var list []string
	for _, r := range Refusals(src) {
		text := fmt.Sprintf("%d: %s", r.Offset, r.Msg)
		if r.End {
			text += " (end)"
		}
		list = append(list, text)
	}
	return strings.Join(list, "|")
}

// The corpus of package check compares many more with the compiler.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"x := 1\nfmt.Println(x)", ""},
		{"x, y", ""},
		{"x, y\nz", "4: syntax error: unexpected newline, expected := or = or comma"},
		{"import \"fmt\"\nx := 1; func f() {}; f()", ""},
		{"func(x int) { print(x) }(1)", ""},
		{"a b\nc d", "2: syntax error: unexpected name b at end of statement|6: syntax error: unexpected name d at end " +
			"of statement"},
		{"for i := range 3 {", "18: syntax error: unexpected EOF, expected } (end)"},
		{"x :=", "4: syntax error: unexpected EOF, expected expression (end)"},
		{"if x := 1 { }", "5: syntax error: cannot use x := 1 as value"},
		{"if a + b = c { }", "9: syntax error: cannot use assignment (a + b) = c as value"},
		{"if f = func() { g() } { }", "5: syntax error: cannot use assignment f = func() {…} as value"},
		{"switch y := x.(type) { }; z := x.(type)", "31: invalid syntax tree: use of .(type) outside type switch"},
		{"x := \"a\\xg\"", "9: invalid character 'g' in hexadecimal escape"},
		{"x := '\\ud800'", "12: escape is invalid Unicode code point U+D800"},
		{"x := “a”", "5: invalid character U+201C '“' in identifier|9: invalid character U+201D '”' in identifier"},
		{"go f", "3: expression in go must be function call"},
		{"go (f())", "3: expression in go must not be parenthesized"},
		{"func() { }\nfoo()", ""},
		{"func f", "6: syntax error: unexpected newline, expected ( (end)"},
		{"x(1 /* and\non */ 2)", "4: syntax error: unexpected newline in argument list; possibly missing comma or )"},
		{"type T[P *C,] int; type A [n*2]int; type U[P interface{ ~int }] struct{ *P }", ""},
		{"func f[T int | string](x T, ys ...T) (z T) { return }", ""},
		{"var f <-chan (chan<- int)", ""},
		{"package p\nimport \"a\"\nvar x int\nimport \"b\"",
			"31: syntax error: imports must appear before other declarations"},
		{"package p\nx := 1", "10: syntax error: non-declaration statement outside function body"},
		{"", ""},
	} {
		if got := listed(test.src); got != test.want {
			t.Errorf("%q: %s\nwant %s", test.src, got, test.want)
		}
	}
}

// Text that goes on into itself does not take the stack.
func TestDeep(t *testing.T) {
	openings := []string{"(", "[]", "-", "f(", "struct{ a ", "if x { ", "{", "<-chan ", "*", "T{{", "if x { } else "}
	for _, opening := range openings {
		for _, start := range []string{"x := ", "type T ", ""} {
			if len(Refusals(start+strings.Repeat(opening, 120_000))) == 0 {
				t.Errorf("%q%q... is not refused", start, opening)
			}
		}
	}
}

// what the compiler refuses in files of the distribution that go/parser accepts.
var refusedToo = []string{"bug217.go", "decls2a.go", "issue17788.go", "issue19610.go", "issue24470.go", "issue4470.go",
	"issue58612.go", "typesw.go"}

// TestRightFiles reads what is right, of which nothing is to be refused, and what go/parser
// refuses, of which something is.
func TestRightFiles(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	root, files := strings.TrimSpace(string(out)), 0
	for _, dir := range []string{"src/go", "src/net", "src/cmd/compile/internal/types2", "src/internal/types/testdata",
		"src/cmd/compile/internal/syntax/testdata", "test"} {
		if _, err := os.Stat(filepath.Join(root, dir)); err != nil && dir == "test" {
			continue // a toolchain that the go command downloaded has none
		}
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || slices.Contains(refusedToo, d.Name()) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			_, wrong := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
			refused := listed(string(text))
			if wrong == nil && refused != "" || wrong != nil && refused == "" && !excused(wrong) {
				t.Errorf("%s: refused: %s; by go/parser: %v", path, refused, wrong)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files", files)
}

// excused reports whether what go/parser says is no refusal of this package's: it tells no package
// clause apart from a cell, and knows the newest release that the project is built with.
func excused(err error) bool {
	return strings.Contains(err.Error(), "expected 'package'") ||
		strings.Contains(err.Error(), "method must have no type parameters")
}

// FuzzRefusals: nothing panics, and places are in the text. Whatever go/parser refuses of a file is
// refused.
func FuzzRefusals(f *testing.F) {
	for _, src := range []string{"x := 1", "package p; func f[T any](x ...T) { for i := range 3 { go g(i) } }",
		"type T[P *C] struct { a, b int; *E }", "if x := f(); x { } else if y { }",
		"switch x := y.(type) { case int, string: default: }", "select { case x, ok := <-c: }", "L: for ;; { continue L }",
		"x = a[1:2:3]{b: {c}}", "var (a = 'x'; b = `y`)",
		"<-chan int(nil)", "interface{ ~int|T[P]; M() }", "f(x...", "func (r *R[T]) m() (a, b int) { return }", "\"\\x",
		"package p\n\"\\400\""} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		refused := Refusals(src)
		for _, r := range refused {
			if r.Offset < 0 || r.Offset > len(src) || r.Msg == "" {
				t.Errorf("%q: %+v", src, r)
			}
		}
		if !strings.HasPrefix(src, "package p") {
			return
		}
		_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil && len(refused) == 0 && !excused(err) {
			t.Errorf("%q is not refused, go/parser says %v", src, err)
		}
	})
}
