package magic

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func init() {
	Register("%test", "run the Test, Benchmark, Example and Fuzz functions of cells, as go test -v does; "+
		"a pattern and go test's flags choose: %test Sum, %test -bench . -run ^$, %test -short -count 3", test)
}

// A Test is a function of cells that package testing runs.
type Test struct {
	Name string
	Kind string // Test, Benchmark, Example or Fuzz
	// Output is what an example says it prints, in any order where Unordered; without a word of
	// that it is not run, and HasOutput is false.
	Output               string
	HasOutput, Unordered bool
}

// testFlags are those of go test that are for a run in this process. All others are refused.
var testFlags = map[string]struct{ truth, pattern bool }{
	"run": {pattern: true}, "skip": {pattern: true}, "bench": {pattern: true}, "list": {pattern: true},
	"benchmem": {truth: true}, "failfast": {truth: true}, "short": {truth: true}, "v": {truth: true},
	"benchtime": {}, "count": {}, "cpu": {}, "parallel": {}, "shuffle": {},
}

// A TestFlagError is something behind %test that it does not take, and what it takes instead.
type TestFlagError struct{ Found, Want string }

func (e *TestFlagError) Error() string {
	return fmt.Sprintf("%%test does not take %s: want %s", e.Found, e.Want)
}

// A NoTestsError is a %test where no cell has declared a test.
type NoTestsError struct{}

func (*NoTestsError) Error() string {
	return "%test: cells have declared no tests: want a function such as func TestSum(t *testing.T) { ... }"
}

// A TestEngineError is a %test where the engine cannot run tests as package testing wants.
type TestEngineError struct{ Engine string }

func (e *TestEngineError) Error() string {
	return fmt.Sprintf("%%test: %%engine %s does not run tests: %%engine vm does", e.Engine)
}

func test(ctx context.Context, c *Call) (any, error) {
	if e := c.Session.Engine(); e != "vm" {
		return nil, &TestEngineError{e}
	}
	flags, err := testArguments(strings.Fields(c.Args))
	if err != nil {
		return nil, err
	}
	tests, err := c.Session.Tests()
	if err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return nil, &NoTestsError{}
	}
	return nil, c.Session.Go(ctx, testProgram(tests, flags))
}

// testArguments reads flags and at most one pattern, which is that of -run.
func testArguments(args []string) (map[string]string, error) {
	flags := map[string]string{"v": "true"}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "//") {
			break
		}
		name, value, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") {
			name, value, given = "run", a, true
		}
		name = strings.TrimPrefix(name, "test.")
		flag, ok := testFlags[name]
		switch {
		case !ok:
			return nil, refusedFlag(a)
		case !given && flag.truth:
			value = "true"
		case !given && i+1 == len(args):
			return nil, &TestFlagError{a + " alone", "a value behind it"}
		case !given:
			i++
			value = args[i]
		}
		value = unquoted(value)
		if flag.pattern {
			if err := checkPattern(value); err != nil {
				return nil, err
			}
		}
		if was, again := flags[name]; again && name != "v" {
			return nil, &TestFlagError{fmt.Sprintf("two patterns or values, %s and %s,", was, value), "one of each"}
		}
		flags[name] = value
	}
	return flags, nil
}

func refusedFlag(a string) error {
	if name := strings.TrimLeft(a, "-"); strings.HasPrefix(name, "timeout") {
		return &TestFlagError{a, "an interrupt of the cell where it takes too long"}
	}
	var all []string
	for name := range testFlags {
		all = append(all, "-"+name)
	}
	slices.Sort(all)
	return &TestFlagError{a, "a pattern of names, or " + strings.Join(all, ", ")}
}

// unquoted takes a shell's quotes off.
func unquoted(s string) string {
	if n := len(s); n > 1 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// checkPattern looks at the parts of a pattern as package testing does, which ends the process
// where one is not right.
func checkPattern(pattern string) error {
	depth, from := 0, 0
	for i := 0; i <= len(pattern); i++ {
		switch {
		case i == len(pattern), (pattern[i] == '/' || pattern[i] == '|') && depth <= 0:
			if _, err := regexp.Compile(pattern[from:i]); err != nil {
				return &TestFlagError{strconv.Quote(pattern), "a regular expression: " + err.Error()}
			}
			from = i + 1
		case pattern[i] == '\\':
			i++
		case pattern[i] == '[', pattern[i] == '(':
			depth++
		case pattern[i] == ']', pattern[i] == ')':
			depth--
		}
	}
	if _, err := regexp.Compile(strings.ReplaceAll(pattern, "/", "|")); err != nil {
		return &TestFlagError{strconv.Quote(pattern), "a regular expression: " + err.Error()}
	}
	return nil
}

// testProgram is the Go text that runs tests. The engine has the rest of what testing.MainStart
// asks for where it is given nothing.
func testProgram(tests []Test, flags map[string]string) string {
	var b strings.Builder
	b.WriteString(`import (_flag "flag"; _os "os"; _testing "testing"); func() { _testing.Init(); `)
	b.WriteString(`_args := _os.Args; _os.Args = _os.Args[:min(len(_os.Args), 1)]; _flag.CommandLine.Parse(nil); `)
	b.WriteString(`for _, f := range [][2]string{`)
	names := make([]string, 0, len(testFlags))
	for name := range testFlags {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if value, ok := flags[name]; ok {
			fmt.Fprintf(&b, "{%q, %q}, ", "test."+name, value)
		} else {
			fmt.Fprintf(&b, "{%q, _flag.Lookup(%[1]q).DefValue}, ", "test."+name)
		}
	}
	b.WriteString(`} { if err := _flag.Set(f[0], f[1]); err != nil { `)
	b.WriteString(`panic("%test -" + f[0][5:] + " " + f[1] + ": " + err.Error()) } }; `)
	b.WriteString(`_code := _testing.MainStart(nil, `)
	for _, l := range []struct{ kind, of string }{
		{"Test", "InternalTest"}, {"Benchmark", "InternalBenchmark"},
		{"Fuzz", "InternalFuzzTarget"}, {"Example", "InternalExample"},
	} {
		fmt.Fprintf(&b, "[]_testing.%s{", l.of)
		for _, t := range tests {
			switch {
			case t.Kind != l.kind:
			case t.Kind == "Example" && t.HasOutput:
				fmt.Fprintf(&b, "{%q, %s, %q, %t}, ", t.Name, t.Name, t.Output, t.Unordered)
			case t.Kind != "Example":
				fmt.Fprintf(&b, "{%q, %s}, ", t.Name, t.Name)
			}
		}
		b.WriteString("}, ")
	}
	b.WriteString(`).Run(); _os.Args = _args; if _code != 0 { _os.Exit(_code) } }()`)
	return b.String()
}
