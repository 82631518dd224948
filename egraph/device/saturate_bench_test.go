package device

import (
	"fmt"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph"
)

// BenchmarkSaturateMath runs the math benchmark whole on the device and reports the device's time of the
// launches, the best of five; times of transfers and of indexing the result on the host are said apart.
func BenchmarkSaturateMath(b *testing.B) {
	dev := open(b)
	if dev.Emulated() {
		b.Skip("a million nodes are for a GPU; TestSaturateMath runs the first iterations on the emulated device")
	}
	for _, n := range []int{11, 12} {
		b.Run(fmt.Sprint(n, " iterations"), func(b *testing.B) {
			var best *egraph.Report
			for range 5 {
				g, rules := mathGraph(b)
				r := g.Run(rules, egraph.Iterations(n), egraph.MaxNodes(40_000_000), egraph.On(New(dev)))
				if r.Err != nil || r.Nodes != mathNodes[n-1] {
					b.Fatalf("%d nodes, want %d: %v", r.Nodes, mathNodes[n-1], r)
				}
				if best == nil || r.Offload.Device < best.Offload.Device {
					best = r
				}
			}
			last := best.Iterations[n-1]
			b.ReportMetric((last.Prepare+last.Match).Seconds()*1e3, "ms-match-last")
			b.ReportMetric(last.Rebuild.Seconds()*1e3, "ms-close-last")
			b.ReportMetric(best.Iterations[7].Time().Seconds()*1e3, "ms-iteration-8")
			b.ReportMetric(best.Offload.Device.Seconds()*1e3, "ms-device")
			b.ReportMetric(best.Offload.Upload.Seconds()*1e3, "ms-upload")
			b.ReportMetric(best.Offload.Download.Seconds()*1e3, "ms-download")
			b.ReportMetric(best.Offload.Adopt.Seconds()*1e3, "ms-index")
			b.ReportMetric(0, "ns/op")
		})
	}
}
