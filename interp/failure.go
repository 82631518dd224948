package interp

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// Nothing is red: front ends show errors on red, on which their red is hard to read.
const (
	bold     = "\x1b[1m"
	dim      = "\x1b[2m"
	unstyled = "\x1b[0m"
)

// cellError words an error for a front end.
func (s *Session) cellError(err error) *worker.CellError {
	var (
		compile     *check.Error
		refusal     *engine.Refusal
		panicked    *engine.Panic
		exit        *engine.Exit
		interrupted *engine.Interrupted
		deadlock    *engine.Deadlock
		unknown     *magic.UnknownError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &compile):
		return compileError(compile)
	case errors.As(err, &refusal):
		return s.located("Refused", fmt.Sprintf("%s is not supported: %s", refusal.What, refusal.Reason), refusal.Pos)
	case errors.As(err, &panicked):
		lines, value := s.panicLines(panicked)
		return &worker.CellError{Name: "Panic", Value: value, Traceback: lines}
	case errors.As(err, &exit):
		return s.exited(exit)
	case errors.As(err, &interrupted):
		return s.interrupted(interrupted)
	case errors.As(err, &deadlock):
		return s.deadlocked(deadlock)
	case errors.Is(err, context.Canceled):
		return s.interrupted(new(engine.Interrupted))
	case errors.As(err, &unknown):
		return simple("UnknownMagic", err)
	}
	return simple("Error", err)
}

func simple(name string, err error) *worker.CellError {
	return &worker.CellError{Name: name, Value: err.Error(),
		Traceback: []string{bold + name + unstyled + ": " + err.Error()}}
}

func compileError(e *check.Error) *worker.CellError {
	var lines []string
	for _, d := range e.Diagnostics {
		for i, line := range d.Lines() {
			if i == 0 {
				line = bold + line + unstyled
			}
			lines = append(lines, line)
		}
	}
	return &worker.CellError{Name: "CompileError", Value: e.Error(), Traceback: lines}
}

// located is an error at one place of a cell.
func (s *Session) located(name, value string, pos token.Position) *worker.CellError {
	lines := []string{bold + name + unstyled + ": " + value}
	lines = append(lines, s.excerpt(pos)...)
	return &worker.CellError{Name: name, Value: fmt.Sprintf("%s: %s", pos, value), Traceback: lines}
}

// excerpt is the source line of a place with a caret under it.
func (s *Session) excerpt(pos token.Position) []string {
	line, ok := s.sources.line(pos)
	if !ok {
		return []string{"  " + pos.String()}
	}
	d := check.Diagnostic{Pos: pos, Line: line}
	excerpt := d.Excerpt()
	return []string{"  " + pos.String(), "    " + excerpt[0], "    " + excerpt[1]}
}

// panicLines are the Go message and the stack of cell functions. value is what the panic's value
// says of itself.
func (s *Session) panicLines(p *engine.Panic) (lines []string, value string) {
	for i, shown := range p.Shown() {
		head := "panic: "
		if i > 0 {
			head = "\tpanic: "
		}
		value = s.message(shown.Value)
		for k, line := range strings.Split(value+shown.Mark, "\n") {
			if k > 0 {
				head = "\t"
			}
			lines = append(lines, bold+head+line+unstyled)
		}
	}
	if p.Goroutine != 0 {
		lines = append(lines, fmt.Sprintf("in goroutine %d", p.Goroutine))
	}
	return append(lines, s.stack(p.Stack)...), value
}

// messageTime is how long a panic value may take to say what it is.
const messageTime = time.Second

// message is what Go prints for the value of a panic. Its methods may be a cell's, which panic,
// wait or exit themselves: the engine runs them.
func (s *Session) message(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	ctx, cancel := context.WithTimeout(context.Background(), messageTime)
	defer cancel()
	said := make(chan string, 1)
	err := s.current().Do(ctx, func() { said <- message(v) })
	var p *engine.Panic
	switch {
	case err == nil:
		return <-said
	case errors.As(err, &p):
		return fmt.Sprintf("%T (its own method panicked: %s)", v, unaided(p.Value))
	}
	return fmt.Sprintf("%T (its own method: %v)", v, err)
}

// unaided is what can be said of a value without its methods.
func unaided(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case runtime.Error:
		return v.Error()
	}
	if r := reflect.ValueOf(v); r.Type().String() == r.Kind().String() {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%T", v)
}

func message(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.String:
		return fmt.Sprintf("%T(%q)", v, r.String())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64,
		reflect.Complex128:
		if r.Type().PkgPath() != "" {
			return fmt.Sprintf("%T(%v)", v, v)
		}
		return fmt.Sprintf("%v", v)
	}
	return fmt.Sprintf("(%T) %+v", v, v)
}

// exited is nil where a program would have ended well.
func (s *Session) exited(e *engine.Exit) *worker.CellError {
	if e.Code == 0 {
		return nil
	}
	lines := []string{bold + "Exit" + unstyled + ": " + e.Error() + " (the cell ended, the kernel goes on)"}
	return &worker.CellError{Name: "Exit", Value: e.Error(), Traceback: append(lines, s.stack(e.Stack)...)}
}
