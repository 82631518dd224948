package cell

import (
	"errors"
	"go/ast"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name, src             string
		imports, funcs, stmts int
		quiet                 bool
	}{
		{"empty", "", 0, 0, 0, false},
		{"comment only", "// a\n/* b */", 0, 0, 0, false},
		{"mixed", "import \"fmt\"\nx := 1\nfunc f() {}\nfmt.Println(x)", 1, 1, 2, false},
		{"quiet", "x;", 0, 0, 1, true},
		{"quiet with comment", "x; // show nothing", 0, 0, 1, true},
		{"import block", "import (\n\"a\"\nb \"c\"\n)\n", 1, 0, 0, false},
		{"method", "func (t *T[K]) M() {}", 0, 1, 0, false},
		{"generic function", "func F[T any](x T) T { return x }", 0, 1, 0, false},
		{"literal called", "func() { f() }()", 0, 0, 1, false},
		{"literal in a header", "for i := 0; func() bool { return i < 3 }(); i++ { }", 0, 0, 1, false},
		{"literal with result after semicolon", "x := 1; func(a int) int { return a }(x)", 0, 0, 2, false},
		{"header with literal", "if x := []int{1}; len(x) > 0 { }", 0, 0, 1, false},
		{"function on one line", "func f() {}; x := 1; func g() {}", 0, 2, 1, false},
		{"label", "L:\nfor { break L }\ngoto L", 0, 0, 2, false},
		{"raw string", "s := `\nfunc f() {\n`", 0, 0, 1, false},
		{"types", "type T struct{ x int }\ntype (\nA int\nB = A\n)", 0, 0, 2, false},
		{"windows line ends", "x := 1\r\ny := 2\r\n", 0, 0, 2, false},
		{"function without body", "func f()\nx := 1", 0, 1, 1, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Split(1, test.src)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Imports) != test.imports || len(c.Funcs) != test.funcs || full(c.Body.List) != test.stmts ||
				c.Quiet != test.quiet {
				t.Errorf("%d imports, %d funcs, %d stmts, quiet %v", len(c.Imports), len(c.Funcs), len(c.Body.List), c.Quiet)
			}
		})
	}
}

// full counts the statements that are not empty.
func full(list []ast.Stmt) int {
	n := 0
	for _, s := range list {
		if _, empty := s.(*ast.EmptyStmt); !empty {
			n++
		}
	}
	return n
}

// TestPositions: every identifier is where it stands in the text, whichever piece it is in.
func TestPositions(t *testing.T) {
	const src = "import \"os\"\n\tx1 := 1; func  f2(a3 int) {\n  b4 := a3 }; y5 := `\n` + z6\nö7 := 8; /* c */ " +
		"k8(\n\t\tl9)"
	c, err := Split(7, src)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	check := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "int" {
			pos := c.Fset.Position(id.Pos())
			if pos.Filename != "In[7]" || offsetOf(src, pos.Line, pos.Column) != strings.Index(src, id.Name) && id.Name != "a3" {
				t.Errorf("%s at %s", id.Name, pos)
			}
			if c.Text(id) != id.Name {
				t.Errorf("text of %s is %q", id.Name, c.Text(id))
			}
			seen++
		}
		return true
	}
	for _, f := range c.Funcs {
		ast.Inspect(f, check)
	}
	for _, s := range append(c.Body.List, c.Again()...) {
		ast.Inspect(s, check)
	}
	if seen != 4+6+6 {
		t.Errorf("%d identifiers", seen)
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		{"x := ", "In[1]:1:5: syntax error: expected operand, found the end of the cell"},
		{"a b", "In[1]:1:3: syntax error: unexpected name b at end of statement"},
		{"x := (1", "In[1]:1:8: syntax error: expected ')', found the end of the cell"},
		{"x := 1\n  if x > 0 {\n\tx++\n",
			"In[1]:3:5: syntax error: expected '}', found the end of the cell: the { at 2:12 is not closed"},
		{"func f() {\n\tg(1)\n",
			"In[1]:2:6: syntax error: expected '}', found the end of the cell: the { at 1:10 is not closed"},
		{"f(\n}", "In[1]:2:1: syntax error: unexpected }, expected expression"},
		{"s := \"a", "In[1]:1:8: newline in string"},
		{"func f( {}", "In[1]:1:9: syntax error: "},
		{"x := 1\nfunc f() { y := }\nz := (", "In[1]:2:17: syntax error: unexpected }, expected expression"},
		{"func f() -> int { return 1 }", "In[1]:1:10: syntax error: unexpected - after top level declaration"},
		{"f(\"a\" \"$b\")", "In[1]:1:7: syntax error: unexpected literal \"$b\" in argument list; possibly missing comma or )"},
		{"x := []int{1, 2\n}", "In[1]:1:16: syntax error: unexpected newline in composite literal; possibly missing " +
			"comma or }"},
		{"if x == 1 then { }", "In[1]:1:11: syntax error: unexpected name then, expected {"},
		{"var x int := 1", "In[1]:1:11: syntax error: unexpected :=, expected ="},
		{"func f() { else { } }", "In[1]:1:12: syntax error: unexpected keyword else, expected }"},
		{"x := a ? b : c", "In[1]:1:8: invalid character U+003F '?'"},
		{"s := 'hello'", "In[1]:1:6: more than one character in rune literal"},
		{"defer f", "In[1]:1:7: expression in defer must be function call"},
		{"package main\nfunc main( {}", "In[1]:2:12: syntax error: "},
	}
	for _, test := range tests {
		_, err := Split(1, test.src)
		var list SyntaxErrors
		if !errors.As(err, &list) || !strings.HasPrefix(list[0].Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.src, err, test.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"x := 1", "func f() {}\nx", "import \"a\"; L: x; for ;; {}", "package p",
		"/*line x:1:1*/ a", "}{", "\xff`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := Split(1, src)
		if err == nil && c.Program == nil && len(c.Again()) != len(c.Body.List) {
			t.Error("the second copy differs")
		}
		Complete(src)
	})
}
