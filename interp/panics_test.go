package interp

import (
	"strings"
	"testing"
	"time"
)

// What a panic is shown as may be asked of methods of the cells, which are not to take the session
// with them.
func TestPanicValuesWithMethods(t *testing.T) {
	tests := []struct{ name, method, value, trace string }{
		{"of an error", `return "text"`, "text", "panic: text"},
		{"panics", `panic("in Error")`, "main.E (its own method panicked: in Error)",
			"panic: main.E (its own method panicked: in Error)\n  main.In[2]  In[2]:1:6"},
		{"panics with itself", `panic(e)`, "main.E (its own method panicked: main.E)", "panic: main.E"},
		{"fails", `var m map[int]int; m[1]++; return ""`, "main.E (its own method panicked: assignment to entry in nil map)",
			"panic: main.E"},
		{"exits", `os.Exit(3); return ""`, "main.E (its own method: exit status 3)", "panic: main.E"},
		{"does not end", `for { }`, "main.E (its own method: interrupted)", "panic: main.E"},
		{"does not return", `runtime.Goexit(); return ""`, "main.E (its own method: exit status 0)", "panic: main.E"},
	}
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				s := open(t)
				if e, trace := executeFor(s, 1, "type E struct{}\nfunc (e E) Error() string { "+test.method+" }",
					time.Minute); e != nil {
					t.Fatal(trace)
				}
				for n, source := range []string{"panic(E{})", "go panic(E{})\nselect {}"} {
					e, trace := executeFor(s, n+2, source, time.Minute)
					if e == nil || e.Name != "Panic" || e.Value != test.value || n == 0 && !strings.HasPrefix(trace, test.trace) {
						t.Errorf("%s: %+v\n%s", source, e, trace)
					}
				}
				checkStep(t, s, 4, step{source: "1 + 1", shows: "2"})
			})
		}
	})
}

// A panic in a deferred call stands on the stack of the panic that the call runs for, as in
// compiled Go.
func TestStackUnderDeferredCalls(t *testing.T) {
	const source = "func inner(n int) int {\n\tif n == 0 {\n\t\tpanic(\"first\")\n\t}\n\treturn inner(n-1) + 1\n}\n" +
		"func outer() {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tpanic(fmt.Sprint(\"again \", " +
		"r))\n\t\t}\n\t}()\n\tinner(1)\n}\nouter()"
	want := "panic: first [recovered]\n\tpanic: again first\n  main.outer.func  In[1]:10:9\n    " +
		"\t\t\tpanic(fmt.Sprint(\"again \", r))\n    \t\t\t     ^\n  panic\n" +
		"  main.inner  In[1]:3:8\n  main.inner  In[1]:5:14\n  main.outer  In[1]:13:7\n  main.In[1]  In[1]:15:6"
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		if _, trace := executeFor(open(t), 1, source, time.Minute); trace != want {
			t.Errorf("%s\nwant\n%s", trace, want)
		}
	})
}

// Panics in deferred calls of panics in deferred calls may go on for long.
func TestStacksUnderDeferredCallsAreBounded(t *testing.T) {
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		e, trace := executeFor(open(t), 1,
			"func again(n int) {\n\tdefer func() {\n\t\trecover()\n\t\tif n > 0 {\n\t\t\tagain(n - "+
				"1)\n\t\t}\n\t\tpanic(n)\n\t}()\n\tpanic(-1)\n}\nagain(500)", time.Minute)
		if e == nil || e.Value != "0" || strings.Count(trace, "\n") > 600 {
			t.Errorf("%d lines", strings.Count(trace, "\n"))
		}
	})
}

// A value that is panicked with again is shown once, as compiled Go does.
func TestPanickedAgain(t *testing.T) {
	const source = "defer func() {\n\tpanic(recover())\n}()\nvar s []int\n_ = [4]int(s)"
	want := "panic: runtime error: cannot convert slice with length 0 to array or pointer to array with length 4 " +
		"[recovered, repanicked]\n" +
		"  main.In[1].func  In[1]:2:7\n    \tpanic(recover())\n    \t     ^\n  panic\n  main.In[1]  In[1]:5:11"
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		e, trace := executeFor(open(t), 1, source, time.Minute)
		if trace != want || e.Value != strings.TrimSuffix(strings.TrimPrefix(strings.Split(want, "\n")[0], "panic: "),
			" [recovered, repanicked]") {
			t.Errorf("%+v\n%s\nwant\n%s", e, trace, want)
		}
	})
}
