// Package entered finds what a test does not execute: statements of a package that a coverage
// profile has no count of. A test of all forms of something fails by it on the day on which a form
// is written that it does not enter.
package entered

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Statement is a piece of code without branches that was not executed.
type Statement struct {
	File     string // its base name
	Line     int
	Func     string         // the function declared around it; the method's name alone of a method
	Literals []*ast.FuncLit // the function literals around it, the innermost last
	Text     string
	Entry    bool // it begins the innermost function literal, which as such was not entered
}

func (s Statement) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", s.File, s.Line, s.Func, strings.Join(strings.Fields(s.Text), " "))
}

// Build makes the test binary of the package in the working directory, which counts the statements
// of the packages that the pattern names.
func Build(t testing.TB, packages string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "entered.test")
	c := exec.Command("go", "test", "-c", "-covermode=set", "-coverpkg="+packages, "-o", binary, ".")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return binary
}

// A Profile has the counts of some runs of a test binary.
type Profile struct{ pieces map[string]map[span]bool }

type span struct{ line, col, endLine, endCol int }

// Add reads a coverage profile.
func (p *Profile) Add(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if p.pieces == nil {
		p.pieces = map[string]map[span]bool{}
	}
	for _, line := range strings.Split(string(raw), "\n")[1:] {
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		var s span
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &s.line, &s.col, &s.endLine, &s.endCol, &statements,
			&count); err != nil {
			return fmt.Errorf("%s: %s: %w", file, line, err)
		}
		if p.pieces[name] == nil {
			p.pieces[name] = map[span]bool{}
		}
		p.pieces[name][s] = p.pieces[name][s] || count > 0
	}
	return nil
}

// Missing gives what no run has executed, by file and line.
func (p *Profile) Missing() ([]Statement, error) {
	module, root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	var all []Statement
	for name, pieces := range p.pieces {
		path := filepath.Join(root, strings.TrimPrefix(name, module+"/"))
		list, err := missingIn(path, pieces)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, func(x, y Statement) int {
		if c := strings.Compare(x.File, y.File); c != 0 {
			return c
		}
		return x.Line - y.Line
	})
	return all, nil
}

func missingIn(path string, pieces map[span]bool) (list []Statement, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, path, source, 0)
	if err != nil {
		return nil, err
	}
	file := fset.File(parsed.Pos())
	at := func(line, col int) token.Pos { return file.LineStart(line) + token.Pos(col-1) }
	for s, executed := range pieces {
		from, to := at(s.line, s.col), at(s.endLine, s.endCol)
		if executed || from == to {
			continue
		}
		x := Statement{File: filepath.Base(path), Line: s.line, Text: string(source[file.Offset(from):file.Offset(to)])}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if n == nil || from < n.Pos() || n.End() < to {
				return false
			}
			switch n := n.(type) {
			case *ast.FuncDecl:
				x.Func = n.Name.Name
			case *ast.FuncLit:
				x.Literals = append(x.Literals, n)
				x.Entry = n.Body.Lbrace == from
			}
			return true
		})
		list = append(list, x)
	}
	return list, nil
}

// moduleRoot finds the module around the working directory.
func moduleRoot() (module, root string, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}}\n{{.Dir}}").Output()
	if err != nil {
		return "", "", err
	}
	lines := strings.Fields(string(out))
	return lines[0], lines[1], nil
}
