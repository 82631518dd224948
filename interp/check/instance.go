package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// instances gives a unit its Instance.
func (b *builder) instances(s *sourced) func(*types.Func, []types.Type) *ssa.Function {
	var one sync.Mutex
	return func(f *types.Func, args []types.Type) *ssa.Function {
		one.Lock()
		defer one.Unlock()
		b.usedBy(s.info) // which may mean objects that were declared since the program was made
		b.add(f.Pkg(), []types.Object{f})
		like := argumentList(f, args)
		if f.Signature().Recv() != nil {
			return b.methodInstance(f, like)
		}
		return b.funcInstance(f, like.TypeArgs())
	}
}

// argumentList is an instance, with the arguments, of a type that has f for a method if f is one.
func argumentList(f *types.Func, args []types.Type) *types.Named {
	generic := types.NewNamed(types.NewTypeName(token.NoPos, f.Pkg(), "_", nil), types.NewStruct(nil, nil), nil)
	params := make([]*types.TypeParam, len(args))
	for i := range args {
		params[i] = types.NewTypeParam(types.NewTypeName(token.NoPos, f.Pkg(), "_", nil), types.Universe.Lookup("any").Type())
	}
	generic.SetTypeParams(params)
	if f.Signature().Recv() != nil {
		generic.AddMethod(f)
	}
	t, err := types.Instantiate(nil, generic, args, false)
	if err != nil {
		panic(err) // it is not validated
	}
	return t.(*types.Named)
}

// methodInstance finds the instance through the stand-in for its receiver: the type itself may have
// an earlier declaration of the method.
func (b *builder) methodInstance(f *types.Func, recv *types.Named) *ssa.Function {
	var t types.Type = recv
	if onPointer(f.Signature()) {
		t = types.NewPointer(t)
	}
	return b.prog.MethodValue(types.NewMethodSet(t).Lookup(f.Pkg(), f.Name()))
}

// funcInstance builds a function that returns the instance, for go/ssa makes instances where syntax
// mentions them.
func (b *builder) funcInstance(f *types.Func, args *types.TypeList) *ssa.Function {
	list := make([]types.Type, args.Len())
	for i := range list {
		list[i] = args.At(i)
	}
	sig, err := types.Instantiate(nil, f.Signature(), list, false)
	if err != nil {
		panic(err)
	}
	pkg, info := types.NewPackage("main", "main"), newInfo()
	name, use := ast.NewIdent("instance"), ast.NewIdent(f.Name())
	result := types.NewTuple(types.NewParam(token.NoPos, pkg, "", sig))
	info.Defs[name] = types.NewFunc(token.NoPos, pkg, name.Name, types.NewSignatureType(nil, nil, nil, nil, result, false))
	info.Uses[use] = f
	info.Types[use] = types.TypeAndValue{Type: sig}
	info.Instances[use] = types.Instance{TypeArgs: args, Type: sig}
	file := &ast.File{Name: ast.NewIdent("main"), Decls: []ast.Decl{&ast.FuncDecl{
		Name: name,
		Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("_")}}}},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{use}}}},
	}}}
	p := b.prog.CreatePackage(pkg, []*ast.File{file}, info, false)
	p.Build()
	ret := p.Func(name.Name).Blocks[0].Instrs[0].(*ssa.Return)
	return ret.Results[0].(*ssa.Function)
}
