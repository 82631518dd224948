package lawtest

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"time"
)

// An outcome is what a call did.
type outcome struct {
	results  []reflect.Value
	panicked any
	stack    string
	left     bool // by runtime.Goexit
	hung     bool
}

// run makes a call on a goroutine of its own, which is left alone where it does not return in time.
func (c *check) run(call func() []reflect.Value) outcome {
	done := make(chan outcome, 1)
	go func() {
		o := outcome{left: true}
		defer func() {
			if r := recover(); r != nil {
				o = outcome{panicked: r, stack: string(debug.Stack())}
			}
			done <- o
		}()
		o = outcome{results: call()}
	}()
	select {
	case o := <-done:
		return o
	case <-time.After(c.Limit):
		return outcome{hung: true}
	}
}

// judge holds an outcome against the law. A call that may answer need not refuse; none may panic with
// what is not a refusal.
func (c *check) judge(call string, o outcome, mayAnswer bool) {
	switch {
	case o.hung:
		c.violation("%s: did not return within %v", call, c.Limit)
	case o.left:
		c.violation("%s: ended its goroutine", call)
	case o.panicked != nil:
		if !c.Refusal(o.panicked) {
			c.violation("%s: panic: %v (%T) at %s", call, o.panicked, o.panicked, place(o.stack))
		}
	default:
		c.judgeResults(call, o.results, mayAnswer)
		for _, r := range o.results {
			c.Done(r.Interface())
		}
	}
}

func (c *check) judgeResults(call string, results []reflect.Value, mayAnswer bool) {
	err := errorOf(results)
	switch {
	case err != nil && c.Refusal(err):
	case err != nil:
		if !c.answers(call) {
			c.violation("%s: an error of another type, %T: %v", call, err, err)
		}
	case !mayAnswer && !c.answers(call):
		c.violation("%s: answered %s", call, texts(results))
	}
}

// errorOf is the error among the results.
func errorOf(results []reflect.Value) error {
	for _, r := range results {
		if r.Type() == reflect.TypeFor[error]() && !r.IsNil() {
			return r.Interface().(error)
		}
	}
	return nil
}

func texts(results []reflect.Value) string {
	var all []string
	for _, r := range results {
		switch r.Kind() {
		case reflect.Struct, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
			all = append(all, "a "+r.Type().String())
		case reflect.Pointer, reflect.Map, reflect.Slice:
			all = append(all, map[bool]string{true: "a nil ", false: "a "}[r.IsNil()]+r.Type().String())
		default:
			all = append(all, fmt.Sprintf("%#v", r))
		}
	}
	if len(all) == 0 {
		return "without a result"
	}
	return strings.Join(all, ", ")
}

// place is the line of the code that panicked: the first one below the runtime's.
func place(stack string) string {
	lines := strings.Split(stack, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "panic(") {
			continue
		}
		for _, below := range lines[i+2:] {
			below = strings.TrimSpace(below)
			if strings.HasPrefix(below, "/") && !strings.Contains(below, "/src/runtime/") {
				file, _, _ := strings.Cut(below, " ")
				return file[strings.LastIndex(file, "/")+1:]
			}
		}
	}
	return "an unknown place"
}
