package vm_test

import (
	"context"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

func newEngine() (engine.Engine, error) {
	return vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
}

// workloads declare work, which a benchmark calls once a round.
var workloads = map[string]string{
	"fib32": `func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func work() { fib(32) }`,
	"loop1e7": `func work() { s := 0; for i := 0; i < 10000000; i++ { s += i }; sink = s }
var sink int`,
	"matmul256": `func work() {
	const n = 256
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a { a[i], b[i] = float64(i), float64(n-i) }
	for i := 0; i < n; i++ { for j := 0; j < n; j++ { s := 0.0; for k := 0; k < n; k++ { s += a[i*n+k] * b[k*n+j] }; c[i*n+j] = s } }
}`,
	"mapInsert1e6": `func work() { m := map[int]int{}; for i := 0; i < 1000000; i++ { m[i*7] = i } }`,
	"sortSlice1e6": `import "sort"
func work() { x := make([]int, 1000000); r := uint32(1); for i := range x { r = r*1664525 + 1013904223; x[i] = int(r >> 8) }
	sort.Slice(x, func(i, j int) bool { return x[i] < x[j] }) }`,
	"methods1e6": `type P struct{ n int }
func (p *P) Add(k int) { p.n += k }
type Adder interface{ Add(int) }
func work() { p := &P{}; var a Adder = p; for i := 0; i < 500000; i++ { p.Add(i); a.Add(i) } }`,
	"sieve1e6": `func work() { s := make([]bool, 1000001); for i := 2; i*i <= 1000000; i++ { if !s[i] { for j := i * i; j <= 1000000; j += i { s[j] = true } } } }`,
	"structs": `type V struct{ x, y, z float64 }
func work() { vs := make([]V, 100); for k := 0; k < 10000; k++ { for i := range vs { v := &vs[i]; v.x += 1; v.y += v.x; v.z += v.y * 0.5 } } }`,
}

func BenchmarkWorkloads(b *testing.B) {
	for name, source := range workloads {
		b.Run(name, func(b *testing.B) {
			s, err := conformance.On(newEngine)()
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Cell(context.Background(), source); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := s.Cell(context.Background(), "work()"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
