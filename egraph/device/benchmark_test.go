package device

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// xorshift is the generator of the closure benchmark.
type xorshift uint64

func (x *xorshift) next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

type closureCase struct {
	leaves, terms, unions int
	layered               bool
	classes               int
}

var closureCases = []closureCase{
	{1_000, 1_000_000, 500, false, 296_956},
	{100_000, 1_000_000, 50_000, false, 1_035_126},
	{100_000, 4_000_000, 50_000, false, 3_899_492},
	{1_000_000, 4_000_000, 500_000, true, 4_498_455},
}

// packing makes the case: a class a leaf, then a class a term, rows for terms alone.
func (c closureCase) packing() (*packing, int) {
	x, ids := xorshift(88172645463325252), c.leaves+c.terms
	w := max(23, widthOf(ids))
	p := &packing{width: w, ids: ids, keys: make([]uint64, c.terms), classes: make([]uint32, c.terms), pairs: make([]uint32, 2*c.unions)}
	for i := range p.keys {
		m := uint64(c.leaves)
		if c.layered {
			m += uint64(i)
		}
		a, b := x.next()%m, x.next()%m
		p.keys[i], p.classes[i] = x.next()%2<<(2*w)|a<<w|b, uint32(c.leaves+i)
	}
	for i := range p.pairs {
		p.pairs[i] = uint32(x.next() % uint64(c.leaves))
	}
	return p, ids
}

// BenchmarkFixpoint times the closure after the unions, resident: the median of 21 on the device.
// Go's own time an operation counts the reset between them and says nothing.
func BenchmarkFixpoint(b *testing.B) {
	dev := open(b)
	if dev.Emulated() {
		b.Skip("four million rows are for a GPU; TestFixpointBenchmarkShape closes such a graph on the emulated device")
	}
	for _, c := range closureCases {
		b.Run(fmt.Sprintf("%dk,%dk,%d,layered=%v", c.leaves/1000, c.terms/1000, c.unions, c.layered), func(b *testing.B) {
			p, ids := c.packing()
			r, err := newResident(dev, p, ids)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			if _, _, err := r.fixpoint(0, 1<<30); err != nil {
				b.Fatal(err)
			}
			if err := r.settle(); err != nil {
				b.Fatal(err)
			}
			times, rounds := make([]time.Duration, 21), 0
			for i := range times {
				if err := r.Reset(); err != nil {
					b.Fatal(err)
				}
				if times[i], rounds, err = r.Fixpoint(); err != nil {
					b.Fatal(err)
				}
			}
			if n := roots(b, r); n != c.classes {
				b.Fatalf("%d classes, not %d", n, c.classes)
			}
			slices.Sort(times)
			b.ReportMetric(times[10].Seconds()*1e3, "ms/closure")
			b.ReportMetric(times[0].Seconds()*1e3, "ms-least")
			b.ReportMetric(float64(rounds), "rounds")
			b.ReportMetric(float64(r.Bytes())/1e6, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// roots counts the classes of a device's forest.
func roots(t testing.TB, r *Resident) (n int) {
	parent, err := r.parent.Uint32s()
	if err != nil {
		t.Fatal(err)
	}
	for id, p := range parent {
		if p == uint32(id) {
			n++
		}
	}
	return n
}

// The benchmark's graph, small, against a closure written with maps: classes must be the same ids.
func TestFixpointBenchmarkShape(t *testing.T) {
	dev := open(t)
	for _, c := range []closureCase{{leaves: 20, terms: 3000, unions: 8}, {leaves: 300, terms: 2000, unions: 150, layered: true}} {
		p, ids := c.packing()
		r, err := newResident(dev, p, ids)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Fixpoint(); err != nil {
			t.Fatal(err)
		}
		got, err := r.parent.Uint32s()
		if err != nil {
			t.Fatal(err)
		}
		if want := closeWithMaps(p, ids); !slices.Equal(got, want) {
			t.Errorf("%+v: classes differ", c)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// closeWithMaps closes a packing the simplest way: smallest ids, all rows, until nothing changes.
func closeWithMaps(p *packing, ids int) []uint32 {
	parent := make([]uint32, ids)
	for i := range parent {
		parent[i] = uint32(i)
	}
	find := func(x uint32) uint32 {
		for parent[x] != x {
			x = parent[x]
		}
		return x
	}
	merge := func(a, b uint32) bool {
		a, b = find(a), find(b)
		parent[max(a, b)] = min(a, b)
		return a != b
	}
	for i := 0; i < len(p.pairs); i += 2 {
		merge(p.pairs[i], p.pairs[i+1])
	}
	for again := true; again; {
		again = false
		seen, low := map[[3]uint64]uint32{}, uint64(1)<<p.width-1
		for i, k := range p.keys {
			row := [3]uint64{k >> (2 * p.width), uint64(find(uint32(k >> p.width & low))), uint64(find(uint32(k & low)))}
			if first, ok := seen[row]; ok {
				again = merge(first, p.classes[i]) || again
			} else {
				seen[row] = p.classes[i]
			}
		}
	}
	for i := range parent {
		parent[i] = find(uint32(i))
	}
	return parent
}
