package conformance

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// ending returns exit status and panic text for the error that a session ended with; refused is set
// for errors that say that the program was not executed at all.
func ending(err error) (exit int, panicText string, refused error) {
	var p *engine.Panic
	var x *engine.Exit
	var dead *engine.Deadlock
	switch {
	case err == nil:
		return 0, "", nil
	case errors.As(err, &x):
		return x.Code, "", nil
	case errors.As(err, &p):
		return 2, runtimeText(p), nil
	case errors.As(err, &dead):
		return 2, "fatal error: " + dead.Error(), nil
	}
	return 0, "", err
}

// runtimeText is what the runtime prints when a program dies of p.
func runtimeText(p *engine.Panic) string {
	lines := make([]string, 0, len(p.Chain)+1)
	for _, v := range p.Shown() {
		lines = append(lines, strings.Repeat("\t", min(len(lines), 1))+"panic: "+indented(panicValue(v.Value))+v.Mark)
	}
	return strings.Join(lines, "\n")
}

// indented is how the runtime writes a text of several lines.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n\t") }

// panicValue prints the argument of panic: errors and Stringers by their methods, basic kinds by
// value, of declared types with the type's name, the rest as type and address, which is left out
// here.
func panicValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	r := reflect.ValueOf(v)
	text := ""
	switch r.Kind() {
	case reflect.String:
		text = r.String()
		if r.Type().PkgPath() != "" {
			text = strconv.Quote(text)
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64,
		reflect.Complex128:
		text = fmt.Sprint(v)
	default:
		return "(" + r.Type().String() + ")"
	}
	if r.Type().PkgPath() != "" {
		return r.Type().String() + "(" + text + ")"
	}
	return text
}

// Differences tells how two outcomes differ, "" if they do not.
func Differences(got, want Outcome) string {
	var d strings.Builder
	if got.Stdout != want.Stdout {
		fmt.Fprintf(&d, "output:\n%s\nwant:\n%s\n", clip(got.Stdout), clip(want.Stdout))
	}
	if got.Exit != want.Exit {
		fmt.Fprintf(&d, "exit status %d, want %d (%s)\n", got.Exit, want.Exit, got.Panic)
	}
	if got.Panic != want.Panic && got.Exit == want.Exit {
		fmt.Fprintf(&d, "dies of\n%s\nwant\n%s\n", got.Panic, want.Panic)
	}
	return d.String()
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "..."
	}
	return s
}
