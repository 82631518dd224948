package gorelease

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
)

// Diagnostics are the codes that go/types gives its errors, in a field that it does not export. Its
// words differ from release to release; the numbers only grow.
var Diagnostics = &Fact{
	Name:    "go/types.Error.go116code",
	Why:     "what an error of go/types is about, without reading its words",
	Without: "cells that import what they do not use, hints of diagnostics",
	check:   checkDiagnostics,
}

// DiagnosticCode returns go/types' own code of an error, 0 where there is none.
func DiagnosticCode(e types.Error) int {
	if code := reflect.ValueOf(e).FieldByName("go116code"); code.CanInt() {
		return int(code.Int())
	}
	return 0
}

// undeclaredName is the code of a name that is not declared.
const undeclaredName = 75

func checkDiagnostics() error {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", "package p; var x = y", parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	found := 0
	c := types.Config{Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			found = DiagnosticCode(e)
		}
	}}
	_, _ = c.Check("p", set, []*ast.File{f}, nil) // the error went to the function above
	if found != undeclaredName {
		return fmt.Errorf("the code of a name that is not declared is %d, want %d", found, undeclaredName)
	}
	return nil
}
