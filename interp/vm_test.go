package interp

import (
	"os"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

func openVM(t testing.TB) *Session {
	t.Helper()
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, e)
}

// captured runs f with os.Stdout a pipe.
func captured(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = w
	done := make(chan string)
	go func() {
		var b strings.Builder
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				done <- b.String()
				return
			}
		}
	}()
	f()
	os.Stdout = was
	w.Close()
	return <-done
}

// A step is a cell and what it prints, shows or fails with.
type step struct{ source, prints, shows, fails string }

func TestSessions(t *testing.T) {
	tests := []struct {
		name  string
		steps []step
	}{
		{"state", []step{
			{source: "x := 1"},
			{source: "x + 1", shows: "2"},
			{source: "x++"},
			{source: "fmt.Println(x)", prints: "2\n"},
			{source: "x := \"now a string\"\nx", shows: `"now a string"`},
		}},
		{"functions see the newest", []step{
			{source: "func f() int { return x + g() }\nfunc g() int { return 10 }\nx := 1"},
			{source: "f()", shows: "11"},
			{source: "func g() int { return 100 }"},
			{source: "x = 5\nf()", shows: "105"},
			{source: "x := 7\nf()", shows: "107"},
		}},
		{"own earlier value", []step{
			{source: "s := \"a b\""},
			{source: "s := strings.Fields(s)\nlen(s)", shows: "2"},
			{source: "n := 1"},
			{source: "n := n + 1\nn", shows: "2"},
		}},
		{"types and methods", []step{
			{source: "type P struct{ x, y int }\nfunc (p P) String() string { return fmt.Sprint(\"P:\", p.x, \",\", p.y) " +
				"}\np := P{1, 2}"},
			{source: "q := P{1, 2}\nfmt.Println(p == q, p)", prints: "true P:1,2\n"},
			{source: "type P struct{ x, y int }\nfunc (p P) String() string { return fmt.Sprint(\"P:\", p.x, \",\", p.y) }"},
			{source: "q = P{3, 4}\nfmt.Println(q)", prints: "P:3,4\n"},
		}},
		{"generics over cells", []step{
			{source: "func Map[T, U any](s []T, f func(T) U) []U { var r []U; for _, v := range s { r = append(r, f(v)) }; " +
				"return r }"},
			{source: "fmt.Println(Map([]int{1, 2}, func(i int) string { return fmt.Sprint(i, \"!\") }))", prints: "[1! 2!]\n"},
			{source: "type S[T any] struct{ v []T }\nfunc (s *S[T]) Push(v T) { s.v = append(s.v, v) }"},
			{source: "var s S[int]\ns.Push(3)\nfmt.Println(s.v)", prints: "[3]\n"},
		}},
		{"panic keeps effects", []step{
			{source: "a := []int{1}\nk := 3\na[0] = 9\nfmt.Println(a[k])",
				fails: "runtime error: index out of range [3] with length 1"},
			{source: "fmt.Println(a, k)", prints: "[9] 3\n"},
		}},
		{"redeclared var starts at zero", []step{
			{source: "var n int = 5"},
			{source: "var n int\nfmt.Println(n)", prints: "0\n"},
		}},
		{"package order", []step{
			{source: "var a = b + 1\nvar b = f()\nfunc f() int { return 2 }"},
			{source: "fmt.Println(a, b)", prints: "3 2\n"},
		}},
		{"whole program", []step{
			{source: "package main\nimport \"fmt\"\nvar x = y\nvar y = 1\nfunc init() { x++ }\nfunc main() { fmt.Println(x) }",
				prints: "2\n"},
		}},
		{"init in a cell", []step{
			{source: "var n = 1\nfunc init() { fmt.Println(\"init\") }", prints: "init\n"},
		}},
		{"mutual recursion over cells", []step{
			{source: "var odd func(int) bool\nfunc even(n int) bool { if n == 0 { return true }; return odd(n - 1) }"},
			{source: "odd = func(n int) bool { if n == 0 { return false }; return even(n - 1) }\neven(10)", shows: "true"},
		}},
		{"std generics", []step{
			{source: "slices.Sorted(maps.Keys(map[string]int{\"b\": 1, \"a\": 2}))[0]", shows: `"a"`},
			{source: "next, stop := iter.Pull(slices.Values([]int{4, 5}))\nv, _ := next()\nstop()\nv", shows: "4"},
			{source: "var p atomic.Pointer[int]\np.Store(new(int))\n*p.Load()", shows: "0"},
			{source: "reflect.TypeFor[error]().String()", shows: `"error"`},
			{source: "unique.Make(\"a\") == unique.Make(\"a\")", shows: "true"},
			{source: "m := maps.Clone(map[string]int{\"a\": 1})\nlen(m)", shows: "1"},
			{source: "sync.OnceValue(func() int { return 7 })()", shows: "7"},
		}},
		{"goroutines over cells", []step{
			{source: "ch := make(chan int)\ndone := make(chan int)\ngo func() { s := 0; for v := range ch { s += v }; done " +
				"<- s }()"},
			{source: "for i := range 5 { ch <- i }"},
			{source: "close(ch)\n<-done", shows: "10"},
		}},
		{"exit", []step{
			{source: "x := 1\nos.Exit(3)", fails: "exit status 3"},
			{source: "x", shows: "1"},
		}},
		{"failing cell leaves nothing", []step{
			{source: "y := 1\nz := nope", fails: "In[1]:2:6: undefined: nope"},
			{source: "y", fails: "In[2]:1:1: undefined: y"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := openVM(t)
			for i, step := range test.steps {
				checkStep(t, s, i+1, step)
			}
		})
	}
}

func checkStep(t *testing.T, s *Session, n int, want step) {
	t.Helper()
	prints := captured(t, func() {
		r := execute(s, n, want.source)
		var shows, fails string
		if r.Result != nil {
			shows, _ = r.Result.Data[display.TypeText].(string)
		}
		if r.Error != nil {
			fails = r.Error.Value
		}
		if shows != want.shows || fails != want.fails {
			t.Errorf("cell %d %q: shows %q fails %q, want %q and %q", n, want.source, shows, fails, want.shows, want.fails)
		}
	})
	if prints != want.prints {
		t.Errorf("cell %d %q: prints %q, want %q", n, want.source, prints, want.prints)
	}
}

func TestMethodsOverCells(t *testing.T) {
	s := openVM(t)
	for i, step := range []step{
		{source: "type P struct{ x int }\np := P{1}"},
		{source: "func (p P) String() string { return fmt.Sprint(\"P\", p.x) }"},
		{source: "p := P{2}\nfmt.Println(p)", prints: "P2\n"},
		{source: "func (p *P) Inc() { p.x++ }"},
		{source: "p := P{3}\np.Inc()\nfmt.Println(p)", prints: "P4\n"},
		{source: "func (p *P) Inc() { p.x++ }"},
		{source: "p.Inc()\nfmt.Println(p)", prints: "P5\n"},
		{source: "func (p P) String() string { return \"again\" }\nfmt.Println(P{})", prints: "again\n"},
		{source: "func (p P) Bad() string { return p.y }",
			fails: "In[9]:1:36: p.y undefined (type P has no field or method y)"},
		{source: "fmt.Println(P{}, p)", prints: "again again\n"},
	} {
		checkStep(t, s, i+1, step)
	}
}

// Commands that look at variables show their values: no code of cells runs meanwhile.
func TestCommandsShowValues(t *testing.T) {
	s := openVM(t)
	execute(s, 1, "shown := []int{1, 2}")
	for n, command := range []string{"%who", "%help shown"} {
		r := execute(s, 2+n, command)
		text := ""
		if r.Result != nil {
			text, _ = r.Result.Data[display.TypeText].(string)
		}
		for _, p := range r.Payload {
			text += string(p)
		}
		if !strings.Contains(text, "{1, 2}") && !strings.Contains(text, "[1 2]") {
			t.Errorf("%s: %q %+v", command, text, r)
		}
	}
}
