package differ

import (
	"bytes"
	"context"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// Minimise takes declarations, statements and branches out of a finding's program, halves of lists
// first and then one by one, as long as engine and native code still differ, at most tries times
// and as long as ctx lasts, with dir for scratch.
func (h *Hunt) Minimise(ctx context.Context, dir string, f Finding, tries int) Finding {
	m := &minimiser{ctx: ctx, hunt: h, dir: dir, best: f, tries: tries}
	for m.pass() && m.tries > 0 {
	}
	return m.best
}

type minimiser struct {
	ctx   context.Context
	hunt  *Hunt
	dir   string
	best  Finding
	tries int
}

// pass tries every cut once and reports whether one held.
func (m *minimiser) pass() (shorter bool) {
	for n := 0; ; {
		if m.tries <= 0 || m.ctx.Err() != nil {
			return shorter
		}
		src, more := without(m.best.Source, n)
		if !more {
			return shorter
		}
		if src != "" && m.holds(src) {
			shorter = true
			continue // the list is shorter: what was next stands at n now
		}
		n++
	}
}

// holds reports whether src still shows the difference, and keeps it if so.
func (m *minimiser) holds(src string) bool {
	c, err := check.New(nil)
	if err != nil {
		return false
	}
	if _, err := c.Check(1, src); err != nil {
		return false
	}
	m.tries--
	got := m.best.Engine.Run(m.ctx, m.dir, src, m.hunt.Limits.First)
	binary, err := m.hunt.Toolchain.Build(m.ctx, filepath.Join(m.dir, "native"), []string{src})
	if err != nil {
		return false
	}
	native := binary.Run(m.ctx, 0, m.hunt.Limits.First)
	v, d := Compare(got, native, m.best.Engine.MayRefuse)
	if v != Different {
		return false
	}
	m.best.Source, m.best.Native, m.best.Difference = src, native.Outcome, d
	return true
}

// without is the program less its n-th cut; "" where that changes nothing, and more is false behind
// the last.
func without(src string, n int) (text string, more bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", src, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	c := &cutter{left: n}
	c.decls(f)
	ast.Inspect(f, c.visit)
	if !c.done {
		return "", false
	}
	var b bytes.Buffer
	if err := format.Node(&b, fset, f); err != nil || b.Len() >= len(src) {
		return "", true
	}
	return b.String(), true
}

// A cutter makes the cut that left counts down to.
type cutter struct {
	left int
	done bool
}

func (c *cutter) turn() bool {
	if c.done || c.left > 0 {
		c.left--
		return false
	}
	c.done = true
	return true
}

func (c *cutter) decls(f *ast.File) {
	f.Decls = shrink(c, f.Decls)
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			g.Specs = shrink(c, g.Specs)
		}
	}
}

// shrink drops a half, a quarter and so on down to one element; pairs (a variable and its use)
// wherever they stand.
func shrink[T any](c *cutter, list []T) []T {
	for size := len(list); size > 0 && !c.done; size = smaller(size) {
		step := size
		if size == 2 {
			step = 1
		}
		for at := 0; at+size <= len(list); at += step {
			if c.turn() {
				return append(append([]T{}, list[:at]...), list[at+size:]...)
			}
		}
	}
	return list
}

func smaller(size int) int {
	if size == 1 {
		return 0
	}
	return (size + 1) / 2
}

func (c *cutter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		n.List = shrink(c, n.List)
		for i, s := range n.List {
			if inner := body(s); inner != nil && c.turn() {
				n.List = append(append(append([]ast.Stmt{}, n.List[:i]...), inner...), n.List[i+1:]...)
				break
			}
		}
	case *ast.CaseClause:
		n.Body = shrink(c, n.Body)
	case *ast.StructType:
		n.Fields.List = shrink(c, n.Fields.List)
	case *ast.CompositeLit:
		n.Elts = shrink(c, n.Elts)
	case *ast.IfStmt:
		if n.Else != nil && c.turn() {
			n.Else = nil
		}
	}
	return !c.done
}

// body is what may stand in a statement's place.
func body(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Body.List
	case *ast.BlockStmt:
		return s.List
	case *ast.ForStmt:
		return s.Body.List
	case *ast.LabeledStmt:
		return []ast.Stmt{s.Stmt}
	}
	return nil
}
