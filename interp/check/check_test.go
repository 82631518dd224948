package check

import (
	"errors"
	"fmt"
	"go/types"
	"runtime"
	"strings"
	"testing"
)

func newChecker(t testing.TB) *Checker {
	t.Helper()
	c, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// cells checks and commits cells in order; the last may fail.
func cells(t testing.TB, list ...string) (*Checked, error) {
	t.Helper()
	c := newChecker(t)
	for i, src := range list {
		k, err := c.Check(i+1, src)
		if i == len(list)-1 {
			return k, err
		}
		if err != nil {
			t.Fatalf("cell %d: %v", i+1, err)
		}
		c.Commit(k)
	}
	return nil, nil
}

func TestGood(t *testing.T) {
	tests := []struct {
		name  string
		cells []string
		shown string // types of the last cell's values
	}{
		{"define", []string{"x := 1", "x"}, "int"},
		{"several", []string{"x := 1", "x, \"s\",\n\tfunc() error { return nil }()"}, "int, string, error"},
		{"several after a loop and a definition",
			[]string{"for i, j := 0, 1; i < j; i, j = i+1, j { }\nx, y := 1, 2.5; x, y"}, "int, float64"},
		{"several, suppressed", []string{"1, 2;"}, ""},
		{"several assigned are not shown", []string{"x, y := 1, 2\nx, y = y, x"}, ""},
		{"suppressed", []string{"x := 1", "x;"}, ""},
		{"untyped", []string{"1+1"}, "int"},
		{"comparison", []string{"1 < 2"}, "bool"},
		{"comma ok", []string{"m := map[string][]int{}\nv, ok := m[\"a\"]", "v, ok = m[\"b\"]\nok"}, "bool"},
		{"two values", []string{"import \"strconv\"\nstrconv.Atoi(\"1\")"}, "int, error"},
		{"print is silent", []string{"fmt.Println(1)"}, ""},
		{"reuse of err", []string{"a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"2\")\na + b"}, "int"},
		{"redefine with itself", []string{"s := \"a b\"", "s := strings.Fields(s)\ns"}, "[]string"},
		{"earlier use keeps the earlier type", []string{"x := 1", "y := x + 1\nx := \"s\"\nx[:y]"}, "string"},
		{"import hidden by a variable", []string{"import \"strings\"", "strings := strings.Fields(\"a b\")\nstrings"},
			"[]string"},
		{"header variables stay inside",
			[]string{"for i := 0; i < 3; i++ { j := i; _ = j }\nif k := 1; k > 0 { fmt.Println(k) }"}, ""},
		{"labels", []string{"L: for i := range 3 { for { if i == 1 { break L }; continue L } }\ngoto E\nE: fmt.Println()"},
			""},
		{"function before variable", []string{"func f() int { return n }\nn := 2\nf()"}, "int"},
		{"recursion through a variable",
			[]string{"var fib func(int) int\nfib = func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfib(5)"}, "int"},
		{"initializer that comes back", []string{"x := f()\nfunc f() int { return x }"}, ""},
		{"declarations in any order", []string{"var a = b + 1\nvar b = 2"}, ""},
		{"type and methods", []string{"type P struct{ X int }\nfunc (p P) String() string { return fmt.Sprint(p.X) }\nP{1}"},
			"main.P"},
		{"generic over cells", []string{"func Map[T, U any](s []T, f func(T) U) []U { var r []U; for _, v := range s { " +
			"r = append(r, f(v)) }; return r }", "Map([]int{1}, func(i int) string { return fmt.Sprint(i) })"}, "[]string"},
		{"generic type over cells",
			[]string{"type S[T any] struct{ v []T }\nfunc (s *S[T]) Push(v T) { s.v = append(s.v, v) }",
				"s := &S[int]{}\ns.Push(1)\ns.v"}, "[]int"},
		{"std generics", []string{"slices.Sorted(maps.Keys(map[string]int{\"a\": 1}))"}, "[]string"},
		{"std atomics", []string{"var p atomic.Pointer[int]\nvar n atomic.Int64\nn.Add(1)\np.Store(new(int))\nonce := " +
			"sync.OnceValue(func() int { return 1 })\nonce()"}, "int"},
		{"unsafe by its name", []string{"unsafe.Sizeof(int32(1))"}, "uintptr"},
		{"rand by its names", []string{"rand.Intn(3)", "rand.IntN(3)"}, "int"},
		{"const iota", []string{"const (\n A = iota\n B\n)\nB"}, "int"},
		{"whole program", []string{"package main\nimport \"fmt\"\nvar x = y\nvar y = 1\nfunc init() { x++ }\nfunc " +
			"main() { fmt.Println(x) }"}, ""},
		{"var without value", []string{"var n int\nvar p, q *int\nn"}, "int"},
		{"iterators", []string{"for i, w := range slices.All(strings.Fields(\"a b\")) { fmt.Println(i, w) }\nnext, stop " +
			":= iter.Pull(slices.Values([]int{1}))\ndefer stop()\nnext()"}, "int, bool"},
		{"names of Go before they are declared",
			[]string{"max := max(1, 2.5)\nstring := string(rune(65))\ntrue := !true\nlen := len(string)\nnew := " +
				"*new(int)\nx := append([]int{}, max_(1))\nfunc max_(n int) int { return n }\nmax, string, true, len, new"},
			"float64, string, bool, int, int"},
		{"new of a shadowed name", []string{"new := 1\nvar x int\nnew + x"}, "int"},
		{"method value", []string{"var b strings.Builder\nf := b.WriteString\nf(\"x\")"}, "int, error"},
		{"unused import", []string{"import \"os\"\n1"}, "int"},
		{"empty", []string{""}, ""},
		{"comment", []string{"// nothing"}, ""},
		{"dot import", []string{"import . \"math\"\nSqrt(2)"}, "float64"},
		{"dot import of an earlier cell", []string{"import . \"math\"", "func f() float64 { return Sqrt(Pi) }",
			"import . \"strings\"\nfunc Sin(x float64) int { return 1 }", "var b Builder\nSin(2), Cos(2)"}, "int, float64"},
		{"renamed import", []string{"import str \"strings\"", "str.ToUpper(\"a\")"}, "string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, err := cells(t, test.cells...)
			if err != nil {
				t.Fatal(err)
			}
			var shown []string
			for _, typ := range k.Shown {
				shown = append(shown, types.TypeString(typ, nil))
			}
			if got := strings.Join(shown, ", "); got != test.shown {
				t.Errorf("shows %q, want %q", got, test.shown)
			}
		})
	}
}

func TestBad(t *testing.T) {
	tests := []struct {
		name  string
		cells []string
		want  string // lines of the first diagnostic, joined by |
	}{
		{"undefined", []string{"total := 1", "x := 2\n\ttotl + x"},
			"In[2]:2:2: undefined: totl (did you mean total?)|\ttotl + x|\t^"},
		{"member", []string{"strings.ToUper(\"x\")"}, "In[1]:1:9: undefined: strings.ToUper (did you mean strings.ToUpper?)"},
		{"dot import", []string{"import . \"math\"", "Sqrrt(2)"}, "In[2]:1:1: undefined: Sqrrt"},
		{"embed", []string{"x := 1", "//go:embed x.txt\nvar s string"},
			"In[2]:1:1: //go:embed is not supported in cells: there is no package directory to embed files from: read them " +
				"with os.ReadFile, or use os.DirFS|//go:embed x.txt|^"},
		{"types of one name", []string{"type T struct{ a int }\nfunc f(t T) {}\nx := T{}", "type T struct{ b int }\ny := T{}",
			"f(y)"},
			"In[3]:1:3: cannot use y (variable of struct type T) as T value in argument to f|\tthese are two types T: T " +
				"was declared again in In[2], and what was declared before that has the earlier one in In[1], until its cell is " +
				"run again|f(y)|  ^"},
		{"mismatched types of one name", []string{"type T struct{ a int }\nx := []T{{}}", "type T struct{ b int }\ny := T{}",
			"x[0] == y"},
			"In[3]:1:9: invalid operation: x[0] == y (mismatched types T and T)|\tthese are two types T"},
		{"a type of this cell and an earlier one", []string{"type T struct{ a int }\nx := T{}",
			"type T struct{ b int }\nx = T{}"},
			"In[2]:2:5: cannot use T{} (value of struct type T) as T value in assignment|\tT is a new type in this cell: x " +
				"still has the one declared before in In[1]"},
		{"a constraint of this cell", []string{"type N interface{ ~int }\nfunc f[X N](x X) {}",
			"type N interface{ ~int | ~string }\nf(\"\")"},
			"In[2]:2:1: string does not satisfy N (string missing in ~int)|\tN is a new type in this cell: f still has the " +
				"one declared before in In[1]"},
		{"several with a call of two", []string{"x := 1", "strconv.Atoi(\"1\"), x"},
			"In[2]:1:1: strconv.Atoi(\"1\") has 2 values: in a list of expressions each must be one value"},
		{"several with nil", []string{"1, nil"}, "In[1]:1:4: nil has no type: in a list"},
		{"several with nothing", []string{"func f() {}", "1, f()"}, "In[2]:1:4: f() has no value: in a list"},
		{"assigned and never declared", []string{"x = 5"}, "In[1]:1:1: undefined: x (x := declares it)|x = 5|^"},
		{"assigned, and another is near", []string{"total := 1", "totl = 5"},
			"In[2]:1:1: undefined: totl (did you mean total?)"},
		{"used beside an assignment", []string{"x := 1", "x = y"}, "In[2]:1:5: undefined: y|"},
		{"a method of a package", []string{"reflect.NumField(1)"},
			"In[1]:1:9: undefined: reflect.NumField (it is a method of reflect.Type)"},
		{"a method of a pointer", []string{"strings.Grow(1)"},
			"In[1]:1:9: undefined: strings.Grow (it is a method of *strings.Builder)"},
		{"asked as elsewhere", []string{"strings.ToUpper?"},
			"In[1]:1:16: invalid character U+003F '?' (%help strings.ToUpper shows its documentation)"},
		{"a question mark elsewhere", []string{"x := a ? b : c"}, "In[1]:1:8: invalid character U+003F '?'|"},
		{"wide characters", []string{"s := \"日本\" + 1"},
			"In[1]:1:6: invalid operation: \"日本\" + 1 (mismatched types untyped string and untyped int)|s := " +
				"\"日本\" + 1|     ^"},
		{"several not at the end", []string{"x := 1\nx, x\nx"},
			"In[1]:2:5: syntax error: unexpected newline, expected := or = or comma|x, x|    ^"},
		{"several in a block", []string{"x := 1\nif true { x, x }"},
			"In[1]:2:16: syntax error: unexpected }, expected := or = or comma"},
		{"several and a comma", []string{"x := 1\nx, x,"},
			"In[1]:2:6: syntax error: expected expression, found the end of the cell"},
		{"several of which one is unknown", []string{"x := 1\nx, z"}, "In[1]:2:4: undefined: z"},
		{"no such member", []string{"strings.Foo(1)"}, "In[1]:1:9: undefined: strings.Foo|"},
		{"a variable that is like a package", []string{"users := 1", "user.Name"},
			"In[2]:1:1: undefined: user (did you mean users?)"},
		{"nothing near", []string{"type P int", "undefined_thing"}, "In[2]:1:1: undefined: undefined_thing|"},
		{"constant that overflows", []string{"const big = 1 << 100", "big"},
			"In[2]:1:1: cannot use big (untyped int constant 1267650600228229401496703205376) as int value (overflows)|big|^"},
		{"int that overflows", []string{"1 << 63"},
			"In[1]:1:1: cannot use 1 << 63 (untyped int constant 9223372036854775808) as int value (overflows)"},
		{"literal that overflows", []string{"9223372036854775808"},
			"In[1]:1:1: cannot use 9223372036854775808 (untyped int constant) as int value (overflows)"},
		{"rune that overflows", []string{"'x' << 40"},
			"In[1]:1:1: cannot use 'x' << 40 (untyped rune constant 131941395333120) as rune value (overflows)"},
		{"float that overflows", []string{"1e400"},
			"In[1]:1:1: cannot use 1e400 (untyped float constant 1e+400) as float64 value (overflows)"},
		{"complex that overflows", []string{"1e400i"}, "In[1]:1:1: cannot use 1e400i (untyped complex constant"},
		{"member of an import", []string{"import \"strings\"\nstrings.ToUper(\"x\")"},
			"In[1]:2:9: undefined: strings.ToUper (did you mean strings.ToUpper?)|strings.ToUper(\"x\")|        ^"},
		{"the beginning of a member", []string{"var d struct{ MustUpload, MustLoadProgram, MustLoadPTX int }\nd.MustLoad"},
			"In[1]:2:3: d.MustLoad undefined (type struct{MustUpload int; MustLoadProgram int; MustLoadPTX int} has no " +
				"field or method MustLoad) (did you mean MustLoadPTX?)"},
		{"field", []string{"type P struct{ Name string }\nP{}.Nmae"},
			"In[1]:2:5: P{}.Nmae undefined (type P has no field or method Nmae) (did you mean Name?)"},
		{"type", []string{"var s string = 1"}, "In[1]:1:16: cannot use 1 (untyped int constant) as string value in"},
		{"local unused", []string{"func f() { x := 1 }"}, "In[1]:1:12: declared and not used: x"},
		{"nothing new", []string{"x := 1\nx := 2"}, "In[1]:2:3: no new variables on left side of :="},
		{"own name undefined", []string{"f := func() { f() }"}, "In[1]:1:15: undefined: f"},
		{"use before", []string{"fmt.Println(x)\nx := 1"}, "In[1]:1:13: undefined: x"},
		{"syntax", []string{"x := 1\ny := x +"}, "In[1]:2:9: syntax error: expected operand, found the end of the cell"},
		{"bracket", []string{"x := 1)\n"}, "In[1]:1:7: syntax error: unexpected )"},
		{"injection", []string{"}\nfunc evil() {"}, "In[1]:1:1: syntax error: unexpected }"},
		{"missing return", []string{"func f() int {\n}"}, "In[1]:2:1: missing return"},
		{"count", []string{"a, b := 1"}, "In[1]:1:9: assignment mismatch: 2 variables but 1 value"},
		{"expression not last", []string{"x := 1\nx + 1\nx"}, "In[1]:2:1: x + 1 (value of type int) is not used"},
		{"cgo", []string{"import \"C\""}, "In[1]:1:8: could not import C (cgo is not supported in cells"},
		{"utf8 column", []string{"s := \"äö\"; s.x"}, "In[1]:1:16: s.x undefined"},
		{"several words", []string{"var x int = \"a\"\nvar y string = 2"}, "In[1]:1:13:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := cells(t, test.cells...)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if got := strings.Join(e.Diagnostics[0].Lines(), "|"); !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

const fifteen = `total := 0
type point struct{ x, y int }
func (p point) String() string { return fmt.Sprint(p.x, ",", p.y) }
func norm(p point) int {
	return p.x*p.x + p.y*p.y
}
points := []point{{1, 2}, {3, 4}}
for i, p := range points {
	total += norm(p) * i
}
m := map[string]int{}
for _, w := range strings.Fields("a b a") {
	m[w]++
}
fmt.Println(total, points, m)`

func BenchmarkCheck15Lines(b *testing.B) {
	c := newChecker(b)
	n := 0
	for b.Loop() {
		n++
		k, err := c.Check(n, fifteen)
		if err != nil {
			b.Fatal(err)
		}
		c.Commit(k)
	}
}

func BenchmarkCheckSlices(b *testing.B) {
	c := newChecker(b)
	n := 0
	for b.Loop() {
		n++
		if _, err := c.Check(n, "slices.Sort([]int{2, 1})"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyCells: the checker keeps nothing of cells whose names are declared again.
func TestManyCells(t *testing.T) {
	c := newChecker(t)
	var heap []uint64
	for i := range 601 {
		k, err := c.Check(i+1, fmt.Sprintf("n := %d\nfunc F[T any](x T) T { return x }\n", i)+fifteen)
		if err != nil {
			t.Fatal(err)
		}
		c.Commit(k)
		if i%300 == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap = append(heap, m.HeapAlloc)
		}
	}
	if last := len(heap) - 1; heap[last] > heap[1]+heap[1]/10 {
		t.Errorf("heap after 1, 300 and 600 cells: %v", heap)
	}
}

// TestStale: what a cell says of the earlier code that it leaves behind.
func TestStale(t *testing.T) {
	const declared = "type T struct{ a int }\nfunc (t T) M() int { return t.a }"
	const users = "x := T{1}\nfunc f(t T) int { return t.M() }\ntype U struct{ T }"
	tests := []struct {
		name  string
		cells []string
		want  string
	}{
		{"the same again", []string{declared, users, declared}, ""},
		{"another body", []string{declared, users, "func (t T) M() int { return 7 }"}, ""},
		{"a method more", []string{declared, users, "func (t *T) N() {}"}, ""},
		{"the type alone", []string{"type T struct{ a int }", "func (t T) M() int { return t.a }", users,
			"type T struct{ a int }"}, ""},
		{"renamed parameters", []string{"type T[K comparable, V any] struct{ m map[K]V }\nfunc (t *T[K, V]) Put(k K, v V) {}",
			"var x T[string, int]", "type T[A comparable, B any] struct{ m map[A]B }\nfunc (t *T[X, Y]) Put(key X, value Y) {}"},
			""},
		{"an interface", []string{"type T interface{ M(T) []T }", "var x T\nfunc f(T) {}",
			"type T interface {\n\tM(other T) []T\n}"}, ""},
		{"a constraint", []string{"type N interface{ ~int | ~float64 }\ntype T[X N] struct{ x X }", "var x T[int]",
			"type N interface {\n\t~int | ~float64\n}\ntype T[X N] struct{ x X }"}, ""},
		{"constants in it", []string{"const n = 3\ntype T [n]int", "var x T", "const n = 3\ntype T [n]int"}, ""},
		{"another field", []string{declared, users, "type T struct{ a, b int }\nfunc (t T) M() int { return t.a }"},
			"T is a new type now: U, f, x still have the one declared before in In[1]"},
		{"another tag", []string{"type T struct{ a int }", "x := T{1}", "type T struct{ a int `json:\"a\"` }"},
			"T is a new type now: x still has the one declared before in In[1]"},
		{"another signature", []string{declared, users, "func (t T) M() string { return \"\" }"},
			"T is a new type now: U, f, x still have the one declared before in In[1]"},
		{"another receiver", []string{declared, users, "func (t *T) M() int { return 1 }"},
			"T is a new type now: U, f, x still have the one declared before in In[1]"},
		{"a method less", []string{declared, users, "type T struct{ a int }"},
			"T is a new type now: U, f, x still have the one declared before in In[1]"},
		{"another constant in it", []string{"const n = 3\ntype T [n]int", "var x T", "const n = 4\ntype T [n]int"},
			"T is a new type now: x still has the one declared before in In[1]"},
		{"a type that it mentions", []string{"type A struct{ n int }\ntype T struct{ a *A }", "var x T",
			"type A struct{ n string }\ntype T struct{ a *A }"},
			"A is a new type now: x still has the one declared before in In[1]; " +
				"T is a new type now: x still has the one declared before in In[1]"},
		{"a generic type's new method", []string{"type T[X any] struct{ x X }", "var x T[int]",
			"func (t T[X]) Get() X { return t.x }"}, ""},
		{"another signature of a generic type's method",
			[]string{"type T[X any] struct{ x X }", "func (t T[X]) Get() X { return t.x }", "var x T[int]",
				"func (t T[X]) Get() int { return 0 }"}, "T is a new type now: x still has the one declared before in In[1]"},
		{"a promoted method is hidden",
			[]string{declared, users, "u := U{x}", "func g() int { return u.M() }", "func (u U) M() int { return 1 }"}, ""},
		{"a promoted field is hidden",
			[]string{declared, users, "u := U{x}", "func g() int { return u.a }", "func (u U) a() int { return 1 }"},
			"U is a new type now: u still has the one declared before in In[2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, err := cells(t, test.cells...)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(k.Stale, "; "); got != test.want {
				t.Errorf("says %q, want %q", got, test.want)
			}
		})
	}
}

// TestNothingGainedByFailure: a cell that is not committed leaves a type as it was.
func TestNothingGainedByFailure(t *testing.T) {
	c := newChecker(t)
	for i, src := range []string{"type T struct{ a int }", "func (t T) M() int { return t.a }\nundefined1",
		"func (t T) M() int { return t.a }"} {
		k, err := c.Check(i+1, src)
		if i == 0 {
			c.Commit(k)
		}
		if bad := strings.Contains(src, "undefined"); bad != (err != nil) {
			t.Fatal(err)
		}
	}
	if n := c.Objects()[0].Type().(*types.Named).NumMethods(); n != 0 {
		t.Errorf("%d methods", n)
	}
}

func TestExcerpts(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	for _, c := range []struct {
		line   string
		column int
		want   [2]string
	}{
		{"\tx + y", 6, [2]string{"\tx + y", "\t    ^"}},
		{"世界 + 1", 8, [2]string{"世界 + 1", "     ^"}},
		{"x", 9, [2]string{"x", " ^"}},
		{long, 1, [2]string{long[:30] + "…", "^"}},
		{long, 151, [2]string{"…" + long[80:150] + long[150:180] + "…", strings.Repeat(" ", 71) + "^"}},
		{long, 200, [2]string{"…" + long[129:199] + long[199:], strings.Repeat(" ", 71) + "^"}},
		{strings.Repeat("é", 101), 203, [2]string{"…" + strings.Repeat("é", 70), strings.Repeat(" ", 71) + "^"}},
	} {
		d := Diagnostic{Line: c.line}
		d.Pos.Column = c.column
		if got := d.Excerpt(); got != c.want {
			t.Errorf("column %d of %q: %q, want %q", c.column, c.line, got, c.want)
		}
	}
}
