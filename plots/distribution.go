package plots

import (
	"math"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Distribution is what a set of measured times comes to, in seconds.
type Distribution struct {
	Count                      int
	Min, Median, P90, P99, Max float64
	Mean, StandardDeviation    float64
	sorted                     []float64
}

// distribution sorts a copy of the samples, of which there is at least one.
func distribution(samples []float64) Distribution {
	s := slices.Clone(samples)
	slices.Sort(s)
	d := Distribution{Count: len(s), Min: s[0], Max: s[len(s)-1], sorted: s}
	d.Median, d.P90, d.P99 = d.Percentile(50), d.Percentile(90), d.Percentile(99)
	d.Mean, d.StandardDeviation = moments(s)
	return d
}

// moments are mean and sample standard deviation in one pass (Welford 1962), which loses nothing
// where the times differ little beside their size.
func moments(samples []float64) (mean, deviation float64) {
	m2 := 0.0
	for i, v := range samples {
		delta := v - mean
		mean += delta / float64(i+1)
		m2 += delta * (v - mean)
	}
	if len(samples) > 1 {
		deviation = math.Sqrt(m2 / float64(len(samples)-1))
	}
	return mean, deviation
}

// Percentile is the nearest-rank percentile: the smallest sample that at least p per cent of all
// do not exceed. It is always a time that was measured; NaN where there is none, or p is not from 0
// to 100.
func (d Distribution) Percentile(p float64) float64 {
	if len(d.sorted) == 0 || !(p >= 0 && p <= 100) {
		return math.NaN()
	}
	rank := int(math.Ceil(p / 100 * float64(len(d.sorted))))
	return d.sorted[min(max(rank, 1), len(d.sorted))-1]
}

// Table shows the figures.
func (d Distribution) Table() display.Table {
	t := display.NewTable("", display.Column{Title: "samples", Kind: display.Number},
		display.Column{Title: "min", Kind: display.Number},
		display.Column{Title: "median", Kind: display.Number}, display.Column{Title: "p90", Kind: display.Number},
		display.Column{Title: "p99", Kind: display.Number}, display.Column{Title: "max", Kind: display.Number},
		display.Column{Title: "mean", Kind: display.Number}, display.Column{Title: "std dev", Kind: display.Number})
	row := []any{d.Count}
	for _, v := range []float64{d.Min, d.Median, d.P90, d.P99, d.Max, d.Mean, d.StandardDeviation} {
		row = append(row, display.Seconds(v))
	}
	return *t.Add(row...)
}
