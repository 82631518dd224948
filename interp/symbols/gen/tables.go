package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/unrestricted"
)

// A symbol is a name that a table has an entry for.
type symbol struct {
	name   string
	object types.Object
}

// symbolsOf lists the package's exported functions, variables and types that have one value or type
// each: generic ones and constants have none.
func symbolsOf(p *types.Package) []symbol {
	var list []symbol
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() || isGeneric(o) {
			continue
		}
		switch o := o.(type) {
		case *types.Func, *types.Var:
			list = append(list, symbol{name, o})
		case *types.TypeName:
			if i, ok := o.Type().Underlying().(*types.Interface); !ok || i.IsMethodSet() {
				list = append(list, symbol{name, o})
			}
		}
	}
	return list
}

func isGeneric(o types.Object) bool {
	switch t := o.Type().(type) {
	case *types.Signature:
		return t.TypeParams().Len() > 0
	case *types.Named:
		return t.TypeParams().Len() > 0
	case *types.Alias:
		return t.TypeParams().Len() > 0
	}
	return false
}

// expr is the entry's Go expression.
func (s symbol) expr(pkg string) string {
	switch s.object.(type) {
	case *types.Func:
		return fmt.Sprintf("reflect.ValueOf(%s.%s)", pkg, s.name)
	case *types.Var:
		return fmt.Sprintf("reflect.ValueOf(&%s.%s).Elem()", pkg, s.name)
	}
	return fmt.Sprintf("reflect.ValueOf((*%s.%s)(nil))", pkg, s.name)
}

// A gapTable is what one package's yaegi table lacks.
type gapTable struct {
	path    string
	symbols []symbol
}

// writeStdTables writes what yaegi's tables of the standard library lack at this release: one file
// for the names that all platforms lack, one a platform for the rest.
func writeStdTables(dir string) error {
	r, err := thisRelease()
	if err != nil {
		return err
	}
	lacking := map[platform]map[string][]symbol{}
	var order []string
	for _, p := range platforms {
		w, err := load(p, "std")
		if err != nil {
			return err
		}
		have, err := yaegiSyscall(p)
		if err != nil {
			return err
		}
		lacking[p] = map[string][]symbol{}
		for _, s := range w.order {
			if !s.public() {
				continue
			}
			if !slices.Contains(order, s.ImportPath) {
				order = append(order, s.ImportPath)
			}
			lacking[p][s.ImportPath] = lacks(s, have)
		}
	}
	slices.Sort(order)
	common := split(order, lacking)
	file := filepath.Join(dir, "std_gaps"+r.suffix())
	if err := writeTables(file+".go", r.constraint(), "", common); err != nil {
		return err
	}
	for _, p := range platforms {
		var rest []gapTable
		for _, path := range order {
			if own := lacking[p][path]; len(own) > 0 {
				rest = append(rest, gapTable{path, own})
			}
		}
		if err := writeTables(file+"_"+p.os+"_"+p.arch+".go", r.constraint(), "_here", rest); err != nil {
			return err
		}
	}
	return nil
}

// split takes out of lacking what all platforms lack.
func split(order []string, lacking map[platform]map[string][]symbol) []gapTable {
	var common []gapTable
	for _, path := range order {
		count := map[string]int{}
		for _, p := range platforms {
			for _, s := range lacking[p][path] {
				count[s.name]++
			}
		}
		var shared []symbol
		for i, p := range platforms {
			everywhere := func(s symbol) bool { return count[s.name] == len(platforms) }
			if i == 0 {
				for _, s := range lacking[p][path] {
					if everywhere(s) {
						shared = append(shared, s)
					}
				}
			}
			lacking[p][path] = slices.DeleteFunc(lacking[p][path], everywhere)
		}
		if len(shared) > 0 {
			common = append(common, gapTable{path, shared})
		}
	}
	return common
}

func lacks(s *source, syscall map[string]bool) []symbol {
	return slices.DeleteFunc(symbolsOf(s.types), func(sym symbol) bool {
		key := s.ImportPath + "/" + s.Name
		if s.ImportPath == "syscall" && syscall[sym.name] {
			return true
		}
		_, plain := stdlib.Symbols[key][sym.name]
		_, full := unrestricted.Symbols[key][sym.name]
		// yaegi puts wrappers of its own in the place of these.
		if s.ImportPath == "log" && (sym.name == "New" || sym.name == "Logger") {
			return full
		}
		return plain || full
	})
}

// yaegiSyscall reads the names in yaegi's table of package syscall for a platform.
func yaegiSyscall(p platform) (map[string]bool, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/traefik/yaegi").Output()
	if err != nil {
		return nil, fmt.Errorf("where is yaegi: %w", err)
	}
	name := fmt.Sprintf("go1_22_syscall_%s_%s.go", p.os, p.arch)
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "stdlib", "syscall",
		name), nil, 0)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.BasicLit); ok {
				s, err := strconv.Unquote(key.Value)
				have[s] = err == nil
			}
		}
		return true
	})
	return have, nil
}

// writeTables writes a file of package symbols. suffix keeps the names of a platform's functions
// apart from the common ones.
func writeTables(file, constraint, suffix string, tables []gapTable) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by interp/symbols/gen. DO NOT EDIT.\n\n%spackage symbols\n", constraint)
	if len(tables) > 0 {
		b.WriteString("\nimport (\n\t\"reflect\"\n\n")
		for _, t := range tables {
			if t.path != "reflect" { // imported for the entries
				fmt.Fprintf(&b, "\t%s %q\n", alias(t.path), t.path)
			}
		}
		b.WriteString(")\n\nfunc init() {\n")
		for _, t := range tables {
			fmt.Fprintf(&b, "\tgaps[%q] = append(gaps[%q], %s)\n", t.path, t.path, "gap_"+alias(t.path)+suffix)
		}
		b.WriteString("}\n")
		for _, t := range tables {
			fmt.Fprintf(&b, "\nfunc %s() Table {\n\treturn Table{\n", "gap_"+alias(t.path)+suffix)
			writeEntries(&b, alias(t.path), t.symbols)
			b.WriteString("\t}\n}\n")
		}
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func writeEntries(b *bytes.Buffer, pkg string, symbols []symbol) {
	for _, s := range symbols {
		fmt.Fprintf(b, "%q: %s,\n", s.name, s.expr(pkg))
	}
}

// alias is an import path as an identifier.
func alias(path string) string {
	return strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(path)
}
