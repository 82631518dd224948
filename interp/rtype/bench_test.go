package rtype_test

import (
	"fmt"
	"go/types"
	"reflect"
	"testing"
)

// BenchmarkDeclare is what a cell pays for a struct type with two methods.
func BenchmarkDeclare(b *testing.B) {
	var ts []types.Type
	for range b.N {
		if len(ts) < 2000 {
			ts = append(ts, typeOf(declare(b, "type T struct{ a int; b []string; c *T }; func (T) String() string; func (*T) Set(int)"), "T"))
		}
	}
	b.ResetTimer()
	table := newTable(b, nil)
	for i := range b.N {
		if i%len(ts) == 0 {
			table = newTable(b, nil)
		}
		must(b, table, ts[i%len(ts)])
	}
}

// BenchmarkOf is a look-up of a type that exists.
func BenchmarkOf(b *testing.B) {
	pkg := declare(b, "type T struct{ a int }; var x map[string][]*T")
	table := newTable(b, nil)
	for b.Loop() {
		must(b, table, typeOf(pkg, "x"))
	}
}

// BenchmarkCall is a method called through an interface by compiled code.
func BenchmarkCall(b *testing.B) {
	pkg := declare(b, "type T struct{ a int }; func (T) String() string")
	s := reflect.New(must(b, newTable(b, nil), typeOf(pkg, "T"))).Interface().(fmt.Stringer)
	for b.Loop() {
		_ = s.String()
	}
}
