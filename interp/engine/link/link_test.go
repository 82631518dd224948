package link

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A function's code is the SSA function that it was made of.
type function struct {
	unit *maker
	code *ssa.Function
}

func (f *function) Made() bool { return f.code != nil }

// A maker asks for what functions name, and fails where one calls panic with "unmakeable".
type maker struct {
	*Unit[*function]
	s       *session
	renewed map[*function]*ssa.Function
}

func (m *maker) New() *function { return &function{unit: m} }

func (m *maker) Native(fn *ssa.Function) {
	panic(&engine.Refusal{What: "function " + fn.Name() + " without a body"})
}

func (m *maker) Make(jobs iter.Seq[Job[*function]]) {
	for j := range jobs {
		m.look(j.Fn)
		if j.Renewed {
			m.renewed[j.Target] = j.Fn
		} else {
			j.Target.code = j.Fn
		}
	}
}

func (m *maker) look(fn *ssa.Function) {
	if m.s.broken != nil {
		panic(m.s.broken)
	}
	defer m.Within(fn)()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, x := range in.Operands(nil) {
				m.operand(*x)
			}
		}
	}
}

func (m *maker) operand(x ssa.Value) {
	switch x := x.(type) {
	case nil, *ssa.Builtin:
		return
	case *ssa.Global:
		m.Global(x)
	case *ssa.Function:
		if x.Blocks != nil || m.Declared(x) {
			m.Target(x)
		}
	case *ssa.Const:
		if strings.Contains(x.String(), "unmakeable") {
			panic(errors.New("it cannot be made"))
		}
	}
	m.TypeOf(x.Type())
}

func (m *maker) Publish([]rtype.Word) {
	for f, code := range m.renewed {
		f.unit, f.code = m, code
	}
}

// session is a session of cells whose functions are only made.
type session struct {
	*Session[*function]
	t      *testing.T
	check  *check.Checker
	cells  int
	broken error // what stops whatever is made
}

func newSession(t *testing.T) *session {
	c, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, check: c}
	o := Options{
		Symbols: func(string, string) (reflect.Value, bool) { return reflect.Value{}, false },
		Types:   func(string, string) (reflect.Type, bool) { return nil, false },
		Instead: "; write another",
	}
	s.Session, err = New(o, source{s}, func(u *Unit[*function]) Maker[*function] {
		return &maker{Unit: u, s: s, renewed: map[*function]*ssa.Function{}}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A source is the table's of methods.
type source struct{ s *session }

func (source) Method(*rtype.Method) (func([]reflect.Value) []reflect.Value, error) {
	return nil, errors.New("nothing is executed here")
}

func (m source) WordMethod(x *rtype.Method) unsafe.Pointer {
	m.s.MethodMade(x)
	return nil
}

func (s *session) load(source string) (*engine.Unit, error) {
	s.t.Helper()
	s.cells++
	k, err := s.check.Check(s.cells, source)
	if err != nil {
		s.t.Fatalf("%s: %v", source, err)
	}
	if err := s.Load(k.Unit); err != nil {
		return nil, err
	}
	s.check.Commit(k)
	return k.Unit, nil
}

func (s *session) mustLoad(source string) *engine.Unit {
	s.t.Helper()
	u, err := s.load(source)
	if err != nil {
		s.t.Fatalf("%s: %v", source, err)
	}
	return u
}

// A state is what later units see of a session.
type state struct {
	units     map[*types.Package]*Unit[*function]
	latest    *Unit[*function]
	functions map[types.Object]*function
	code      map[*function]*ssa.Function
	globals   map[types.Object]unsafe.Pointer
	made      []*types.Selection
}

func (s *session) state() state {
	now := state{maps.Clone(s.units), s.latest, maps.Clone(s.functions), map[*function]*ssa.Function{},
		maps.Clone(s.globals), slices.Clone(s.made)}
	for _, f := range s.functions {
		now.code[f] = f.code
	}
	return now
}

func (x state) equal(y state) bool {
	return maps.Equal(x.units, y.units) && x.latest == y.latest && maps.Equal(x.functions, y.functions) &&
		maps.Equal(x.code, y.code) &&
		maps.Equal(x.globals, y.globals) && slices.Equal(x.made, y.made)
}

const earlier = `x := 1
type T struct{ N int }
func (t T) Old() int { return t.N }
type G[A any] struct{ v A }
func (g G[A]) get() A { return g.v }
var have G[string]
func f() int { return x }
func g[A any](a A) A { return a }
func calls() int { return f() + g(1) + T{}.Old() }`

// failing are cells after earlier that cannot be loaded, and what their refusals say.
var failing = map[string]struct{ source, refusal string }{
	"a function": {"func h() { panic(\"unmakeable\") }\nvar y int",
		"-: this cell is not supported: it cannot be made; write another"},
	"a function again":      {"func f() int { panic(\"unmakeable\") }", "cannot be made"},
	"a generic one again":   {"func g[A any](a A) A { panic(\"unmakeable\") }", "cannot be made"},
	"its method again":      {"func (g G[A]) get() A { panic(\"unmakeable\") }", "cannot be made"},
	"a method again":        {"func (t T) Old() int { panic(\"unmakeable\") }", "cannot be made"},
	"a new method":          {"func (t T) New() { panic(\"unmakeable\") }", "cannot be made"},
	"a new method and type": {"func (t T) New() G[int] { panic(\"unmakeable\") }\nvar y struct{ T }", "cannot be made"},
	"a variable again":      {"var x int\nfunc h() { panic(\"unmakeable\") }", "cannot be made"},
	"another variable":      {"var x string\nfunc h() { panic(\"unmakeable\") }", "cannot be made"},
	"a type":                {"type U int\nfunc (u U) M() { panic(\"unmakeable\") }\nvar y U", "cannot be made"},
	"a generic type": {"type H[A any] struct{ v A }\nfunc (h H[A]) m() { panic(\"unmakeable\") }\nvar y H[int]",
		"cannot be made"},
	"an instance's argument": {"type U int\nvar y G[func(map[string][]U)]\nfunc h() { panic(\"unmakeable\") }",
		"cannot be made"},
	"no body": {"func nobody()\nvar y G[struct{ have G[string] }]", "function nobody without a body"},
	"a compiled variable": {"func h() { _ = os.Args }",
		"variable os.Args is not supported: this kernel's tables of compiled variables do not have it; write another"},
	"a type without values": {"var y [1 << 60]int", "type [1152921504606846976]int is not supported"},
}

func TestAFailingUnitLeavesNothing(t *testing.T) {
	for name, x := range failing {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			u := s.mustLoad(earlier)
			named := u.Pkg.Scope().Lookup("T").Type().(*types.Named)
			before := s.state()
			_, err := s.load(x.source)
			var r *engine.Refusal
			if !errors.As(err, &r) || !strings.Contains(r.Error(), x.refusal) {
				t.Fatalf("error %v, want a refusal with %q", err, x.refusal)
			}
			after := s.state()
			after.made = slices.DeleteFunc(after.made, func(m *types.Selection) bool { return mentions(m.Recv(), u.Pkg) })
			if !after.equal(before) {
				t.Errorf("left %+v, was %+v", after, before)
			}
			for _, of := range []types.Type{named, types.NewStruct([]*types.Var{types.NewField(0, u.Pkg, "T", named, true)},
				nil)} {
				if rt, err := s.Type(of); err != nil || rt.NumMethod() != 1 || named.NumMethods() != 1 {
					t.Errorf("%s has methods %v, and %s, error %v", of, slices.Collect(named.Methods()), rt, err)
				}
			}
			s.mustLoad("func last() int { return calls() + x + f() + g(1) + T{1}.Old() + len(have.get()) }")
		})
	}
}

func TestInstancesOfEarlierUnitsAreLeftToTheNext(t *testing.T) {
	s := newSession(t)
	s.mustLoad("type G[A any] struct{ v A }\nfunc (g G[A]) get() A { return g.v }")
	for _, first := range []string{
		"var y G[int]\nfunc nobody()",
		"var y G[string]\nfunc h() { panic(\"unmakeable\") }",
		"var y G[bool]\nvar z H[int]\ntype H[A any] struct{}\nfunc (h H[A]) m() { panic(\"unmakeable\") }",
	} {
		if _, err := s.load(first); err == nil {
			t.Fatal("it was loaded")
		}
	}
	s.mustLoad("func other() {}")
	var made []string
	for _, f := range s.latest.targets {
		made = append(made, f.code.String())
	}
	for _, method := range []string{"(main.G[int]).get", "(main.G[string]).get", "(main.G[bool]).get"} {
		if !slices.Contains(made, method) {
			t.Errorf("no code of %s, but of %v", method, made)
		}
	}
}

func TestRedeclared(t *testing.T) {
	s := newSession(t)
	u := s.mustLoad(earlier)
	f := s.functions[u.Pkg.Scope().Lookup("f")]
	x := s.globals[u.Pkg.Scope().Lookup("x")]
	old := f.code
	now := s.mustLoad("func f() int { return x + 1 }\nvar x int").Pkg
	if s.functions[now.Scope().Lookup("f")] != f || f.code == old || f.unit.Cell.Pkg != now {
		t.Errorf("f is %v", f.code)
	}
	if s.globals[now.Scope().Lookup("x")] != x {
		t.Error("x has other memory")
	}
	if _, ok := s.functions[u.Pkg.Scope().Lookup("f")]; ok {
		t.Error("the name of the old f is still known")
	}
	other := s.mustLoad("func f() string { return \"\" }\nvar x string").Pkg
	if s.functions[other.Scope().Lookup("f")] == f || s.globals[other.Scope().Lookup("x")] == x {
		t.Error("a function or variable of another type took the place of the old")
	}
}

func TestExecute(t *testing.T) {
	s := newSession(t)
	do := func(f func()) error { f(); return nil }
	var ran []string
	call := func(f *function) []reflect.Value {
		ran = append(ran, f.code.Name())
		return []reflect.Value{reflect.ValueOf(len(ran))}
	}
	for _, x := range []struct {
		source string
		ran    int
		kept   bool // with its program
	}{
		{"x := 1\nfunc f() {}", 1, false},
		{"func init() {}\nx++", 1, false},
		{"package main\nfunc init() {}\nfunc main() {}", 2, false},
		{"func g() {}", 0, false},
		{"type T struct{}\nx++", 1, true},
	} {
		u := s.mustLoad(x.source)
		ran = nil
		results, err := s.Execute(t.Context(), u, do, call)
		if err != nil || len(ran) != x.ran || (len(results) == 1) != (u.Entry != nil) {
			t.Errorf("%s: ran %v, results %v, error %v", x.source, ran, results, err)
		}
		if _, kept := s.units[u.Pkg]; kept != x.kept {
			t.Errorf("%s: kept: %v", x.source, kept)
		}
		for _, fn := range []*ssa.Function{u.Init, u.Entry} {
			if fn != nil && s.functions[fn.Object()] != nil {
				t.Errorf("%s: %s has a name", x.source, fn)
			}
		}
	}
	_, err := s.Execute(t.Context(), &engine.Unit{Cell: 9, Pkg: types.NewPackage("main", "main")}, do, call)
	if want := "-: In[9] is not supported: it is not loaded"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u := s.mustLoad("x++")
	if _, err := s.Execute(ctx, u, do, call); !errors.As(err, new(*engine.Interrupted)) {
		t.Errorf("error %v of a cell that was interrupted before it began", err)
	}
}

func TestAFunctionThatFailsWhenItIsNeeded(t *testing.T) {
	s := newSession(t)
	u := s.mustLoad("type T struct{}\nfunc (t T) M() {}\ntype P struct{ *T }").Pkg
	method := func(p types.Type) *function {
		f := s.Method(p, types.NewMethodSet(p).Lookup(u, "M"))
		if f.Made() {
			t.Fatalf("%s.M has code before anybody needs it", p)
		}
		return f
	}
	need := func(f *function) (refused any) {
		defer func() { refused = recover() }()
		f.unit.Need(f)
		return nil
	}
	p := u.Scope().Lookup("P").Type()
	bad := method(p)
	s.broken = errors.New("not now")
	first := need(bad)
	if r, ok := first.(*engine.Refusal); !ok || r.Reason != "not now; write another" {
		t.Errorf("refused with %v", first)
	}
	s.broken = nil
	if again := need(bad); again != first {
		t.Errorf("refused with %v the second time", again)
	}
	good := method(types.NewPointer(p))
	if err := need(good); err != nil || !good.Made() || bad.Made() {
		t.Errorf("error %v, made %v and %v", err, good.Made(), bad.Made())
	}
}

func TestRefusal(t *testing.T) {
	s := newSession(t)
	named := types.NewNamed(types.NewTypeName(0, types.NewPackage("main", "main"), "T", nil), types.Typ[types.Int], nil)
	refused := &engine.Refusal{What: "it", Reason: "so"}
	for _, x := range []struct {
		panicked any
		want     string
	}{
		{refused, "-: it is not supported: so"},
		{fmt.Errorf("within: %w", refused), "-: it is not supported: so"},
		{&rtype.TypeError{Type: named, Reason: "so"}, "-: type main.T is not supported: so"},
		{fmt.Errorf("within: %w", &rtype.GainError{Type: named, Reason: "so"}),
			"-: a new method of main.T is not supported: so"},
		{errors.New("so"), "-: this cell is not supported: so; write another"},
		{"so", "-: this cell is not supported: so; write another"},
	} {
		if err := s.Refusal(x.panicked); err.Error() != x.want || !errors.As(err, new(*engine.Refusal)) {
			t.Errorf("%v: %v, want %s", x.panicked, err, x.want)
		}
	}
}
