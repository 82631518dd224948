package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata/std"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// language is the version of Go that cells are written in: the one that this module names.
const language = gorelease.Name

var registered struct {
	sync.Mutex
	archives []*exportdata.Archive
	err      error
}

// Register adds an archive of packages that cells may import beside the standard library, in the
// parts that the tool interp/symbols/gen wrote. It is called from generated code, before the first
// session; a damaged archive is reported by New.
func Register(parts ...[]byte) {
	a, err := exportdata.Open(parts...)
	registered.Lock()
	defer registered.Unlock()
	if err != nil {
		registered.err = err
		return
	}
	registered.archives = append(registered.archives, a)
}

// refused says why cells cannot import some packages.
var refused = map[string]string{
	"C":            "cgo is not supported in cells: compile the C code into a Go package that the kernel preloads",
	"plugin":       "plugins are not supported in cells: the kernel is built without cgo",
	"runtime/cgo":  "cgo is not supported in cells",
	"runtime/race": "the race detector is not part of the kernel",
}

// A sourced package is made from source, for the bodies of its generic functions.
type sourced struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
	users map[types.Object][]*ast.Ident // of objects of cells; nil in a package of the importer's
	parts parts                         // of a package of the importer's
}

// An importer holds the compiled packages of a session. Each is read when it is first asked for.
// All share one map, which gcexportdata completes: a package named by another's export data and
// later imported is the same package.
type importer struct {
	fset     *token.FileSet
	archives []*exportdata.Archive
	packages map[string]*types.Package // from export data or, where exportdata.FromSource, source
	extended map[string]*types.Package // what import gives for packages with generic names beside others

	mu      sync.RWMutex // of sourced, which engines reach (instance.go)
	sourced map[*types.Package]*sourced
}

// source is the source of a package that was made from it.
func (im *importer) source(pkg *types.Package) *sourced {
	im.mu.RLock()
	defer im.mu.RUnlock()
	return im.sourced[pkg]
}

func newImporter() (*importer, error) {
	library, err := std.Archive()
	if err != nil {
		return nil, err
	}
	registered.Lock()
	defer registered.Unlock()
	if registered.err != nil {
		return nil, registered.err
	}
	return &importer{
		fset:     token.NewFileSet(),
		archives: append([]*exportdata.Archive{library}, registered.archives...),
		packages: map[string]*types.Package{"unsafe": types.Unsafe},
		extended: map[string]*types.Package{},
		sourced:  map[*types.Package]*sourced{},
	}, nil
}

// Import gives the package as cells see it.
func (im *importer) Import(path string) (*types.Package, error) {
	if reason := refused[path]; reason != "" {
		return nil, fmt.Errorf("%s", reason)
	}
	if p := im.extended[path]; p != nil {
		return p, nil
	}
	p, err := im.plain(path)
	if err == nil && (exportdata.Extended(path) || im.generics(path) != nil) {
		return im.extend(p)
	}
	return p, err
}

// generics is the archive that has the generic files of a package beside the standard library's,
// nil where it has none.
func (im *importer) generics(path string) *exportdata.Archive {
	if a := im.archive(path); a != nil && a != im.archives[0] && a.HasSource(path) {
		return a
	}
	return nil
}

// plain gives the package as compiled packages see it: without the generic names of ours.
func (im *importer) plain(path string) (*types.Package, error) {
	if p := im.packages[path]; p != nil && p.Complete() {
		return p, nil
	}
	if exportdata.FromSource(path) {
		return im.fromSource(path)
	}
	return im.fromExport(path)
}

func (im *importer) fromExport(path string) (*types.Package, error) {
	a := im.archive(path)
	if a == nil {
		return nil, fmt.Errorf("package %s is not in the standard library and not preloaded", path)
	}
	// Types made from source have to be there before export data names them.
	needs, err := a.Needs(path)
	if err != nil {
		return nil, err
	}
	for _, need := range needs {
		if _, err := im.plain(need); err != nil {
			return nil, err
		}
	}
	data, err := a.Export(path)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(bytes.NewReader(data), im.fset, im.packages, path)
}

func (im *importer) archive(path string) *exportdata.Archive {
	i := slices.IndexFunc(im.archives, func(a *exportdata.Archive) bool { return a.Has(path) })
	if i < 0 {
		return nil
	}
	return im.archives[i]
}

func (im *importer) fromSource(path string) (*types.Package, error) {
	s, err := im.check(path, im)
	if err != nil {
		return nil, err
	}
	im.packages[path] = s.pkg
	return s.pkg, nil
}

// extend gives a package with the names of p, of which the generic ones are replaced by those that
// our source declares in a package of the same path.
func (im *importer) extend(p *types.Package) (*types.Package, error) {
	s, err := im.check(p.Path(), plainImporter{im})
	if err != nil {
		return nil, err
	}
	all := types.NewPackage(p.Path(), p.Name())
	for _, name := range s.pkg.Scope().Names() {
		if token.IsExported(name) {
			all.Scope().Insert(s.pkg.Scope().Lookup(name))
		}
	}
	for _, name := range p.Scope().Names() {
		all.Scope().Insert(p.Scope().Lookup(name)) // not where the name is there
	}
	all.MarkComplete()
	im.extended[p.Path()] = all
	return all, nil
}

type plainImporter struct{ im *importer }

func (i plainImporter) Import(path string) (*types.Package, error) { return i.im.plain(path) }

// check makes a package from its source.
func (im *importer) check(path string, imports types.Importer) (*sourced, error) {
	files, err := im.sourceOf(path)
	if err != nil {
		return nil, err
	}
	s := &sourced{info: newInfo()}
	for _, f := range files {
		file, err := parser.ParseFile(im.fset, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	conf := types.Config{Importer: imports, Sizes: sizes(), GoVersion: language}
	if s.pkg, err = conf.Check(path, im.fset, s.files, s.info); err != nil {
		return nil, err
	}
	sizesOf(s.files, s.info)
	im.mu.Lock()
	defer im.mu.Unlock()
	im.sourced[s.pkg] = s
	return s, nil
}

func (im *importer) sourceOf(path string) ([]exportdata.File, error) {
	if a := im.generics(path); a != nil {
		return a.Source(path)
	}
	return std.Source(path)
}

func sizes() types.Sizes { return types.SizesFor("gc", runtime.GOARCH) }

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Instances:    map[*ast.Ident]types.Instance{},
		FileVersions: map[*ast.File]string{},
	}
}

// preloaded is the path of a package beside the standard library's that has a name, or nothing.
func (im *importer) preloaded(name string) string {
	for _, a := range im.archives[1:] {
		for _, p := range a.Packages() {
			if path.Base(p) == name && !strings.Contains(p, "/internal/") {
				return p
			}
		}
	}
	return ""
}
