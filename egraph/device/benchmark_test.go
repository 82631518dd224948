package device

import (
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
)

// packCase makes the case: a class a leaf, then a class a term, rows for terms alone.
func packCase(c closures.Case) (*packing, int) {
	x, ids := closures.Random(closures.Seed), c.Leaves+c.Terms
	w := max(23, widthOf(ids))
	p := &packing{width: w, ids: ids, keys: make([]uint64, c.Terms), classes: make([]uint32, c.Terms),
		pairs: make([]uint32, 2*c.Unions)}
	for i := range p.keys {
		a, b, f := c.Term(&x, i)
		op := uint64(1)
		if f {
			op = 0
		}
		p.keys[i], p.classes[i] = op<<(2*w)|a<<w|b, uint32(c.Leaves+i)
	}
	for i := range c.Unions {
		a, b := c.Union(&x)
		p.pairs[2*i], p.pairs[2*i+1] = uint32(a), uint32(b)
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
	for _, c := range closures.Cases {
		b.Run(c.String(), func(b *testing.B) {
			p, ids := packCase(c)
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
			if n := roots(b, r); n != c.Classes {
				b.Fatalf("%d classes, not %d", n, c.Classes)
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
	parent, err := cuda.Slice[uint32](r.parent)
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
	for _, c := range []closures.Case{{Leaves: 20, Terms: 3000, Unions: 8}, {Leaves: 300, Terms: 2000, Unions: 150,
		Layered: true}} {
		p, ids := packCase(c)
		r, err := newResident(dev, p, ids)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Fixpoint(); err != nil {
			t.Fatal(err)
		}
		got, err := cuda.Slice[uint32](r.parent)
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
