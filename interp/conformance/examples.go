package conformance

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An Example is a program made of an Example function.
type Example struct {
	File   string // its name
	Source string // the directory of its package, where the go command runs it
}

// WriteExamples makes a program of every Example function of the standard library that has an
// Output comment and stands alone (go/doc's playground form), in dir, with what it must print
// beside it.
func WriteExamples(ctx context.Context, dir string) ([]Example, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}", "std").Output()
	if err != nil {
		return nil, fmt.Errorf("go list std: %w", err)
	}
	var all []Example
	for line := range strings.Lines(string(out)) {
		path, src, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.Contains(path, "internal/") || strings.HasPrefix(path, "internal") || strings.HasPrefix(path, "vendor/") {
			continue
		}
		es, err := packageExamples(dir, path, src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, es...)
	}
	return all, nil
}

func packageExamples(dir, path, src string) (all []Example, err error) {
	tests, err := filepath.Glob(filepath.Join(src, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, test := range tests {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, test, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if hasConstraint(f) {
			continue
		}
		for _, e := range doc.Examples(f) {
			if e.Play == nil || e.Output == "" && !e.EmptyOutput {
				continue
			}
			name := strings.ReplaceAll(path, "/", "_") + "." + strings.TrimSuffix(filepath.Base(test), "_test.go") + "." + e.Name
			if err := writeExample(filepath.Join(dir, name), fset, e); err != nil {
				return nil, err
			}
			all = append(all, Example{name + ".go", src})
		}
	}
	return all, nil
}

func hasConstraint(f *ast.File) bool {
	for _, g := range f.Comments {
		if g.Pos() < f.Package && strings.Contains(g.Text(), "ignore") || strings.HasPrefix(g.List[0].Text, "//go:build") {
			return true
		}
	}
	return false
}

// ExampleEnv is the environment in which the examples are right: those of package time are for the
// time zone that its tests are for.
func ExampleEnv() []string { return append(os.Environ(), "TZ=America/Los_Angeles") }

// writeExample keeps the places of the source: examples show them.
func writeExample(base string, fset *token.FileSet, e *doc.Example) error {
	var text bytes.Buffer
	if err := (&printer.Config{Mode: printer.TabIndent | printer.SourcePos, Tabwidth: 8}).Fprint(&text, fset,
		e.Play); err != nil {
		return err
	}
	ext := ".example"
	if e.Unordered {
		ext = ".unordered"
	}
	if err := os.WriteFile(base+".go", text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(base+ext, []byte(e.Output), 0o644)
}
