package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata/std"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

// TestEverySymbol imports the whole standard library: every exported function, variable and type
// that is not generic has its compiled counterpart, and every generic one has source.
func TestEverySymbol(t *testing.T) {
	im, err := newImporter()
	if err != nil {
		t.Fatal(err)
	}
	library, _ := std.Archive()
	for _, path := range library.Packages() {
		p, err := im.Import(path)
		if err != nil {
			t.Errorf("import %s: %v", path, err)
			continue
		}
		for _, name := range p.Scope().Names() {
			o := p.Scope().Lookup(name)
			if o.Exported() {
				checkSymbol(t, im, path, o)
			}
		}
	}
}

// sourceless are generic functions that need the inside of their package: a cell that names one is
// refused (refuseBodiless).
var sourceless = []string{
	"encoding/json/v2.MarshalFunc", "encoding/json/v2.MarshalToFunc",
	"encoding/json/v2.UnmarshalFunc", "encoding/json/v2.UnmarshalFromFunc",
}

func checkSymbol(t *testing.T, im *importer, path string, o types.Object) {
	t.Helper()
	if generic(o) {
		if im.sourced[o.Pkg()] == nil && !slices.Contains(sourceless, path+"."+o.Name()) {
			t.Errorf("%s.%s is generic and has no source", path, o.Name())
		}
		return
	}
	ok := true
	switch o := o.(type) {
	case *types.Func, *types.Var:
		_, ok = symbols.Lookup(path, o.Name())
	case *types.TypeName:
		if i, is := o.Type().Underlying().(*types.Interface); !is || i.IsMethodSet() {
			_, ok = symbols.Type(path, o.Name())
		}
	}
	if !ok {
		t.Errorf("%s.%s has no symbol", path, o.Name())
	}
}

// TestOneIdentity: a type made from source is the one that export data names, in any order.
func TestOneIdentity(t *testing.T) {
	for _, order := range [][]string{{"strings", "iter", "slices"}, {"slices", "strings", "iter"},
		{"net/http", "sync/atomic"}, {"net/netip", "unique"}} {
		im, err := newImporter()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range order {
			if _, err := im.Import(path); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[string]*types.Package{}
		for _, p := range im.packages {
			for _, q := range p.Imports() {
				if exportdata.FromSource(q.Path()) {
					if old := seen[q.Path()]; old != nil && old != q {
						t.Errorf("%v: two packages %s", order, q.Path())
					}
					seen[q.Path()] = q
				}
			}
		}
	}
	im, _ := newImporter()
	strings, _ := im.Import("strings")
	iter, _ := im.Import("iter")
	seq := strings.Scope().Lookup("SplitSeq").Type().(*types.Signature).Results().At(0).Type().(*types.Named)
	if seq.Obj() != iter.Scope().Lookup("Seq") {
		t.Error("strings.SplitSeq does not give the Seq of package iter")
	}
}

func TestRefusedImports(t *testing.T) {
	im, _ := newImporter()
	for _, path := range []string{"C", "plugin", "no/such/package", "internal/abi"} {
		if _, err := im.Import(path); err == nil {
			t.Errorf("import %q is allowed", path)
		} else if !token.IsExported("X") || err.Error() == "" {
			t.Errorf("import %q: %v", path, err)
		}
	}
}

func BenchmarkNewImporter(b *testing.B) {
	for b.Loop() {
		im, _ := newImporter()
		im.Import("fmt")
	}
}

func BenchmarkImportHTTP(b *testing.B) {
	for b.Loop() {
		im, _ := newImporter()
		im.Import("net/http")
	}
}

// TestSourceIsWhole: what generic source calls and has no body is compiled.
func TestSourceIsWhole(t *testing.T) {
	im, err := newImporter()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(exportdata.SourcePackages(), exportdata.ExtendedPackages()...) {
		if _, err := im.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	for pkg, s := range im.sourced {
		called := map[types.Object]bool{}
		for _, o := range s.info.Uses {
			called[o] = true
		}
		for _, f := range s.files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !fn.Name.IsExported() && !called[s.info.Defs[fn.Name]] {
					continue
				}
				found := false
				if r := receiver(fn); r != "" {
					typ, ok := symbols.Type(pkg.Path(), r)
					if ok {
						_, found = reflect.PointerTo(typ).MethodByName(fn.Name.Name)
					}
				} else {
					_, found = symbols.Lookup(pkg.Path(), fn.Name.Name)
				}
				if plain := s.info.Defs[fn.Name]; !generic(plain) && !genericReceiver(plain) && (fn.Body != nil || !found) {
					t.Errorf("%s: %v is not generic: body %v, compiled %v", pkg.Path(), plain, fn.Body != nil, found)
				}
			}
		}
	}
}

func genericReceiver(o types.Object) bool {
	return o.Type().(*types.Signature).RecvTypeParams().Len() > 0
}
