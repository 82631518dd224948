package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/vyre-kernel/vyre-kernel"
)

// A file is a Go file of the tree.
type file struct {
	path      string // from the root
	text      string
	syntax    *ast.File
	set       *token.FileSet
	generated bool
}

func (f *file) folder() string { return path.Dir(f.path) }

func (f *file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// files are all Go files of this module, for every system and architecture.
func files(t *testing.T) []*file {
	t.Helper()
	all, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 500 {
		t.Fatalf("%d files: this is not the whole tree", len(all))
	}
	return all
}

var readTree = sync.OnceValues(func() (all []*file, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return skipFolder(p, d.Name())
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		f, err := readFile(p, rel)
		all = append(all, f)
		return err
	})
	return all, err
})

// skipFolder leaves out what the go command leaves out, and other modules.
func skipFolder(p, name string) error {
	if p == root {
		return nil
	}
	if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func readFile(p, rel string) (*file, error) {
	b, err := os.ReadFile(p)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, rel, b, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{path: rel, text: string(b), syntax: syntax, set: set, generated: ast.IsGenerated(syntax)}, nil
}

// packages are the folders that hold Go files other than tests, with those files.
func packages(t *testing.T) map[string][]*file {
	t.Helper()
	byFolder := map[string][]*file{}
	for _, f := range files(t) {
		if !f.test() && !ignored(f) {
			byFolder[f.folder()] = append(byFolder[f.folder()], f)
		}
	}
	return byFolder
}

// ignored reports whether no build takes a file: programs that go:generate runs.
func ignored(f *file) bool {
	return slices.ContainsFunc(f.syntax.Comments, func(g *ast.CommentGroup) bool {
		return g.Pos() < f.syntax.Package && slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
			return c.Text == "//go:build ignore"
		})
	})
}
