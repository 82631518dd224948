package callers

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// recovering are the compiled functions that call functions of cells on goroutines of their own and
// recover what these panic with, to log it.
var recovering = []string{"net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler"}

// repanicking are those that panic anew with it, on the goroutine that waits for them.
var repanicking = []string{"net/http.(*timeoutHandler).ServeHTTP.func"}

// runtimeOwn begin goroutines of which the runtime has one each, for good.
var runtimeOwn = []string{"runtime.runFinalizers", "runtime.runCleanups"}

// OfRuntime reports whether the running goroutine is one of the runtime's own: it must not end.
func OfRuntime() bool { return below(runtimeOwn) }

// Recovered reports whether compiled code that is below on this goroutine, which no engine started,
// recovers a panic of the cell code that it
// called: a server does, of its handlers, and logs it. value is what to panic with for that: the
// log shows the cell's stack.
func Recovered(r any, p func() *engine.Panic) (value any, ok bool) {
	switch {
	case !below(recovering) && !below(repanicking):
		return nil, false
	case r == http.ErrAbortHandler:
		return r, true
	}
	return served{p()}, true
}

// Served is the value with which a panic goes on through compiled code: its own, but for servers,
// which log it.
func Served(p *engine.Panic) any {
	if p.Value != http.ErrAbortHandler && below(recovering) {
		return served{p}
	}
	return p.Value
}

// below reports whether one of the functions is on this goroutine's stack.
func below(functions []string) bool {
	pc := make([]uintptr, 64)
	n := runtime.Callers(1, pc)
	for n == len(pc) {
		pc = make([]uintptr, 4*n)
		n = runtime.Callers(1, pc)
	}
	for frames := runtime.CallersFrames(pc[:n]); ; {
		f, more := frames.Next()
		for _, name := range functions {
			if strings.HasPrefix(f.Function, name) {
				return true
			}
		}
		if !more {
			return false
		}
	}
}

// served is a panic of a handler. It shows as its value and the stack of cell functions.
type served struct{ *engine.Panic }

func (s served) Error() string {
	var b strings.Builder
	fmt.Fprint(&b, s.Value)
	for _, f := range s.Stack {
		if f.Function == engine.PanicCall {
			b.WriteString("\n\tpanic")
			continue
		}
		fmt.Fprintf(&b, "\n\t%s  %s", f.Function, f.Pos)
	}
	return b.String()
}

// Unwrap is what the handler panicked with, where that is an error.
func (s served) Unwrap() error {
	err, _ := s.Value.(error)
	return err
}
