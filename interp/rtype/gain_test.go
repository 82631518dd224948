package rtype_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// gain gives a type a method without parameters that returns result.
func gain(pkg *types.Package, name, method string, pointer bool, results ...types.Type) {
	var recv types.Type = typeOf(pkg, name)
	if pointer {
		recv = types.NewPointer(recv)
	}
	var vars []*types.Var
	for _, r := range results {
		vars = append(vars, types.NewVar(token.NoPos, pkg, "", r))
	}
	sig := types.NewSignatureType(types.NewVar(token.NoPos, pkg, "t", recv), nil, nil, nil, types.NewTuple(vars...), false)
	typeOf(pkg, name).(*types.Named).AddMethod(types.NewFunc(token.NoPos, pkg, method, sig))
}

// declared are the types of a package.
func declared(pkg *types.Package) (names []*types.TypeName) {
	for _, n := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(n).(*types.TypeName); ok {
			names = append(names, t)
		}
	}
	return names
}

func apply(t *testing.T, table *rtype.Table, pkg *types.Package) {
	t.Helper()
	g, err := table.Gain(declared(pkg)...)
	if err != nil {
		t.Fatal(err)
	}
	g.Apply()
}

var text = types.Typ[types.String]

func TestGain(t *testing.T) {
	pkg := declare(t, `
type T struct{ A int }
func (T) Middle() string { return "" }
type U struct { T; B int }
type P struct { *T }
var Anonymous struct { T }
`)
	table := newTable(t, nil)
	rt := must(t, table, typeOf(pkg, "T"))
	outer := []reflect.Type{must(t, table, typeOf(pkg, "U")), must(t, table, typeOf(pkg, "P")), must(t, table, pkg.Scope().Lookup("Anonymous").Type())}
	v := reflect.New(rt).Elem()
	box := v.Interface()
	for range 20_000 { // more than once in a thousand, a site of compiled code remembers what it found
		if s := fmt.Sprint(box); s != "{0}" {
			t.Fatal(s)
		}
		if _, ok := box.(fmt.Stringer); ok {
			t.Fatal("has String")
		}
	}
	_ = fmt.Sprint(reflect.Zero(outer[0]).Interface())
	gain(pkg, "T", "String", false, text)
	gain(pkg, "T", "Zoo", true, text)
	gain(pkg, "T", "Add", true, text)
	apply(t, table, pkg)
	if rt.NumMethod() != 2 || reflect.PointerTo(rt).NumMethod() != 4 {
		t.Errorf("%d and %d methods", rt.NumMethod(), reflect.PointerTo(rt).NumMethod())
	}
	for i := range 2000 {
		if s := fmt.Sprint(box); s != "String of *main.T" {
			t.Fatal(i, s)
		}
		if s, ok := box.(fmt.Stringer); !ok || s.String() != "String of *main.T" {
			t.Fatal(i, ok)
		}
	}
	for _, name := range []string{"Add", "Middle", "String", "Zoo"} {
		m := reflect.New(rt).MethodByName(name)
		if !m.IsValid() || m.Call(nil)[0].String() == "" {
			t.Errorf("no %s", name)
		}
	}
	for _, u := range outer {
		if s := fmt.Sprint(reflect.New(u).Elem().Interface()); !strings.HasPrefix(s, "String of ") || !strings.HasSuffix(s, u.String()) {
			t.Errorf("%s prints as %q", u, s)
		}
		if n := reflect.PointerTo(u).NumMethod(); n != 4 {
			t.Errorf("*%s has %d methods", u, n)
		}
	}
}

// A type has as many methods as cells declare (G2), while others ask for those that it has.
func TestGainAgainAndAgain(t *testing.T) {
	pkg := declare(t, "type T struct{ a int }\nfunc (T) M() string { return \"\" }\nfunc (T) Zz() string { return \"\" }")
	table := newTable(t, nil)
	box := reflect.New(must(t, table, typeOf(pkg, "T"))).Interface()
	done := make(chan int)
	asks := reflect.TypeFor[interface{ Zz() string }]()
	go func() {
		missed := 0
		for asked := 0; ; asked++ {
			select {
			case done <- missed:
				return
			default:
			}
			if !reflect.TypeOf(box).Implements(asks) {
				missed++
			}
		}
	}()
	const n = 300
	for i := range n {
		name := fmt.Sprintf("%c%d", 'A'+i*7%26, i)
		gain(pkg, "T", name, i%2 == 0, text)
		apply(t, table, pkg)
		rt := reflect.TypeOf(box)
		if rt.NumMethod() != i+3 {
			t.Fatalf("%d methods after %d", rt.NumMethod(), i+1)
		}
		for k := range rt.NumMethod() {
			if k > 0 && rt.Method(k-1).Name >= rt.Method(k).Name {
				t.Errorf("methods %s and %s are out of order", rt.Method(k-1).Name, rt.Method(k).Name)
			}
		}
		m, ok := rt.MethodByName(name)
		if !ok || m.Func.Call([]reflect.Value{reflect.ValueOf(box)})[0].String() != name+" of *main.T" {
			t.Errorf("%s is not found", name)
		}
	}
	if _, ok := box.(interface{ A286() string }); !ok {
		t.Error("a method is not among those that interfaces ask for")
	}
	if missed := <-done; missed > 0 {
		t.Errorf("Zz was not there %d times", missed)
	}
}

// What a type has promoted gives way to a method that is less deep, and is gone beside one that is
// as deep (G1).
func TestGainChangesWhatIsPromoted(t *testing.T) {
	pkg := declare(t, `
type A struct{}
type B struct{}
func (B) M() string { return "" }
type C struct { A; B }
type D struct { B; n int }
type E struct { *D }
`)
	table := newTable(t, nil)
	c, d, e := must(t, table, typeOf(pkg, "C")), must(t, table, typeOf(pkg, "D")), must(t, table, typeOf(pkg, "E"))
	type named interface{ M() string }
	var boxes []named
	for _, rt := range []reflect.Type{d, reflect.PointerTo(d)} {
		v := reflect.New(rt).Elem()
		if rt.Kind() == reflect.Pointer {
			v.Set(reflect.New(d))
		}
		boxes = append(boxes, v.Interface().(named))
	}
	gain(pkg, "A", "M", false, text)
	gain(pkg, "D", "M", false, text)
	g, err := table.Gain(declared(pkg)...)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumMethod() != 1 {
		t.Error("without Apply, something changed")
	}
	if altered := g.Apply(); len(altered) != 6 {
		t.Errorf("%d types have other methods", len(altered))
	}
	if c.NumMethod() != 0 {
		t.Error("an ambiguous method is there")
	}
	if n := d.NumMethod() + e.NumMethod(); n != 2 {
		t.Errorf("D and E have %d methods", n)
	}
	for _, box := range boxes {
		if s := box.M(); s != "M of *main.D" {
			t.Errorf("an interface calls %s", s)
		}
	}
}

func TestGainForEncoders(t *testing.T) {
	pkg := declare(t, "type T struct{ A int }\ntype U struct{ F T; G []T }\ntype G struct{ A int }")
	table := newTable(t, nil)
	value := func(name string) any { return reflect.New(must(t, table, typeOf(pkg, name))).Elem().Interface() }
	before, err := json.Marshal([]any{value("T"), value("U")})
	if err != nil || string(before) != `[{"A":0},{"F":{"A":0},"G":null}]` {
		t.Fatal(string(before), err)
	}
	gain(pkg, "T", "MarshalText", false, types.NewSlice(types.Typ[types.Byte]), types.Universe.Lookup("error").Type())
	apply(t, table, pkg)
	after, err := json.Marshal([]any{value("T"), value("U")})
	if err != nil || string(after) != `["",{"F":"","G":null}]` {
		t.Error(string(after), err)
	}
	if err := gob.NewEncoder(new(bytes.Buffer)).Encode(value("G")); err != nil {
		t.Fatal(err)
	}
	gain(pkg, "G", "GobEncode", false, types.NewSlice(types.Typ[types.Byte]), types.Universe.Lookup("error").Type())
	var e *rtype.GainError
	if _, err := table.Gain(declared(pkg)...); !errors.As(err, &e) {
		t.Errorf("encoding/gob has seen the type: %v", err)
	}
}

func TestUndo(t *testing.T) {
	pkg := declare(t, "type T struct{ A int }\nvar V struct{ T }")
	table := newTable(t, nil)
	table.Begin()
	old := must(t, table, pkg.Scope().Lookup("V").Type())
	table.Undo()
	if now := must(t, table, pkg.Scope().Lookup("V").Type()); now == old {
		t.Error("a type that was undone is still there")
	}
	table.Begin()
	kept := must(t, table, types.NewSlice(typeOf(pkg, "T")))
	table.End()
	if now := must(t, table, types.NewSlice(typeOf(pkg, "T"))); now != kept {
		t.Error("a type was made twice")
	}
}

func BenchmarkGain(b *testing.B) {
	for b.Loop() {
		pkg := declare(b, "type T struct{ a int }")
		table := newTable(b, nil)
		box := reflect.New(must(b, table, typeOf(pkg, "T"))).Elem().Interface()
		_ = fmt.Sprint(box)
		gain(pkg, "T", "String", false, text)
		g, err := table.Gain(declared(pkg)...)
		if err != nil {
			b.Fatal(err)
		}
		g.Apply()
	}
}
