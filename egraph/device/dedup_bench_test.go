package device

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
)

// copyBandwidth is what copies from device memory to device memory move, bytes read and written, a second.
func copyBandwidth(b *testing.B, dev *cuda.Device) float64 {
	const n = 1 << 30
	from, err := dev.Make(n/8, uint64(0))
	if err != nil {
		b.Fatal(err)
	}
	to, err := dev.Make(n/8, uint64(0))
	if err != nil {
		b.Fatal(err)
	}
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		for range 20 {
			if err := dev.Stream().Copy(to, from); err != nil {
				b.Fatal(err)
			}
		}
		if err := dev.Synchronize(); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	if from.Close() != nil || to.Close() != nil {
		b.Fatal("the copies' buffers are not free")
	}
	return 2 * 20 * n / best.Seconds()
}

// BenchmarkDedup canonicalises and deduplicates 100 million binary rows, a quarter of which were written over
// with others, and merges the classes of equal ones: one round, resident, the median of 7 on the device.
// bench/gpu/unique.py does a gather and a unique of such rows with torch.
func BenchmarkDedup(b *testing.B) {
	dev := open(b)
	if dev.Emulated() {
		b.Skip("a hundred million rows are for a GPU; TestFixpointBenchmarkShape closes a small graph on the emulated device")
	}
	bandwidth := copyBandwidth(b, dev)
	const rows = 100_000_000
	for _, space := range []int{100_000_000, 1_000_000} {
		b.Run(fmt.Sprint("ids below ", space), func(b *testing.B) {
			x, ids := closures.Random(1234567), space+rows
			p := &packing{width: 28, ids: ids, keys: make([]uint64, rows), classes: make([]uint32, rows)}
			for i := range p.keys {
				q, r := x.Next(), x.Next()
				p.keys[i] = (2+q%2)<<56 | (q>>32*uint64(space)>>32)<<28 | r>>32*uint64(space)>>32
				p.classes[i] = uint32(space + i)
			}
			for k := range rows / 4 {
				p.keys[3*k+1] = p.keys[2*k]
			}
			r, err := newResident(dev, p, ids)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			for i := 77; i < space; i += 7 {
				r.initialParent[i] = r.initialParent[i-70]
			}
			times := make([]time.Duration, 7)
			for i := range times {
				if err := r.Reset(); err != nil {
					b.Fatal(err)
				}
				if times[i], _, err = r.fixpoint(0, 1); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(times)
			// A sector of 32 bytes for each child that is no root, one in seven, and one read and written for each
			// row that is equal to another.
			unique := roots(b, r) - (space - (space-77+6)/7)
			bytes := float64(r.Bytes()) + 2*32*rows/7 + 64*float64(rows-unique)
			b.ReportMetric(times[3].Seconds()*1e3, "ms/round")
			b.ReportMetric(times[0].Seconds()*1e3, "ms-least")
			b.ReportMetric(bytes/1e9, "GB-moved")
			b.ReportMetric(bytes/times[3].Seconds()/bandwidth, "of-copy")
			b.ReportMetric(bandwidth/1e12, "TB/s-copy")
			b.ReportMetric(float64(unique), "unique")
			b.ReportMetric(0, "ns/op")
		})
	}
}
