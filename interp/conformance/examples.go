package conformance

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// WriteExamples makes a program of every Example function of the standard library that has an Output comment and stands alone
// (go/doc's playground form), in dir, with what it must print beside it, and returns the files' names.
func WriteExamples(ctx context.Context, dir string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}", "std").Output()
	if err != nil {
		return nil, fmt.Errorf("go list std: %w", err)
	}
	var files []string
	for line := range strings.Lines(string(out)) {
		path, src, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.Contains(path, "internal/") || strings.HasPrefix(path, "internal") || strings.HasPrefix(path, "vendor/") {
			continue
		}
		fs, err := packageExamples(dir, path, src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, fs...)
	}
	return files, nil
}

func packageExamples(dir, path, src string) (names []string, err error) {
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
			names = append(names, name+".go")
		}
	}
	return names, nil
}

func hasConstraint(f *ast.File) bool {
	for _, g := range f.Comments {
		if g.Pos() < f.Package && strings.Contains(g.Text(), "ignore") || strings.HasPrefix(g.List[0].Text, "//go:build") {
			return true
		}
	}
	return false
}

func writeExample(base string, fset *token.FileSet, e *doc.Example) error {
	var text bytes.Buffer
	if err := format.Node(&text, fset, e.Play); err != nil {
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
