package engine

import (
	"go/token"
	"go/types"
	"runtime"
	"testing"
)

func generic(pkg *types.Package, name string, under types.Type, param *types.TypeParam) *types.Named {
	t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), under, nil)
	t.SetTypeParams([]*types.TypeParam{param})
	return t
}

func anyParam(pkg *types.Package) *types.TypeParam {
	return types.NewTypeParam(types.NewTypeName(token.NoPos, pkg, "P", nil), types.Universe.Lookup("any").Type())
}

func instance(t *testing.T, c *types.Context, of *types.Named, arg types.Type) *types.Named {
	t.Helper()
	i, err := types.Instantiate(c, of, []types.Type{arg}, false)
	if err != nil {
		t.Fatal(err)
	}
	return i.(*types.Named)
}

// An instance that go/types makes of another, long after that one was noted, is found; and what is
// found is not walked through again, however much there is.
func TestInstancesAreFoundOnce(t *testing.T) {
	MethodSets.Lock()
	defer MethodSets.Unlock()
	pkg, p := types.NewPackage("main", "main"), types.NewPackage("main", "main")
	inner := generic(p, "Inner", types.NewStruct(nil, nil), anyParam(p))
	param, c := anyParam(pkg), types.NewContext()
	field := types.NewField(token.NoPos, pkg, "f", instance(t, nil, inner, param), false)
	outer := generic(pkg, "Outer", types.NewStruct([]*types.Var{field}, nil), param)
	var arg types.Type = types.Typ[types.Int]
	var all []*types.Named
	for range 500 {
		arg = types.NewPointer(arg)
		all = append(all, instance(t, c, outer, arg))
	}
	NoteInstances(c)
	before := len(instancesOf(inner))
	for _, i := range all {
		i.Underlying()
	}
	if n := len(instancesOf(inner)); n != before+len(all) {
		t.Errorf("%d instances of Inner, then %d: %d have one", before, n, len(all))
	}
	other := generic(pkg, "Other", types.NewStruct(nil, nil), anyParam(pkg))
	if n := testing.AllocsPerRun(10, func() { instancesOf(other) }); n > 20 {
		t.Errorf("looking for instances where there are none allocates %v times", n)
	}
	runtime.KeepAlive(all)
}
