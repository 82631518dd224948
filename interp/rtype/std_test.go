package rtype_test

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata/std"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

// stdImporter reads the standard library as the binary embeds it.
type stdImporter struct {
	fset     *token.FileSet
	packages map[string]*types.Package
	source   types.Importer // of the packages whose types have no export data
}

func (i *stdImporter) Import(path string) (*types.Package, error) {
	if p := i.packages[path]; path == "unsafe" || p != nil && p.Complete() {
		if p == nil {
			p = types.Unsafe
		}
		return p, nil
	}
	if exportdata.FromSource(path) {
		return i.fromSource(path)
	}
	library, err := std.Archive()
	if err != nil {
		return nil, err
	}
	needs, err := library.Needs(path)
	if err != nil {
		return nil, err
	}
	for _, n := range needs {
		if _, err := i.Import(n); err != nil {
			return nil, err
		}
	}
	data, err := library.Export(path)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(bytes.NewReader(data), i.fset, i.packages, path)
}

func (i *stdImporter) fromSource(path string) (*types.Package, error) {
	p, err := i.source.Import(path)
	if err == nil {
		i.packages[path] = p
	}
	return p, err
}

// stdNatives are the compiled types and values of the standard library.
type stdNatives struct{}

func (stdNatives) NativeType(path, name string) (reflect.Type, bool) { return symbols.Type(path, name) }
func (stdNatives) NativeValue(path, name string) (reflect.Value, bool) {
	return symbols.Lookup(path, name)
}
func (stdNatives) Compiled(path string) bool { return !exportdata.FromSource(path) }

// Every exported type of the standard library is the compiled one, and a type declared with its
// underlying type is laid out as the compiler laid it out.
func TestStandardLibrary(t *testing.T) {
	library, err := std.Archive()
	if err != nil {
		t.Fatal(err)
	}
	imp := &stdImporter{token.NewFileSet(), map[string]*types.Package{}, importer.ForCompiler(token.NewFileSet(), "source", nil)}
	table, err := rtype.NewTable(answers{}, stdNatives{})
	if err != nil {
		t.Fatal(err)
	}
	cells := types.NewPackage("main", "main")
	count, missing := 0, []string{}
	for _, path := range library.Packages() {
		if strings.HasPrefix(path, "vendor/") || strings.Contains(path, "internal/") || strings.HasPrefix(path, "internal") {
			continue
		}
		pkg, err := imp.Import(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() || obj.IsAlias() {
				continue
			}
			named := obj.Type().(*types.Named)
			if i, ok := named.Underlying().(*types.Interface); named.TypeParams().Len() > 0 || ok && !i.IsMethodSet() {
				continue
			}
			compiled, err := table.Of(named)
			if err != nil {
				missing = append(missing, fmt.Sprint(path, ".", name, ": ", err))
				continue
			}
			count++
			own := types.NewNamed(types.NewTypeName(token.NoPos, cells, name, nil), named.Underlying(), nil)
			made, err := table.Of(own)
			if err != nil {
				missing = append(missing, fmt.Sprint("type main.", name, " ", path, ".", name, ": ", err))
				continue
			}
			sameLayout(t, path, made, compiled)
		}
	}
	t.Logf("%d types", count)
	if len(missing) > 0 {
		t.Errorf("%d types are missing:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

func sameLayout(t *testing.T, path string, made, compiled reflect.Type) {
	if a, b := memory(made), memory(compiled); a != b && !strings.HasPrefix(compiled.String(), "runtime.Frame") { // pointers to what is outside the heap
		t.Errorf("%s.%s: made %s\ncompiled %s", path, compiled, a, b)
	}
	if made.Kind() == reflect.Struct {
		for i := range made.NumField() {
			x, y := made.Field(i), compiled.Field(i)
			if x.Name != y.Name || x.Type != y.Type || x.Offset != y.Offset || x.PkgPath != y.PkgPath || x.Tag != y.Tag {
				t.Errorf("%s.%s: field %s %s, compiled %s %s", path, compiled, x.Name, x.Type, y.Name, y.Type)
			}
		}
	}
}
