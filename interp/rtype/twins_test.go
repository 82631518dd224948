package rtype_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype/internal/twins"
)

const twinsPath = "github.com/vyre-kernel/vyre-kernel/interp/rtype/internal/twins"

// A twin is a compiled type and the type made at run time from the same source.
type twin struct {
	name     string
	typ      types.Type
	made     reflect.Type
	compiled reflect.Type
	value    reflect.Value // of the compiled type
}

// checked is package twins as go/types sees it.
type checked struct {
	pkg   *types.Package
	types map[string]types.Type // static types of the values, by their names
}

var checkTwins = sync.OnceValue(func() *checked {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range []string{"doc.go", "types.go", "values.go"} {
		a, err := parser.ParseFile(fset, filepath.Join("internal/twins", f), nil, 0)
		if err != nil {
			panic(err)
		}
		files = append(files, a)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check(twinsPath, fset, files, info)
	if err != nil {
		panic(err)
	}
	c := &checked{pkg, map[string]types.Type{}}
	ast.Inspect(files[2], func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			if lit, ok := kv.Key.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				name, _ := strconv.Unquote(lit.Value)
				if _, ok := c.types[name]; !ok {
					c.types[name] = info.Types[kv.Value].Type
				}
			}
		}
		return true
	})
	return c
})

// natives knows the few compiled types that twins mentions.
type natives map[string]reflect.Type

func (n natives) NativeType(path, name string) (reflect.Type, bool) {
	t, ok := n[path+"."+name]
	return t, ok
}

func (n natives) Compiled(path string) bool { return path != twinsPath }

var testNatives = natives{
	"time.Time": reflect.TypeFor[time.Time](), "time.Duration": reflect.TypeFor[time.Duration](),
	"sync.Mutex": reflect.TypeFor[sync.Mutex](), "encoding/json.Number": reflect.TypeFor[json.Number](),
}

// compiledMethods answers a call of a made type's method with the compiled twin's method: receiver, parameters and results have the
// same memory, only their types differ.
type compiledMethods struct {
	mu    sync.Mutex
	twins map[rtype.Word]reflect.Type
}

func (c *compiledMethods) pair(made, compiled reflect.Type) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.twins[rtype.WordOf(made)]; ok {
		return
	}
	c.twins[rtype.WordOf(made)] = compiled
	c.twins[rtype.WordOf(reflect.PointerTo(made))] = reflect.PointerTo(compiled)
}

// as gives v the type t without touching its memory.
func as(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}

func (c *compiledMethods) Method(m *rtype.Method) (func([]reflect.Value) []reflect.Value, error) {
	c.mu.Lock()
	compiled := c.twins[rtype.WordOf(m.Recv)]
	c.mu.Unlock()
	if compiled == nil {
		return nil, fmt.Errorf("no twin of %s", m.Recv)
	}
	method, ok := compiled.MethodByName(m.Selection.Obj().Name())
	if !ok {
		return nil, errors.New("no compiled method " + m.Selection.Obj().Name())
	}
	return func(args []reflect.Value) []reflect.Value {
		in := make([]reflect.Value, len(args))
		for i := range args {
			in[i] = as(args[i], method.Type.In(i))
		}
		var out []reflect.Value
		if method.Type.IsVariadic() {
			out = method.Func.CallSlice(in)
		} else {
			out = method.Func.Call(in)
		}
		for i := range out {
			out[i] = as(out[i], m.Type.Out(i))
		}
		return out
	}, nil
}

// newTwins makes every type of package twins in a fresh table.
func newTwins(t testing.TB) (*rtype.Table, []twin) {
	t.Helper()
	source := &compiledMethods{twins: map[rtype.Word]reflect.Type{}}
	table, err := rtype.NewTable(source, testNatives)
	if err != nil {
		t.Fatal(err)
	}
	c := checkTwins()
	var all []twin
	for name, v := range twins.Values() {
		typ := c.types[name]
		if types.IsInterface(typ) {
			continue // the values of local types
		}
		made, err := table.Of(typ)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all = append(all, twin{name, typ, made, reflect.TypeOf(v), reflect.ValueOf(v)})
	}
	w := &walker{t: t, seen: map[[2]rtype.Word]bool{}, pair: source.pair}
	for _, tw := range all {
		w.same(tw.name, tw.made, tw.compiled)
	}
	return table, all
}

// remake copies the value to memory of the made type. What interfaces inside it hold stays of compiled types.
func (tw twin) remake() reflect.Value {
	p := reflect.New(tw.compiled)
	p.Elem().Set(tw.value)
	return reflect.NewAt(tw.made, p.UnsafePointer()).Elem()
}
