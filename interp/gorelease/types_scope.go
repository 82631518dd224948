package gorelease

import (
	"errors"
	"go/types"
	"reflect"
	"unsafe"
)

// Scopes is the fact that cells see what earlier ones declared on.
var Scopes = &Fact{
	Name:    "go/types.Scope",
	Why:     "the names of earlier cells are around a cell without a chain of packages, and are replaced one by one",
	Without: "cells: they cannot be checked beside others",
	Vital:   true,
	check:   checkScopes,
}

// Builtins is the fact that a cell's order of initialisation is found on where it uses builtins.
var Builtins = &Fact{
	Name:    "go/types.Builtin",
	Why:     "a builtin function under another name stands for it in a cell that declares its name",
	Without: "cells that declare the name of a builtin function and use the function before",
	check: func() error {
		b := types.Universe.Lookup("len").(*types.Builtin)
		if nameIn(b) == nil || *nameIn(b) != "len" {
			return errors.New("its name is elsewhere")
		}
		return nil
	},
}

// Under runs f with the package's scope put under parent, and puts it back: the parent is the first
// word of a types.Scope.
func Under(pkg *types.Package, parent *types.Scope, f func()) {
	word := (**types.Scope)(unsafe.Pointer(pkg.Scope()))
	was := *word
	*word = parent
	defer func() { *word = was }()
	f()
}

// Elements are the objects of a scope that has some, by their names.
func Elements(s *types.Scope) map[string]types.Object {
	return *(*map[string]types.Object)(unsafe.Add(unsafe.Pointer(s), elements.Offset))
}

var elements, elementsKnown = reflect.TypeFor[types.Scope]().FieldByName("elems")

func checkScopes() error {
	if !elementsKnown || elements.Type != reflect.TypeFor[map[string]types.Object]() {
		return errors.New("its objects are elsewhere")
	}
	pkg, parent := types.NewPackage("main", "main"), types.NewScope(nil, 0, 0, "")
	var seen *types.Scope
	if *(**types.Scope)(unsafe.Pointer(pkg.Scope())) != types.Universe {
		return errors.New("its parent is elsewhere")
	}
	Under(pkg, parent, func() { seen = pkg.Scope().Parent() })
	if seen != parent || pkg.Scope().Parent() != types.Universe {
		return errors.New("it does not have the parent that it is given")
	}
	return nil
}

// RenamedBuiltin is a builtin function under another name, nil where there cannot be one.
func RenamedBuiltin(b *types.Builtin, name string) types.Object {
	if !Builtins.Holds() {
		return nil
	}
	c := *b
	*nameIn(&c) = name
	return &c
}

// nameIn is where a builtin has its name.
func nameIn(b *types.Builtin) *string {
	object, ok := reflect.TypeFor[types.Builtin]().FieldByName("object")
	if !ok || object.Type.Kind() != reflect.Struct {
		return nil
	}
	name, ok := object.Type.FieldByName("name")
	if !ok || name.Type.Kind() != reflect.String {
		return nil
	}
	return (*string)(unsafe.Add(unsafe.Pointer(b), object.Offset+name.Offset))
}
