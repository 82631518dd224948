package differ

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

// TestMain is also the engine's process.
func TestMain(m *testing.M) {
	if name := os.Getenv("DIFFER_ENGINE"); name != "" {
		os.Exit(conformance.ExecuteFile(conformance.On(enginetest.Engines[name]), os.Args[1], os.Stderr))
	}
	flag.Parse()
	os.Exit(m.Run())
}

func engineProcess(t *testing.T, name string) Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Engine{Name: name, Command: []string{"env", "DIFFER_ENGINE=" + name, self}}
}

// TestGenerated is the short run of what command fuzzprograms does for hours.
func TestGenerated(t *testing.T) {
	h := Hunt{Dir: t.TempDir(), Batch: 12}
	for _, name := range engineNames() {
		h.Engines = append(h.Engines, engineProcess(t, name))
	}
	figures := Figures{Refused: map[string]int{}, Slow: map[string]int{}}
	findings, err := h.From(t.Context(), 1, &figures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Errorf("seed %d on %s: %s", f.Seed, f.Engine.Name, f.Difference)
	}
	t.Log(figures)
}

func engineNames() []string {
	names := []string{"vm"}
	for name := range enginetest.Engines {
		if name != "vm" {
			names = append(names, name)
		}
	}
	return names
}

// An engine that is wrong about one function is found out, and the program made as small as the difference allows.
func TestFindsAndMinimises(t *testing.T) {
	const program = `package main

import "fmt"

type unused struct{ a, b int }

func odd(n int) bool { return n%2 == 1 }

func main() {
	for i := range 3 {
		fmt.Println("loop", i)
	}
	if odd(3) {
		x := 7
		x++
		fmt.Println("wrong here")
	}
}
`
	dir := t.TempDir()
	// sed is the faulty engine: whatever the program does, what it prints is that the line is in it
	bad := Engine{Name: "bad", Command: []string{"sed", "-n", "s/.*wrong here.*/WRONG/p"}}
	h := Hunt{Dir: dir, Engines: []Engine{engineProcess(t, "vm"), bad}}
	natives, err := Native(t.Context(), dir+"/native", []string{program})
	if err != nil {
		t.Fatal(err)
	}
	d := Difference(bad.Run(t.Context(), dir, program), natives[0], true)
	if d == "" {
		t.Fatal("no difference")
	}
	small := h.Minimise(t.Context(), Finding{Engine: bad, Source: program, Native: natives[0].Outcome, Difference: d}, 40)
	for _, gone := range []string{"unused", "loop", "x++"} {
		if strings.Contains(small.Source, gone) {
			t.Errorf("%s is left of\n%s", gone, small.Source)
		}
	}
}

func TestDifference(t *testing.T) {
	right := Answer{Outcome: conformance.Outcome{Stdout: "a\n"}}
	for _, c := range []struct {
		name      string
		got       Answer
		native    Answer
		mayRefuse bool
		want      string
	}{
		{"same", right, right, false, ""},
		{"output", Answer{Outcome: conformance.Outcome{Stdout: "b\n"}}, right, true, "output:"},
		{"exit", Answer{Outcome: conformance.Outcome{Stdout: "a\n", Exit: 2}}, right, true, "exit status 2"},
		{"panic", Answer{Outcome: conformance.Outcome{Exit: 2, Panic: "panic: a"}}, Answer{Outcome: conformance.Outcome{Exit: 2, Panic: "panic: b"}}, true, "dies of"},
		{"refused", Answer{Refused: "no"}, right, false, "refused: no"},
		{"may refuse", Answer{Refused: "no"}, right, true, ""},
		{"hangs", Answer{Failed: "limit"}, right, false, "does not end"},
		{"may be slow", Answer{Failed: "limit"}, right, true, ""},
		{"native hangs", right, Answer{Failed: "limit"}, true, ""},
	} {
		if got := Difference(c.got, c.native, c.mayRefuse); got != c.want && (c.want == "" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNativeSaysMain(t *testing.T) {
	answers, err := Native(context.Background(), t.TempDir(), []string{"package main\n\nimport \"fmt\"\n\ntype T int\ntype G[E any] struct{ e E }\n\nfunc main() {\n\tfmt.Printf(\"%T %T\\n\", T(1), G[T]{})\n\tpanic(T(2))\n}\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := conformance.Outcome{Stdout: "main.T main.G[main.T]\n", Exit: 2, Panic: "panic: main.T(2)"}
	if d := conformance.Differences(answers[0].Outcome, want); d != "" {
		t.Error(d)
	}
}

func TestBuildErrorNamesTheProgram(t *testing.T) {
	_, err := Native(context.Background(), t.TempDir(), []string{"package main\n\nfunc main() { x := 1 }\n"})
	if err == nil || !strings.Contains(err.Error(), "00/prog.go") {
		t.Errorf("error %v", err)
	}
}
