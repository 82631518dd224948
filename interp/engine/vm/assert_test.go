package vm_test

import (
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// switched are functions f(v any) string of type switches and assertions, with what they say of the values below, in order.
var switched = []struct{ name, source, want string }{
	{"cases", `func f(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int:
		return fmt.Sprint(v + 1)
	case string:
		return v + "!"
	case *T:
		return v.Name()
	case fmt.Stringer:
		return "stringer " + v.String()
	case []int:
		return fmt.Sprint(len(v))
	case error:
		return v.Error()
	}
	return "other"
}`, "2 two! pointer stringer value 1 failed nil other 3.5?"},
	{"what failed is zero", `func f(v any) string {
	s, isString := v.(string)
	n, isInt := v.(int)
	t, isT := v.(T)
	e, isError := v.(error)
	if !isString && s != "" || !isInt && n != 0 || !isT && t.name != "" || !isError && e != nil {
		return "kept"
	}
	if isString {
		n = 7
	}
	return fmt.Sprint(s, n, t.name, e)
}`, "1<nil> two7<nil> 0<nil> 0value<nil> 0<nil> 0failed 0<nil> 0<nil> 03.5?"},
	{"what failed before is zero again", `func f(v any) string {
	last := ""
	for _, x := range []any{"first", v, "last", v} {
		s, ok := x.(string)
		if ok {
			last += s[:1]
			continue
		}
		last += "(" + s + ")"
	}
	return last
}`, "f()l() ftlt f()l() f()l() f()l() f()l() f()l() f()l() f()l()"},
	{"used beyond the case", `func f(v any) string {
	s, ok := v.(string)
	if ok {
		s += "?"
	}
	return s + "."
}`, ". two?. . . . . . . ."},
	{"of an interface with methods", `func f(v any) string {
	e, ok := v.(interface{ Error() string })
	if !ok {
		return "-"
	}
	switch e := e.(type) {
	case interface{ Unwrap() error }:
		return "wraps " + e.Unwrap().Error()
	case P:
		return "P"
	}
	return "error"
}`, "- - - - - error - - P"},
	{"in a loop, without a body", `func f(v any) string {
	for i := 0; ; i++ {
		if _, ok := v.(int); ok || i > 2 {
			return fmt.Sprint(i)
		}
	}
}`, "0 3 3 3 3 3 3 3 3"},
}

const switchedTypes = `import ("errors"; "fmt"; "strings")
type T struct{ name string }
func (t T) Name() string { return t.name }
func (t T) String() string { return t.name }
type P float64
func (p P) Error() string { return fmt.Sprint(float64(p), "?") }
`

func TestTypeSwitches(t *testing.T) {
	for _, x := range switched {
		t.Run(x.name, func(t *testing.T) {
			call := `var said []string
for _, v := range []any{1, "two", &T{"pointer"}, T{"value"}, []int{1}, errors.New("failed"), nil, 2.5, P(3.5)} {
	said = append(said, f(v))
}
if got := strings.Join(said, " "); got != want { panic(got) }`
			want := strings.ReplaceAll(x.want, `"`, `\"`)
			if err := cells(t, open(t, vm.Options{}), switchedTypes+x.source, `want := "`+want+`"`, call); err != nil {
				t.Error(err)
			}
		})
	}
}

// valueMethods are cells that call the methods of values through pointers in interfaces.
var valueMethods = []struct{ name, source, fails string }{
	{"by cells", `var m namer = &T{1, "a"}
if got := m.Name("b"); got != "a1b" { panic(got) }`, ""},
	{"by compiled code", `list := byName{{2, "b"}, {1, "a"}, {3, "c"}}
sort.Sort(&list)
sort.Sort(sort.Reverse(list))
if got := fmt.Sprint(list); got != "[{3 c} {2 b} {1 a}]" { panic(got) }
if got := fmt.Sprint(&T{4, "d"}, S{5}, &S{6}); got != "&{4 d} S5 S6" { panic(got) }`, ""},
	{"the value is a copy", `p := &C{1}
var i interface{ Set() int } = p
if n := i.Set(); n != 9 || p.n != 1 { panic(fmt.Sprint(n, p.n)) }`, ""},
	{"nil, by cells", "var p *T\nvar m namer = p\nm.Name(\"\")", "value method main.T.Name called using nil *T pointer"},
	{"nil, by compiled code", "var p *byName\nsort.Sort(p)", "value method main.byName.Len called using nil *byName pointer"},
	{"nil, deferred", "func() {\n\tvar p *T\n\tvar m namer = p\n\tdefer m.Name(\"\")\n}()", "value method main.T.Name called using nil *T pointer"},
	{"nil, recovered", `func try(m namer) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	return m.Name("")
}
if got := try((*T)(nil)); !strings.Contains(got, "nil *T pointer") { panic(got) }
if got := try(&T{1, "x"}); got != "<nil>" { panic(got) }`, ""},
	{"recover in one that is deferred", `func caught() (text string) {
	var r interface{ Recover(*string) } = &T{}
	defer r.Recover(&text)
	panic("thrown")
}
if got := caught(); got != "thrown" { panic(got) }`, ""},
	{"promoted", `var m namer = &struct{ T }{T{7, "e"}}
if got := m.Name(""); got != "e7" { panic(got) }
var q namer = &struct{ *T }{&T{8, "f"}}
if got := q.Name(""); got != "f8" { panic(got) }`, ""},
}

const valueTypes = `import ("fmt"; "sort"; "strings")
type namer interface{ Name(string) string }
type T struct { n int; name string }
func (t T) Name(s string) string { return t.name + fmt.Sprint(t.n) + s }
func (t T) Recover(to *string) { *to = fmt.Sprint(recover()) }
type S struct{ n int }
func (s S) String() string { return "S" + fmt.Sprint(s.n) }
type C struct{ n int }
func (c C) Set() int { c.n = 9; return c.n }
type byName []T
func (b byName) Len() int { return len(b) }
func (b byName) Less(i, j int) bool { return b[i].name < b[j].name }
func (b byName) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
_ = strings.ToUpper
`

func TestValueMethods(t *testing.T) {
	for _, x := range valueMethods {
		t.Run(x.name, func(t *testing.T) {
			err := cells(t, open(t, vm.Options{}), valueTypes, x.source)
			switch {
			case x.fails == "" && err != nil:
				t.Error(err)
			case x.fails != "" && (err == nil || !strings.Contains(err.Error(), x.fails)):
				t.Errorf("%v, want %s", err, x.fails)
			}
		})
	}
}
