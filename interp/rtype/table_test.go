package rtype_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// declare type-checks a package main and returns it.
func declare(t testing.TB, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", "package main\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func typeOf(pkg *types.Package, name string) types.Type { return pkg.Scope().Lookup(name).Type() }

func newTable(t testing.TB, natives rtype.NativeTypes) *rtype.Table {
	t.Helper()
	table, err := rtype.NewTable(answers{}, natives)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// answers gives every method code that returns zeros, except strings, which say what was called.
type answers struct{}

func (answers) Method(m *rtype.Method) (func([]reflect.Value) []reflect.Value, error) {
	if m.Selection.Obj().Name() == "Fail" {
		return nil, errors.New("refused")
	}
	return func(args []reflect.Value) []reflect.Value {
		var out []reflect.Value
		for r := range m.Type.Outs() {
			v := reflect.New(r).Elem()
			if r.Kind() == reflect.String {
				v.SetString(m.Selection.Obj().Name() + " of " + args[0].Type().String())
			}
			out = append(out, v)
		}
		return out
	}, nil
}

func must(t testing.TB, table *rtype.Table, x types.Type) reflect.Type {
	t.Helper()
	r, err := table.Of(x)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestIdenticalTypesHaveOneDescriptor(t *testing.T) {
	pkg := declare(t, `
type T struct{ n int }
func (T) M() {}
var (
	a struct{ T; _ int }
	b struct{ T; _ int }
	c interface{ M(); m() }
	d interface{ m(); M() }
	e map[struct{ T }][]*T
	f map[struct{ T }][]*T
	g struct{ T "tag"; _ int }
)`)
	table := newTable(t, nil)
	of := func(name string) reflect.Type { return must(t, table, typeOf(pkg, name)) }
	for _, p := range []string{"ab", "cd", "ef"} {
		if of(p[:1]) != of(p[1:]) {
			t.Errorf("%s and %s differ", p[:1], p[1:])
		}
	}
	if of("a") == of("g") {
		t.Error("tags do not distinguish structs")
	}
	if x, ok := table.Lookup(rtype.WordOf(of("T"))); !ok || x != typeOf(pkg, "T") {
		t.Error("Lookup of T:", x, ok)
	}
	if _, ok := table.Lookup(rtype.WordOf(reflect.TypeFor[int]())); ok {
		t.Error("Lookup finds a compiled type")
	}
	if r := table.StructOf([]reflect.StructField{
		{Name: "T", Type: of("T"), Anonymous: true}, {Name: "_", PkgPath: "main", Type: reflect.TypeFor[int]()},
	}); r != of("a") {
		t.Error("StructOf makes a second descriptor")
	}
}

func TestLocalTypesOfGenericFunctions(t *testing.T) {
	pkg := declare(t, "type P[K any] struct{ k K }; func F[T any]() { type L struct{ x T } }; func G() { type L int; { type L string } }")
	fresh := func(x types.Type) *types.Named { // as go/ssa copies a local type for an instance
		obj := types.NewTypeName(token.NoPos, pkg, "L", nil)
		return types.NewNamed(obj, x, nil)
	}
	table := newTable(t, nil)
	l := fresh(types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, "x", types.Typ[types.Int], false)}, nil))
	table.Local(l.Obj(), []types.Type{types.Typ[types.Int]})
	if s := must(t, table, l).String(); s != "main.L[int]" {
		t.Error(s)
	}
	again, other := fresh(l.Underlying()), fresh(l.Underlying()) // of other builds of the same function
	table.Local(again.Obj(), []types.Type{types.Typ[types.Int]})
	table.Local(other.Obj(), []types.Type{types.Typ[types.Int8]})
	if must(t, table, again) != must(t, table, l) || must(t, table, other) == must(t, table, l) {
		t.Error("a local type is one for each place and type arguments")
	}
	var locals []types.Type
	for i := range pkg.Scope().NumChildren() {
		collectLocals(pkg.Scope().Child(i), &locals)
	}
	var names []string
	for _, l := range locals {
		p, err := types.Instantiate(nil, typeOf(pkg, "P"), []types.Type{l}, true)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, must(t, table, l).String()+" "+must(t, table, p).String())
	}
	if s := fmt.Sprint(names); s != "[main.L main.P[main.L·2] main.L main.P[main.L·3]]" {
		t.Error(s)
	}
}

func collectLocals(s *types.Scope, out *[]types.Type) {
	for _, n := range s.Names() {
		if t, ok := s.Lookup(n).(*types.TypeName); ok {
			if u, ok := t.Type().(*types.Named); ok && u.String() != "main.L" || ok && types.Identical(u.Underlying(), u.Underlying()) && !strings.Contains(u.Underlying().String(), "T") {
				*out = append(*out, t.Type())
			}
		}
	}
	for i := range s.NumChildren() {
		collectLocals(s.Child(i), out)
	}
}

func TestRefusals(t *testing.T) {
	pkg := declare(t, `
type G[T any] struct{ x T }
type C interface{ ~int }
var many func(`+strings.Repeat("int,", 140)+`)
var big [1<<47]int
`)
	bufio := types.NewPackage("bufio", "bufio") // as if export data were of another release
	absent := types.NewNamed(types.NewTypeName(token.NoPos, bufio, "Absent", nil), types.NewStruct(nil, nil), nil)
	bufio.Scope().Insert(absent.Obj())
	pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, "absent", absent))
	holder := types.NewTypeName(token.NoPos, pkg, "Holder", nil)
	n := types.NewNamed(holder, nil, nil)
	n.SetUnderlying(types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, pkg, "next", types.NewPointer(n), false), types.NewField(token.NoPos, pkg, "a", absent, false),
	}, nil))
	pkg.Scope().Insert(holder)
	table := newTable(t, natives{})
	for name, want := range map[string]string{
		"G":      "no runtime type for main.G[T any]: a generic type has none before it is instantiated",
		"absent": "no runtime type for bufio.Absent: package bufio is compiled into this binary, but this type is not reachable in it",
		"many":   "too many arguments",
		"big":    "larger than the address space",
		"Holder": "no runtime type for bufio.Absent",
	} {
		_, err := table.Of(typeOf(pkg, name))
		var te *rtype.TypeError
		if !errors.As(err, &te) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		_, again := table.Of(typeOf(pkg, name))
		if fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%s: the second answer is %v, the first was %v: something half made is left", name, again, err)
		}
	}
	param := pkg.Scope().Lookup("G").Type().(*types.Named).TypeParams().At(0)
	if _, err := table.Of(types.NewSlice(param)); err == nil {
		t.Error("a type parameter has a runtime type")
	}
}

func TestMethodThatIsRefused(t *testing.T) {
	pkg := declare(t, "type T int; func (T) Fail(); func (T) String() string")
	v := reflect.New(must(t, newTable(t, nil), typeOf(pkg, "T"))).Elem()
	if s := v.Interface().(fmt.Stringer).String(); s != "String of *main.T" && s != "String of main.T" {
		t.Error(s)
	}
	defer func() {
		if e := recover(); fmt.Sprint(e) != "refused" {
			t.Error("panic:", e)
		}
	}()
	v.Interface().(interface{ Fail() }).Fail()
}

// compiledPackages answers for a few packages as the generated symbols do.
type compiledPackages struct{ natives }

func (compiledPackages) NativeValue(path, name string) (reflect.Value, bool) {
	if path == "encoding/binary" && name == "LittleEndian" {
		return reflect.ValueOf(binary.LittleEndian), true
	}
	return reflect.Value{}, false
}

func TestUnexportedCompiledTypes(t *testing.T) {
	pkg := declare(t, `
import ("encoding/binary"; "testing"; "strings")
var order = binary.LittleEndian
type MyT testing.B
type R strings.Replacer
`)
	table := newTable(t, compiledPackages{natives{
		"testing.T": reflect.TypeFor[testing.T](), "testing.B": reflect.TypeFor[testing.B](),
		"strings.Replacer": reflect.TypeFor[strings.Replacer](), "sync.Once": reflect.TypeFor[sync.Once](),
	}})
	if r := must(t, table, typeOf(pkg, "order")); r != reflect.TypeOf(binary.LittleEndian) {
		t.Error(r)
	}
	my, err := table.Of(typeOf(pkg, "R"))
	if err != nil {
		t.Fatal(err)
	}
	if my.String() != "main.R" || my.Field(2).Type != reflect.TypeFor[strings.Replacer]().Field(2).Type {
		t.Error(my, my.Field(2).Type)
	}
}

func TestBind(t *testing.T) {
	pkg := declare(t, "func F(x interface{ M(struct{ a int }) }, y struct{ error }) { }; var i interface{ M(struct{ a int }) }; var s struct{ error }; var n int")
	table := newTable(t, nil)
	compiled := reflect.TypeFor[func(interface{ M(struct{ a int }) }, struct{ error })]()
	if err := table.Bind(pkg.Scope().Lookup("F").Type(), compiled); err == nil {
		t.Error("an unexported field of another package is taken for ours") // its package differs
	}
	table = newTable(t, nil)
	pkg = declare(t, `import "fmt"; func F(x interface{ M(struct{ A int }) }, y struct{ fmt.Stringer }) { }; var i interface{ M(struct{ A int }) }; var s struct{ fmt.Stringer }; var n int`)
	compiled = reflect.TypeFor[func(interface{ M(struct{ A int }) }, struct{ fmt.Stringer })]()
	if err := table.Bind(pkg.Scope().Lookup("F").Type(), compiled); err != nil {
		t.Fatal(err)
	}
	if must(t, table, typeOf(pkg, "i")) != compiled.In(0) || must(t, table, typeOf(pkg, "s")) != compiled.In(1) {
		t.Error("a bound type has a second descriptor")
	}
	var te *rtype.TypeError
	if err := table.Bind(typeOf(pkg, "n"), reflect.TypeFor[string]()); !errors.As(err, &te) {
		t.Error(err)
	}
}

func TestConcurrentOf(t *testing.T) {
	pkg := declare(t, "type T struct{ next *T; m map[string]T; s []U }; type U struct{ *T; i interface{ M(U) } }; func (*T) String() string")
	table := newTable(t, nil)
	var wg sync.WaitGroup
	got := make([]reflect.Type, 8)
	for i := range got {
		wg.Go(func() { got[i] = must(t, table, types.NewSlice(typeOf(pkg, []string{"T", "U"}[i%2]))) })
	}
	wg.Wait()
	for i := range got {
		if got[i] != got[i%2] {
			t.Error("two descriptors")
		}
	}
	if s := fmt.Sprint(reflect.New(got[1].Elem()).Elem().FieldByName("T").Interface().(fmt.Stringer).String()); s != "String of *main.T" {
		t.Error(s)
	}
}

// Values of made types keep what they point to, and nothing else, alive.
func TestGarbageCollection(t *testing.T) {
	pkg := declare(t, `
type T struct { a int8; p *int; s [3]struct{ n int; e error; m map[string]*T }; f func(); i any; c string; u []*T }
type Big [20000]struct{ n int; p *int }`)
	table := newTable(t, nil)
	for _, name := range []string{"T", "Big"} {
		r := must(t, table, typeOf(pkg, name))
		v := reflect.New(r)
		offs := rtype.PointerOffsets(nil, r, 0)
		fill := func(round int) {
			for i, o := range offs {
				if w := reflect.NewAt(reflect.TypeFor[*int](), addOffset(v, o)).Elem(); i%7 == round%7 && kindAt(r, o) == reflect.Pointer {
					n := new(int)
					*n = int(o)
					w.Set(reflect.ValueOf(n))
				}
			}
		}
		for round := range 8 {
			fill(round)
			runtime.GC()
			garbage = make([]byte, 1<<16)
			for _, o := range offs {
				if p := reflect.NewAt(reflect.TypeFor[*int](), addOffset(v, o)).Elem().Interface().(*int); p != nil && kindAt(r, o) == reflect.Pointer && *p != int(o) {
					t.Fatalf("%s: the pointer at %d shows %d", name, o, *p)
				}
			}
		}
	}
}

var garbage []byte

func TestStubs(t *testing.T) {
	before := rtype.StubsUsed()
	pkg := declare(t, "type T struct{ a, b int }; func (T) Value(); func (*T) Pointer(); func (T) private()")
	table := newTable(t, nil)
	must(t, table, typeOf(pkg, "T"))
	if n := rtype.StubsUsed() - before; n != 4 { // Value two, Pointer one, private one
		t.Error("stubs for three methods:", n)
	}
}

// Instances that the binary has are the binary's; those over cell types, and those it lacks, are made.
func TestInstancesOfCompiledTypes(t *testing.T) {
	pkg := declare(t, `
import ("iter"; "sync/atomic")
type T struct{}
var compiled iter.Seq[string]
var cell iter.Seq[T]
var rare atomic.Pointer[[77]uint16]
`)
	table := newTable(t, natives{})
	linkedIn := reflect.TypeOf(strings.SplitSeq("", ""))
	if r := must(t, table, typeOf(pkg, "compiled")); r != linkedIn {
		t.Errorf("%s is not the type that strings.SplitSeq returns", r)
	}
	if r := must(t, table, typeOf(pkg, "cell")); r.String() != "iter.Seq[main.T]" || r.PkgPath() != "iter" {
		t.Error(r, r.PkgPath())
	}
	if r := must(t, table, typeOf(pkg, "rare")); r.String() != "atomic.Pointer[[77]uint16]" {
		t.Error(r)
	}
}
