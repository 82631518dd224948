package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A platform is one that the binary is built for.
type platform struct{ os, arch string }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// A source is one package as go list tells it, and checked.
type source struct {
	ImportPath, Dir, Name string
	GoFiles               []string
	ImportMap             map[string]string
	Standard              bool

	fset  *token.FileSet
	files []*ast.File
	types *types.Package
}

// public reports whether cells may import the package.
func (s *source) public() bool {
	return !strings.HasPrefix(s.ImportPath, "vendor/") && !strings.HasPrefix(s.ImportPath, "cmd/") &&
		!strings.HasPrefix(s.ImportPath, "internal/") && !strings.Contains(s.ImportPath, "/internal") &&
		!refused[s.ImportPath]
}

// refused are packages that a cell cannot have: they need cgo or a build of their own. Package
// check names the reason.
var refused = map[string]bool{"plugin": true, "runtime/cgo": true, "runtime/race": true, "unsafe": true}

// A world is a set of packages, closed under import, on one platform.
type world struct {
	platform
	order []*source // imports first
	by    map[string]*source
}

// load lists the packages and what they import, and type-checks them without bodies.
func load(p platform, patterns ...string) (*world, error) {
	w := &world{platform: p, by: map[string]*source{}}
	if err := w.list(patterns); err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, s := range w.order {
		s.fset = fset
		if err := w.check(s); err != nil {
			return nil, fmt.Errorf("%s on %s/%s: %w", s.ImportPath, p.os, p.arch, err)
		}
	}
	return w, nil
}

func (w *world) list(patterns []string) error {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Dir,Name,GoFiles,ImportMap,Standard"},
		patterns...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOOS="+w.os, "GOARCH="+w.arch)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		s := new(source)
		switch err := dec.Decode(s); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		w.order = append(w.order, s)
		w.by[s.ImportPath] = s
	}
}

func (w *world) check(s *source) error {
	if s.ImportPath == "unsafe" {
		s.types = types.Unsafe
		return nil
	}
	for _, name := range s.GoFiles {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
	}
	conf := types.Config{IgnoreFuncBodies: true, Sizes: types.SizesFor("gc", w.arch), Importer: importer{w, s}}
	var err error
	s.types, err = conf.Check(s.ImportPath, s.fset, s.files, nil)
	return err
}

// An importer resolves the imports of one package.
type importer struct {
	w *world
	s *source
}

func (i importer) Import(path string) (*types.Package, error) {
	if real := i.s.ImportMap[path]; real != "" {
		path = real
	}
	if s := i.w.by[path]; s != nil {
		return s.types, nil
	}
	return nil, fmt.Errorf("go list did not name %s", path)
}
