package rtype_test

import (
	"runtime"
	"testing"
)

// What a declared type with two methods keeps for ever, beside what go/types knows of it: the figure in doc.go.
func TestRetainedMemory(t *testing.T) {
	const n = 300
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	src := "type T struct{ a int; b []string; c *T }; func (T) String() string; func (*T) Set(int)"
	pkg := declare(t, src)
	must(t, newTable(t, nil), typeOf(pkg, "T")) // what all types share
	before := heap()
	for range n {
		must(t, newTable(t, nil), typeOf(pkg, "T"))
	}
	runtime.KeepAlive(pkg)
	if per := int(heap()-before) / n; per > 5000 {
		t.Errorf("a type keeps %d bytes", per)
	} else {
		t.Logf("a type keeps %d bytes", per)
	}
}
