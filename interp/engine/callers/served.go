package callers

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// recovering are the compiled functions that call functions of cells on goroutines of their own and recover what these panic with.
var recovering = []string{"net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler", "net/http.(*timeoutHandler).ServeHTTP.func"}

// Recovered tells whether compiled code that is below on this goroutine, which no engine started, recovers a panic of the cell code that it
// called: a server does, of its handlers, and logs it. value is what to panic with for that: the log shows the cell's stack.
func Recovered(r any, p func() *engine.Panic) (value any, ok bool) {
	pc := make([]uintptr, 64)
	n := runtime.Callers(1, pc)
	for n == len(pc) {
		pc = make([]uintptr, 4*n)
		n = runtime.Callers(1, pc)
	}
	for frames := runtime.CallersFrames(pc[:n]); ; {
		f, more := frames.Next()
		for _, name := range recovering {
			if strings.HasPrefix(f.Function, name) {
				if r == http.ErrAbortHandler {
					return r, true
				}
				return served{p()}, true
			}
		}
		if !more {
			return nil, false
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
