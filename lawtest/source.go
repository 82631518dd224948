package lawtest

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
)

// complete finds what the package exports and the test does not name.
func (c *check) complete() {
	types, functions, err := exported(c.Dir)
	if err != nil {
		c.violation("the package in %s cannot be read: %v", c.Dir, err)
		return
	}
	named := map[string]bool{}
	var handing []reflect.Type
	for _, v := range append(c.Types[:len(c.Types):len(c.Types)], c.Data...) {
		t := reflect.TypeOf(v)
		named[name(base(t))] = true
		for i := range t.NumMethod() {
			handing = append(handing, t.Method(i).Type)
		}
	}
	for name := range types {
		if !named[name] {
			c.violation("type %s has methods and is in neither Types nor Data", name)
		}
	}
	for name := range functions {
		if _, ok := c.Functions[name]; !ok {
			c.violation("function %s is not in Functions", name)
		}
	}
	for _, f := range c.Functions {
		handing = append(handing, reflect.TypeOf(f))
	}
	c.handedOut(named, handing)
}

// handedOut finds types of the package that calls return and the test does not name: unexported
// ones have exported methods too.
func (c *check) handedOut(named map[string]bool, calls []reflect.Type) {
	if len(c.Types) == 0 {
		return
	}
	own := base(reflect.TypeOf(c.Types[0])).PkgPath()
	for _, call := range calls {
		for i := range call.NumOut() {
			out := call.Out(i)
			t := base(out)
			if t.PkgPath() == own && t.Kind() != reflect.Interface && !named[name(t)] && out.NumMethod() > 0 {
				named[name(t)] = true
				c.violation("type %s is handed out by a call, has methods, and is in neither Types nor Data", name(t))
			}
		}
	}
}

// exported reads the names of a package's exported types that have exported methods, and of its
// functions.
func exported(dir string) (types, functions map[string]bool, err error) {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	types, functions = map[string]bool{}, map[string]bool{}
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
				note(f, types, functions)
			}
		}
	}
	return types, functions, nil
}

func note(f *ast.FuncDecl, types, functions map[string]bool) {
	if f.Recv == nil {
		functions[f.Name.Name] = true
		return
	}
	if name := receiver(f.Recv.List[0].Type); ast.IsExported(name) {
		types[name] = true
	}
}

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
