package differ

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

// TestMain is also the engine's process.
func TestMain(m *testing.M) {
	if name := os.Getenv("DIFFER_ENGINE"); name != "" {
		engine, cells := strings.CutSuffix(name, "-cells")
		run := conformance.ExecuteFile
		if cells {
			run = conformance.ExecuteInCells
		}
		os.Exit(run(conformance.On(enginetest.Engines[engine]), os.Args[1], os.Stderr))
	}
	flag.Parse()
	os.Exit(leaktest.Run(m, "interp/conformance"))
}

func engineProcess(t *testing.T, name string) Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Engine{Name: name, MayRefuse: name != "vm", Command: []string{"env", "DIFFER_ENGINE=" + name, self}}
}

// TestGenerated is the short run of what command fuzzprograms does for hours.
func TestGenerated(t *testing.T) {
	h := Hunt{Batch: 8, Limits: limits}
	for _, name := range []string{"vm", "vm-cells", "yaegi"} {
		h.Engines = append(h.Engines, engineProcess(t, name))
	}
	var figures Figures
	findings, err := h.From(t.Context(), t.TempDir(), 1, &figures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Errorf("seed %d on %s is %s: %s", f.Seed, f.Engine.Name, f.Verdict, f.Difference)
	}
	t.Log(&figures)
}

var limits = Limits{First: 20 * time.Second, Again: 3 * time.Minute}

// An engine that is wrong about one function is found out, and the program made as small as the
// difference allows.
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
	bad := Engine{Name: "bad", MayRefuse: true, Command: []string{"sed", "-n", "s/.*wrong here.*/WRONG/p"}}
	h := Hunt{Engines: []Engine{engineProcess(t, "vm"), bad}, Limits: limits}
	binary, err := Toolchain{}.Build(t.Context(), dir+"/native", []string{program})
	if err != nil {
		t.Fatal(err)
	}
	native := binary.Run(t.Context(), 0, limits.First)
	v, d := Compare(bad.Run(t.Context(), dir, program, limits.First), native, true)
	if v != Different {
		t.Fatal("no difference")
	}
	small := h.Minimise(t.Context(), dir, Finding{Engine: bad, Source: program, Native: native.Outcome, Difference: d}, 40)
	for _, gone := range []string{"unused", "loop", "x++"} {
		if strings.Contains(small.Source, gone) {
			t.Errorf("%s is left of\n%s", gone, small.Source)
		}
	}
}

func TestCompare(t *testing.T) {
	right := Answer{Outcome: conformance.Outcome{Stdout: "a\n"}}
	for _, c := range []struct {
		name      string
		got       Answer
		native    Answer
		mayRefuse bool
		verdict   Verdict
		want      string
	}{
		{"same", right, right, false, Same, ""},
		{"output", Answer{Outcome: conformance.Outcome{Stdout: "b\n"}}, right, true, Different, "output:"},
		{"exit", Answer{Outcome: conformance.Outcome{Stdout: "a\n", Exit: 2}}, right, true, Different, "exit status 2"},
		{"panic", Answer{Outcome: conformance.Outcome{Exit: 2, Panic: "panic: a"}},
			Answer{Outcome: conformance.Outcome{Exit: 2, Panic: "panic: b"}}, true, Different, "dies of"},
		{"refused", Answer{Refused: "no"}, right, false, Different, "refused: no"},
		{"may refuse", Answer{Refused: "no"}, right, true, Refused, "no"},
		{"hangs", Answer{Failed: "limit"}, right, false, OverTime, "limit"},
		{"native hangs", right, Answer{Failed: "limit"}, true, Endless, "native code: limit"},
		{"both hang", Answer{Failed: "limit"}, Answer{Failed: "limit"}, false, Endless, "native code: limit"},
	} {
		if v, got := Compare(c.got, c.native, c.mayRefuse); v != c.verdict || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, %q, want %s, %q", c.name, v, got, c.verdict, c.want)
		}
	}
}

// What differs or is not over runs again before it counts: the engine here is a shell script that
// counts its runs.
func TestSettle(t *testing.T) {
	const second = `[ -e "$DIR/ran" ]`
	for _, c := range []struct {
		name, script string
		mayRefuse    bool
		native       []string // what it prints, run by run; "" does not end
		want         Verdict
	}{
		{"at once", "echo a", false, []string{"a"}, Same},
		{"slow the first time", second + " || { touch $DIR/ran; exec sleep 9; }; echo a", false, []string{"a"}, Same},
		{"never over", "exec sleep 9", false, []string{"a"}, OverTime},
		{"wrong", "echo b", false, []string{"a"}, Different},
		{"wrong once", second + " && echo a || echo b; touch $DIR/ran", false, []string{"a"}, Unsteady},
		{"slow, then wrong", second + " || { touch $DIR/ran; exec sleep 9; }; echo b", false, []string{"a"}, Different},
		{"refused", "echo no >&2; exit 125", true, []string{"a"}, Refused},
		{"an interpreter never over", "exec sleep 9", true, []string{"a"}, OverTime},
		{"native code slow the first time", "echo a", false, []string{"", "a"}, Same},
		{"neither ends", "exec sleep 9", false, []string{"", ""}, Endless},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			e := Engine{Name: "script", MayRefuse: c.mayRefuse, Command: []string{"env", "DIR=" + dir, "sh", "-c", c.script}}
			native := func(time.Duration) Answer {
				out := c.native[0]
				if c.native = c.native[1:]; out == "" {
					return Answer{Failed: "limit"}
				}
				return Answer{Outcome: conformance.Outcome{Stdout: out + "\n"}}
			}
			h := Hunt{Limits: Limits{First: 300 * time.Millisecond, Again: 600 * time.Millisecond}}
			if v, d, _ := h.settle(t.Context(), dir, e, "", native, native(0)); v != c.want {
				t.Errorf("%s (%s), want %s", v, d, c.want)
			}
		})
	}
}

func TestNativeSaysMain(t *testing.T) {
	binary, err := Toolchain{}.Build(t.Context(), t.TempDir(),
		[]string{"package main\n\nimport \"fmt\"\n\ntype T int\ntype G[E any] struct{ e E }\n\nfunc main() " +
			"{\n\tfmt.Printf(\"%T %T\\n\", T(1), G[T]{})\n\tpanic(T(2))\n}\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := conformance.Outcome{Stdout: "main.T main.G[main.T]\n", Exit: 2, Panic: "panic: main.T(2)"}
	if d := conformance.Differences(binary.Run(t.Context(), 0, limits.First).Outcome, want); d != "" {
		t.Error(d)
	}
}

func TestBuildErrorNamesTheProgram(t *testing.T) {
	_, err := Toolchain{}.Build(t.Context(), t.TempDir(), []string{"package main\n\nfunc main() { x := 1 }\n"})
	if err == nil || !strings.Contains(err.Error(), "00/prog.go") {
		t.Errorf("error %v", err)
	}
}
