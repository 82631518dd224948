package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// A Partial is what go/types makes of a text that need not be right.
type Partial struct {
	Fset *token.FileSet
	File *ast.File
	Info *types.Info
	Pkg  *types.Package
	// Earlier is the scope of the names that earlier cells declared, Imports those of packages.
	Earlier *types.Scope
	Imports map[string]string
}

// Partial checks a text as far as it goes, for completion and inspection. It fails only where the
// text does not parse.
func (c *Checker) Partial(src string) (p *Partial, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, &Fault{Value: r}
		}
	}()
	split, err := cell.Split(0, src)
	if err != nil {
		return nil, err
	}
	for name, d := range c.givenMethods(split, declaredTypes(split)) {
		if err := c.adopt(split, name, d); err != nil {
			return nil, err
		}
	}
	l := lower(split)
	c.addImports(l)
	run := c.run(l, nil, nil)
	imports := map[string]string{}
	for name, path := range c.env.imports {
		imports[name] = path
	}
	return &Partial{split.Fset, l.file, run.info, run.pkg, run.scope, imports}, nil
}

// Package gives a package that cells may import.
func (c *Checker) Package(path string) (*types.Package, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.im.Import(path)
}

// PackageNamed is the standard library's package that a name stands for where nothing declares it.
func (c *Checker) PackageNamed(name string) (*types.Package, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, path := range byName(name) {
		if p, err := c.im.Import(path); err == nil {
			return p, true
		}
	}
	return nil, false
}

// Guesses reports whether a name that nothing declares may stand for a package that no cell has
// imported.
func (c *Checker) Guesses(name string) bool { return len(byName(name)) > 0 }

// Means is the package that a name stands for in a cell that does not declare it: an import of an
// earlier cell's, else the standard library's, where no earlier cell declared the name.
func (c *Checker) Means(name string) (*types.Package, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.env.objects[name] != nil {
		return nil, false
	}
	paths := byName(name)
	if path := c.env.imports[name]; path != "" {
		paths = []string{path}
	}
	for _, path := range paths {
		if p, err := c.im.Import(path); err == nil {
			return p, true
		}
	}
	return nil, false
}

// Packages lists the import paths that cells may import.
func (c *Checker) Packages() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var paths []string
	for _, a := range c.im.archives {
		paths = append(paths, a.Packages()...)
	}
	return paths
}

// Doc is the comment of a package's exported name; of the package itself under "", of a method or
// field under Type.Name. Empty where there is none.
func (c *Checker) Doc(path, name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.im.archive(path)
	if a == nil {
		return ""
	}
	docs, err := a.Docs(path)
	if err != nil {
		return ""
	}
	return docs[name]
}
