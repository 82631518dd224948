package display

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// try calls a method of somebody's value. A panic in it must not take down who wanted to look at
// the
// value: it becomes a sentence that says whose method panicked and with what.
func try(v any, method string, call func()) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprintf("%s.%s panicked: %s", typeName(reflect.TypeOf(v)), method, panicText(p))
		}
	}()
	call()
	return ""
}

// panicText prints what was given to panic, which may panic in turn.
func panicText(p any) (text string) {
	defer func() {
		if recover() != nil {
			text = "a value whose own text panics"
		}
	}()
	switch x := p.(type) {
	case error:
		return x.Error()
	case string:
		return x
	}
	return fmt.Sprint(p)
}

// guarded is what f says, or why it does not.
func guarded(v any, method string, f func() string) string {
	var out string
	if problem := try(v, method, func() { out = f() }); problem != "" {
		return problem
	}
	return out
}

// ownText is the text that a value has for itself: an error's message, a Stringer's string.
func ownText(v any) (string, bool) {
	if isNilPointer(v) {
		return "", false
	}
	switch x := v.(type) {
	case error:
		return bound(guarded(v, "Error", x.Error)), true
	case fmt.Stringer:
		return bound(guarded(v, "String", x.String)), true
	}
	return "", false
}

// maxOwn bounds the text that a value has for itself.
const maxOwn = 50_000

// bound cuts a text that is too long to be looked at, and tells how much was left out.
func bound(s string) string { return boundTo(s, maxOwn) }

func boundTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	short := strings.TrimSuffix(cutString(s, most), "…")
	return fmt.Sprintf("%s… %s bytes more", short, group(strconv.Itoa(len(s)-len(short))))
}

func isNilPointer(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}
