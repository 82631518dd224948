package interp

import (
	"context"
	"encoding/json"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// scripted is an engine that answers as a test says.
type scripted struct {
	load, run error
	values    []reflect.Value
	onPanic   func(*engine.Panic)
	units     []*engine.Unit
}

func (e *scripted) Name() string { return "scripted" }
func (e *scripted) Load(u *engine.Unit) error {
	e.units = append(e.units, u)
	return e.load
}
func (e *scripted) Run(context.Context, *engine.Unit) ([]reflect.Value, error) {
	return e.values, e.run
}
func (e *scripted) Variable(*types.Var) (reflect.Value, bool) { return reflect.Value{}, false }
func (e *scripted) Type(types.Type) (reflect.Type, error)     { return nil, nil }
func (e *scripted) Goroutines() []engine.Goroutine {
	return []engine.Goroutine{{ID: 7, Wait: "chan receive"}}
}
func (e *scripted) Context() context.Context             { return nil }
func (e *scripted) Do(_ context.Context, f func()) error { f(); return nil }

func (e *scripted) OnPanic(f func(*engine.Panic)) { e.onPanic = f }
func (e *scripted) Close() error                  { return nil }

// host records what a cell asks for.
type host struct{ shown []worker.Display }

func (h *host) Display(d worker.Display) { h.shown = append(h.shown, d) }
func (h *host) ClearOutput(bool)         {}
func (h *host) Input(context.Context, string, bool) (string, error) {
	return "", worker.ErrStdinNotAllowed
}
func (h *host) Comm(worker.CommEvent) {}

func open(t testing.TB, e engine.Engine) *Session {
	t.Helper()
	s, err := New(e, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func execute(s *Session, n int, source string) worker.ExecuteReply {
	return s.Execute(context.Background(), worker.ExecuteRequest{Number: n, Source: source}, new(host))
}

func TestFailuresOfEngines(t *testing.T) {
	frames := []engine.Frame{{Function: "f"}, {Function: "main"}}
	frames[0].Pos.Filename, frames[0].Pos.Line, frames[0].Pos.Column = "In[1]", 1, 5
	tests := []struct {
		name  string
		e     *scripted
		class string
		value string
		trace string
	}{
		{"panic", &scripted{run: &engine.Panic{Value: "no", Stack: frames}}, "Panic", "no", "panic: no"},
		{"place", &scripted{run: &engine.Panic{Value: "no", Stack: frames}}, "Panic", "no", "In[1]:1:5"},
		{"caret", &scripted{run: &engine.Panic{Value: "no", Stack: frames}}, "Panic", "no", "\n        ^"},
		{"chain", &scripted{run: &engine.Panic{Value: 2, Chain: []any{1}}}, "Panic", "2", "\tpanic: 2"},
		{"exit", &scripted{run: &engine.Exit{Code: 3}}, "Exit", "exit status 3", "the kernel goes on"},
		{"interrupt", &scripted{run: &engine.Interrupted{}}, "Interrupted", "the cell was interrupted; its state is kept",
			"goroutine 7 [chan receive]"},
		{"refusal", &scripted{load: &engine.Refusal{Pos: frames[0].Pos, What: "x", Reason: "y"}}, "Refused",
			"In[1]:1:5: x is not supported: y", "Refused"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, test.e)
			got := execute(s, 1, "println(1)").Error
			if got == nil || got.Name != test.class || got.Value != test.value {
				t.Fatalf("got %+v, want %s: %s", got, test.class, test.value)
			}
			if trace := strings.Join(got.Traceback, "\n"); !strings.Contains(trace, test.trace) {
				t.Errorf("traceback %q lacks %q", trace, test.trace)
			}
		})
	}
}

func TestExitZeroIsNoError(t *testing.T) {
	if got := execute(open(t, &scripted{run: &engine.Exit{}}), 1, "os.Exit(0)").Error; got != nil {
		t.Error(got)
	}
}

func TestRefusedCellIsForgotten(t *testing.T) {
	e := &scripted{load: &engine.Refusal{What: "x", Reason: "y"}}
	s := open(t, e)
	execute(s, 1, "x := 1")
	e.load = nil
	if got := execute(s, 2, "println(x)").Error; got == nil || got.Value != "In[2]:1:9: undefined: x" {
		t.Error(got)
	}
}

func TestCompileError(t *testing.T) {
	s := open(t, &scripted{})
	got := execute(s, 4, "a := 1\nb := aa\n").Error
	if got == nil || got.Name != "CompileError" || got.Value != "In[4]:2:6: undefined: aa (did you mean a?)" {
		t.Fatalf("%+v", got)
	}
	want := "\x1b[1mIn[4]:2:6: undefined: aa (did you mean a?)\x1b[0m\nb := aa\n     ^"
	if trace := strings.Join(got.Traceback, "\n"); trace != want {
		t.Errorf("%q", trace)
	}
}

func TestGoroutinePanicEndsTheCell(t *testing.T) {
	e := new(scripted)
	s := open(t, e)
	sh := new(shell)
	s.newest.Store(sh)
	s.begin(sh, func() {})
	e.onPanic(&engine.Panic{Value: "boom", Goroutine: 2})
	if p := s.end(sh); p == nil || p.Value != "boom" {
		t.Error(p)
	}
}

func TestResult(t *testing.T) {
	s := open(t, &scripted{values: []reflect.Value{reflect.ValueOf(42)}})
	r := execute(s, 1, "40 + 2")
	if r.Error != nil || r.Result == nil || r.Result.Data[display.TypeText] != "42" {
		t.Errorf("%+v", r)
	}
	var none error
	s = open(t, &scripted{values: []reflect.Value{reflect.ValueOf(1), reflect.ValueOf(&none).Elem()}})
	if r := execute(s, 1, `strconv.Atoi("1")`); r.Result == nil || r.Result.Data[display.TypeText] != "1" {
		t.Errorf("%+v", r)
	}
}

func TestUserExpressions(t *testing.T) {
	s := open(t, &scripted{values: []reflect.Value{reflect.ValueOf(3)}})
	r := s.Execute(context.Background(), worker.ExecuteRequest{Number: 1, Source: "x := 3;",
		UserExpressions: map[string]string{"a": "x", "b": "nope"}}, new(host))
	var a, b map[string]any
	if json.Unmarshal(r.UserExpressions["a"], &a) != nil || json.Unmarshal(r.UserExpressions["b"], &b) != nil {
		t.Fatal(r.UserExpressions)
	}
	if a["status"] != "ok" || b["status"] != "error" || b["ename"] != "CompileError" {
		t.Error(a, b)
	}
}

func TestMagics(t *testing.T) {
	s := open(t, &scripted{})
	tests := []struct{ source, class, want string }{
		{"%hlp", "UnknownMagic", "unknown magic %hlp: did you mean %help? (%help lists them)"},
		{"!exit 3", "Error", "sh: exit status 3"},
		{"%time nope()", "CompileError", "In[1]:1:7: undefined: nope (did you mean close?)"},
		{"%reset\n\nnope", "CompileError", "In[1]:3:1: undefined: nope"},
	}
	for _, test := range tests {
		got := execute(s, 1, test.source).Error
		if got == nil || got.Name != test.class || !strings.HasPrefix(got.Value, strings.Split(test.want, " (did")[0]) {
			t.Errorf("%q: %+v", test.source, got)
		}
	}
	r := execute(s, 2, "%who")
	if r.Error != nil || r.Result == nil {
		t.Errorf("%+v", r)
	}
	if r := execute(s, 3, "%help"); r.Result == nil ||
		!strings.Contains(r.Result.Data[display.TypeText].(string), "%%bash") {
		t.Errorf("%+v", r)
	}
}

func TestIsComplete(t *testing.T) {
	tests := []struct{ source, status, indent string }{
		{"x := 1", "complete", ""},
		{"func f() {", "incomplete", "    "},
		{"func f() {\n\tif x {", "incomplete", "\t\t"},
		{"func f() {\n    if x {", "incomplete", "        "},
		{"switch x {\ncase 1:", "incomplete", "    "},
		{"switch x {\ncase 1:\n    y()", "incomplete", "    "},
		{"select {\n  default:", "incomplete", "      "},
		{"if x {\n\ty(", "incomplete", "\t\t"},
		{"x :=", "incomplete", ""},
		{"x := `a", "incomplete", ""},
		{"x := 1)", "invalid", ""},
		{"x y z", "invalid", ""},
		{"", "complete", ""},
		{"%who", "complete", ""},
		{"!echo a \\", "incomplete", ""},
		{"!echo a \\\n  b", "complete", ""},
		{"for i := range 3 {\n}", "complete", ""},
		{"\tif a &&", "incomplete", "\t"},
	}
	s := open(t, &scripted{})
	for _, test := range tests {
		got := s.IsComplete(context.Background(), worker.IsCompleteRequest{Source: test.source})
		if got.Status != test.status || got.Indent != test.indent {
			t.Errorf("%q: %+v, want %s %q", test.source, got, test.status, test.indent)
		}
	}
}

func TestExit(t *testing.T) {
	s := open(t, &scripted{})
	for _, source := range []string{"exit", " quit()\n", "exit()"} {
		r := execute(s, 1, source)
		if r.Error != nil || len(r.Payload) != 1 || !strings.Contains(string(r.Payload[0]), `"ask_exit"`) {
			t.Errorf("%q: %+v", source, r)
		}
	}
	if r := execute(s, 2, "exit(1)"); r.Error == nil || len(r.Payload) != 0 {
		t.Errorf("%+v", r)
	}
	execute(s, 3, "var quit int")
	if r := execute(s, 4, "quit"); len(r.Payload) != 0 {
		t.Errorf("a name of the cells' own: %+v", r)
	}
}

func TestCommandsThatAreNoGoHaveNoCandidates(t *testing.T) {
	s := open(t, &scripted{})
	for source, want := range map[string]bool{
		"!ls /st": false, " !st": false, "%%bash\nst": false, "%%cuda k\nst": false, "%%time\nst": true, "%time st": true,
		"!ls\nst": true, "st": true,
		"%%time st": false, "%who st": false, "%help st": true, "x := `\n%time st": false, "f(`\n!st": false,
		"!st && st": false,
	} {
		r := s.Complete(context.Background(), worker.CompleteRequest{Source: source, Cursor: len(source)})
		if (len(r.Matches) > 0) != want {
			t.Errorf("%q: %v", source, r.Matches)
		}
	}
}

// What stands behind a command is completed and inspected as in a cell, whatever stands above.
func TestCompletionOfWhatCommandsTake(t *testing.T) {
	s := openVM(t)
	execute(s, 1, "type pair struct{ Left, Right int }\np := pair{}")
	for _, source := range []string{"%time p.L", "  %timeit p.L", "// é\n%time p.L", "%%time\np.L",
		"%%timeit\nx := 1\np.L", "%who\np.L", "%help p.L"} {
		r := s.Complete(context.Background(), worker.CompleteRequest{Source: source, Cursor: len(source)})
		if len(r.Matches) != 1 || r.Matches[0].Text != "Left" || r.Start != len(source)-1 || r.End != len(source) {
			t.Errorf("%q: %+v", source, r)
		}
		in := s.Inspect(context.Background(), worker.InspectRequest{Source: source + "eft", Cursor: len(source)})
		if text, _ := in.Bundle.Data[display.TypeText].(string); !strings.Contains(text, "field Left int") {
			t.Errorf("%q: %q", source, text)
		}
	}
	for _, source := range []string{"!p.L", "%%bash\np.L"} {
		if in := s.Inspect(context.Background(), worker.InspectRequest{Source: source, Cursor: len(source)}); in.Found {
			t.Errorf("%q: %v", source, in.Bundle)
		}
	}
}

// A cell that is one constant expression shows what the same expression shows that is executed, and
// its imports stay.
func TestConstants(t *testing.T) {
	for _, expression := range []string{
		"1 + 1", "-7 / 2", "7 % -3", "1 << 62", "'a'", "'a' + 1", `"é" + "\x00"`, "1.0", "1 / 3.0", "1e308", "5e-324",
		"-0.0", "1 == 1.0", "true && !true",
		"1i * 1i", "complex64(1 + 2i)", "float32(0.1)", "float32(1) / 3", "int8(-128)", "uint64(1<<64 - 1)", "uintptr(7)",
		"byte('x')", "rune(8364)", "^uint8(0)",
		"len(\"abc\")", "unsafe.Sizeof(struct{ a byte; b int64 }{})", "math.Pi * 2", "math.MaxInt64", "kibi * 3",
		"string(rune(8364))", "time.Second * 3", "weekday", "small(3)", "http.StatusOK",
		"(((kibi)))", "min(2, 3.5)", "real(2 + 3i)",
	} {
		s := openVM(t)
		execute(s, 1, "import \"net/http\"\nconst kibi = 1 << 10\ntype small int8\nconst weekday = time.Tuesday")
		constant := execute(s, 2, expression)
		run := execute(s, 3, "value := "+expression+"\nvalue")
		if constant.Error != nil || run.Error != nil {
			t.Errorf("%s: %+v, executed %+v", expression, constant.Error, run.Error)
		} else if !reflect.DeepEqual(constant.Result, run.Result) {
			t.Errorf("%s: %v, executed %v", expression, constant.Result, run.Result)
		}
	}
	s := openVM(t)
	for i, source := range []string{"import m \"math\"\nm.Pi", "const k = 3", "k + 1;", "m.Sqrt(k)"} {
		if r := execute(s, i+1, source); r.Error != nil || (r.Result == nil) != (i == 1 || i == 2) {
			t.Errorf("%s: %+v, %+v", source, r.Result, r.Error)
		}
	}
	if r := execute(s, 9, "1 << 70"); r.Error == nil || !strings.Contains(r.Error.Value, "overflows") {
		t.Errorf("1 << 70: %+v", r.Error)
	}
}
