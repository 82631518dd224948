package enginetest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// declarations are those of a library, each of which names what is before it: types that embed and
// lead to earlier ones, interfaces, generic types, methods that come one by one long after their
// types and hide what is promoted, functions that take all of them, and what its main does.
func declarations(n int) (list []string, main string) {
	for i := range n / 10 {
		list = append(list,
			fmt.Sprintf("type T%d struct { *T%d; prev *T%d; n int }", i, max(i-1, 0), max(i-7, 0)),
			fmt.Sprintf("type I%d interface { Name() string; M%[1]d() int }", i),
			fmt.Sprintf("type G%d[K comparable, V any] struct { m map[K]V; t *T%[1]d }", i),
			fmt.Sprintf("func New%d(n int) *T%[1]d { return &T%[1]d{n: n} }", i),
			fmt.Sprintf("func (t *T%d) M%d() int { return t.n + %[2]d }", i/3, i),
			fmt.Sprintf("func (t *T%d) Name() string { return \"T%[1]d\" }", i),
			fmt.Sprintf("func (t T%d) String() string { return fmt.Sprint(%d, \":\", t.n) }", i/2, i),
			fmt.Sprintf("func (g *G%d[K, V]) Put%d(k K, v V) int { g.m = map[K]V{k: v}; return len(g.m) }", i/4, i),
			fmt.Sprintf("func use%d(x I%[1]d, t *T%d) string { return fmt.Sprint(x.Name(), x.M%[1]d(), t, New%[1]d(3).Name()) }",
				i, i/2),
			fmt.Sprintf("var v%d = use%[1]d(New%[2]d(%[1]d), New%[3]d(1)) +"+
				" fmt.Sprint(new(G%[4]d[string, T%[2]d]).Put%[1]d(\"k\", T%[2]d{}))",
				i, i/3, i/2, i/4),
		)
		if i%4 == 0 { // chains of four that embed each other
			list[i*10] = fmt.Sprintf("type T%d struct { prev *T%d; n int }", i, max(i-7, 0))
		}
		if i%2 == 1 { // String is there
			list[i*10+6] = fmt.Sprintf("func (t T%d) Extra%d() string { return \"extra\" }", i/2, i)
		}
		main += fmt.Sprintf("\tfmt.Println(v%d == use%[1]d(New%[2]d(%[1]d), New%[3]d(1))+\"1\","+
			" New%[3]d(2).Name(), any(T%[3]d{}).(fmt.Stringer))\n", i, i/3, i/2)
	}
	return list, main
}

// A library that arrives declaration by declaration behaves as its file does, and a cell takes
// about as long at the end as at the beginning (G1, G2). VYRE_DECLARATIONS=3000 for the long run.
func TestGrowingLibrary(t *testing.T) {
	n := 600
	if v := os.Getenv("VYRE_DECLARATIONS"); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatal(err)
		}
	}
	list, main := declarations(n)
	open := conformance.On(Engines["vm"])
	file := "package main\nimport \"fmt\"\n" + strings.Join(list, "\n") + "\nfunc main() {\n" + main + "}\n"
	want, err := conformance.Whole(open, conformance.Program{Source: file})
	if err != nil || want.Exit != 0 {
		t.Fatal(want, err)
	}
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cell := func(source string) {
		if err := s.Cell(t.Context(), source); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
	}
	cell("import \"fmt\"")
	var each []time.Duration // processor time of a cell, in the mean of a hundred
	for i := 0; i < n; i += 100 {
		began := processorTime()
		for _, d := range list[i:min(i+100, n)] {
			cell(d)
		}
		each = append(each, (processorTime()-began)/100)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("processor time of a cell by hundreds: %v, heap %d MB", each, m.HeapAlloc>>20)
	if n <= 600 && each[len(each)-1] > each[0]+10*time.Millisecond {
		t.Errorf("a cell takes %v, where it took %v", each[len(each)-1], each[0])
	}
	got, err := conformance.Capture(func() error { cell(main); return nil })
	if err != nil || got != want.Stdout {
		t.Errorf("in cells:\n%s\nin one file:\n%s", got, want.Stdout)
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
