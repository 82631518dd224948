package rtype_test

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A grower grows a type from random choices, as go/types has it and as package reflect makes it.
type grower struct{ *rand.Rand }

var fuzzPackage = types.NewPackage("main", "main")

func (g grower) grow(depth int, comparable bool) (types.Type, reflect.Type) {
	kinds := []func(int, bool) (types.Type, reflect.Type){g.basic, g.pointer, g.channel, g.array, g.structure, g.iface, g.slice, g.mapping, g.function}
	if depth == 0 {
		return g.basic(0, comparable)
	}
	if comparable {
		kinds = kinds[:6]
	}
	return kinds[g.IntN(len(kinds))](depth-1, comparable)
}

func (g grower) basic(int, bool) (types.Type, reflect.Type) {
	all := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[int32](), reflect.TypeFor[int](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[string](),
		reflect.TypeFor[uintptr](),
	}
	r := all[g.IntN(len(all))]
	for _, b := range types.Typ {
		if b.Name() == r.Name() {
			return b, r
		}
	}
	panic(r)
}

func (g grower) pointer(depth int, _ bool) (types.Type, reflect.Type) {
	x, r := g.grow(depth, false)
	return types.NewPointer(x), reflect.PointerTo(r)
}

func (g grower) slice(depth int, _ bool) (types.Type, reflect.Type) {
	x, r := g.grow(depth, false)
	return types.NewSlice(x), reflect.SliceOf(r)
}

func (g grower) channel(depth int, _ bool) (types.Type, reflect.Type) {
	x, r := g.grow(depth, false)
	d := g.IntN(3)
	return types.NewChan([]types.ChanDir{types.SendRecv, types.SendOnly, types.RecvOnly}[d], x),
		reflect.ChanOf([]reflect.ChanDir{reflect.BothDir, reflect.SendDir, reflect.RecvDir}[d], r)
}

func (g grower) array(depth int, comparable bool) (types.Type, reflect.Type) {
	x, r := g.grow(depth, comparable)
	n := g.IntN(4)
	return types.NewArray(x, int64(n)), reflect.ArrayOf(n, r)
}

func (g grower) mapping(depth int, _ bool) (types.Type, reflect.Type) {
	k, rk := g.grow(depth, true)
	x, r := g.grow(depth, false)
	return types.NewMap(k, x), reflect.MapOf(rk, r)
}

func (g grower) iface(int, bool) (types.Type, reflect.Type) {
	if g.IntN(2) == 0 {
		return types.Universe.Lookup("any").Type(), reflect.TypeFor[any]()
	}
	return types.Universe.Lookup("error").Type(), reflect.TypeFor[error]()
}

func (g grower) function(depth int, _ bool) (types.Type, reflect.Type) {
	x, r := g.grow(depth, false)
	y, q := g.grow(depth, false)
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", x)), types.NewTuple(types.NewVar(0, nil, "", y)), false)
	return sig, reflect.FuncOf([]reflect.Type{r}, []reflect.Type{q}, false)
}

func (g grower) structure(depth int, comparable bool) (types.Type, reflect.Type) {
	var vars []*types.Var
	var fields []reflect.StructField
	for i := range g.IntN(5) {
		x, r := g.grow(depth, comparable)
		name := fmt.Sprint("F", i)
		vars = append(vars, types.NewField(token.NoPos, fuzzPackage, name, x, false))
		fields = append(fields, reflect.StructField{Name: name, Type: r})
	}
	return types.NewStruct(vars, nil), reflect.StructOf(fields)
}

// FuzzLayout gives random types names: their layout, computed here, must be what package reflect computes for the same
// type without a name, and == and hash of random memory must agree.
func FuzzLayout(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	table, err := rtype.NewTable(nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := grower{rand.New(rand.NewPCG(seed, 1))}
		x, want := g.grow(4, g.IntN(2) == 0)
		plain := must(t, table, x)
		if plain != want {
			t.Errorf("%s: an unnamed type has two descriptors: %s, %s", x, plain, want)
		}
		if types.IsInterface(x) {
			return
		}
		named := types.NewNamed(types.NewTypeName(token.NoPos, fuzzPackage, "N", nil), x, nil)
		made := must(t, table, named)
		compareForm(t, made, want)
		if !want.Comparable() || want.Size() > 1<<12 {
			return
		}
		a, b := randomValue(g, want), randomValue(g, want)
		for _, p := range []unsafe.Pointer{a, b} {
			x := rtype.EqualFunc(rtype.WordOf(made))(a, p)
			y := rtype.EqualFunc(rtype.WordOf(want))(a, p)
			if x != y {
				t.Errorf("%s: == gives %v, want %v", want, x, y)
			}
			if y && rtype.Hash(rtype.WordOf(made), a, 7) != rtype.Hash(rtype.WordOf(made), p, 7) {
				t.Errorf("%s: equal values have different hashes", want)
			}
		}
	})
}

func compareForm(t *testing.T, made, want reflect.Type) {
	t.Helper()
	// reflect knows of fewer types than the compiler that their == compares bytes
	if made.Size() != want.Size() || made.Align() != want.Align() || made.Comparable() != want.Comparable() ||
		!rtype.Regular(rtype.WordOf(made)) && rtype.Regular(rtype.WordOf(want)) || rtype.Direct(rtype.WordOf(made)) != rtype.Direct(rtype.WordOf(want)) ||
		rtype.HasPointers(rtype.WordOf(made)) != rtype.HasPointers(rtype.WordOf(want)) {
		t.Errorf("%s: made %s\nreflect %s", want, memory(made), memory(want))
	}
	if p, q := fmt.Sprint(rtype.PointerOffsets(nil, made, 0)), fmt.Sprint(rtype.PointerOffsets(nil, want, 0)); p != q {
		t.Errorf("%s: pointers at %s, want %s", want, p, q)
	}
	if made.Name() != "N" || made.PkgPath() != "main" || made.String() != "main.N" || want.ConvertibleTo(made) != true {
		t.Errorf("%s: %s %s, convertible %v", want, made.PkgPath(), made, want.ConvertibleTo(made))
	}
}

// randomValue sets the basic parts of a value; pointers stay nil.
func randomValue(g grower, t reflect.Type) unsafe.Pointer {
	v := reflect.New(t)
	g.set(v.Elem())
	return v.UnsafePointer()
}

func (g grower) set(v reflect.Value) {
	switch n := g.IntN(3); v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			g.set(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			g.set(v.Field(i))
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), 1.5}[n])
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(n), 0))
	case reflect.String:
		v.SetString([]string{"", "a", "ab"}[n])
	case reflect.Bool:
		v.SetBool(n == 0)
	default:
		switch {
		case v.CanInt():
			v.SetInt(int64(n))
		case v.CanUint():
			v.SetUint(uint64(n))
		}
	}
}
