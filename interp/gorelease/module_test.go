package gorelease

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func TestCompiled(t *testing.T) {
	for name, f := range map[string]any{
		"runtime.GC": runtime.GC, "runtime.Gosched": runtime.Gosched, "strings.LastIndex": strings.LastIndex,
	} {
		if got, want := compiled(name), reflect.ValueOf(f).Pointer(); got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
	for _, name := range []string{"runtime.G", "runtime.GCC", "", "main.nothing"} {
		if got := compiled(name); got != 0 {
			t.Errorf("%q: %#x", name, got)
		}
	}
}

func BenchmarkCompiled(b *testing.B) {
	for b.Loop() {
		compiled("runtime.lock2")
	}
}
