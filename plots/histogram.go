package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A bin counts the values from Low up to High (the last bin has its High too).
type bin struct {
	low, high float64
	count     int
}

// The bounds of the number of bars: fewer hide the shape, more are noise at a picture's width.
const (
	minBins = 8
	maxBins = 64
)

// bins cuts sorted values into bars of equal width, on a logarithmic axis of equal ratio.
func bins(sorted []float64, log bool) []bin {
	low, high := sorted[0], sorted[len(sorted)-1]
	if low == high {
		half := math.Max(math.Abs(low)*0.05, math.SmallestNonzeroFloat64)
		return []bin{{low - half, high + half, len(sorted)}}
	}
	scale, back := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if log {
		scale, back = math.Log, math.Exp
	}
	n := binCount(sorted, scale)
	from, width := scale(low), (scale(high)-scale(low))/float64(n)
	quantised := false
	if q := quantum(sorted); !log && len(sorted) >= enoughForClock && high-low < 16*float64(n)*q {
		from, width, n, quantised = wholeQuanta(low, high, q, n)
	}
	out := make([]bin, n)
	for i := range out {
		out[i].low, out[i].high = back(from+float64(i)*width), back(from+float64(i+1)*width)
	}
	if !quantised {
		out[0].low, out[n-1].high = low, high
	}
	for _, v := range sorted {
		out[min(max(int((scale(v)-from)/width), 0), n-1)].count++
	}
	return out
}

// enoughForClock is from how many samples on their least distance tells of a clock, not of chance.
const enoughForClock = 30

// quantum is the least distance of two values that differ by more than rounding: the step of the
// clock that took them, where its steps are coarse.
func quantum(sorted []float64) float64 {
	least := math.Inf(1)
	noise := math.Abs(sorted[len(sorted)-1]) * 1e-7
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > noise && d < least {
			least = d
		}
	}
	return least
}

// wholeQuanta makes at most n bars of equally many steps of a clock each, the values in the middle
// of
// theirs: bars of other widths would hold now one, now two steps and show a comb that is not in the
// data.
func wholeQuanta(low, high, q float64, n int) (from, width float64, bars int, quantised bool) {
	steps := int(math.Round((high-low)/q)) + 1
	each := (steps + n - 1) / n
	return low - q/2, q * float64(each), (steps + each - 1) / each, true
}

// binCount follows Freedman and Diaconis (1981): bars of twice the quartile distance by the cube
// root of the number of samples. Where half of the samples are equal, so that the distance is 0,
// the root of the number.
func binCount(sorted []float64, scale func(float64) float64) int {
	n := len(sorted)
	span := scale(sorted[n-1]) - scale(sorted[0])
	quartiles := scale(sorted[min(n-1, n*3/4)]) - scale(sorted[n/4])
	count := math.Sqrt(float64(n))
	if width := 2 * quartiles / math.Cbrt(float64(n)); width > 0 {
		count = span / width
	}
	most := min(maxBins, max(minBins, n))
	return int(math.Min(math.Max(math.Ceil(count), minBins), float64(most)))
}

// histogram draws bins in the unit of the axis.
type histogram struct {
	bins  []bin
	scale float64 // what a value is divided by
}

// Plot implements plot.Plotter.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	gap := px(0.5)
	for _, b := range h.bins {
		if b.count == 0 {
			continue
		}
		left, right := x(b.low/h.scale)+gap, x(b.high/h.scale)-gap
		if right-left < px(0.75) {
			right = left + px(0.75)
		}
		c.FillPolygon(bars, []vg.Point{{X: left, Y: y(0)}, {X: left, Y: y(float64(b.count))},
			{X: right, Y: y(float64(b.count))}, {X: right, Y: y(0)}})
	}
}

// tallest is the most that any bin counts.
func tallest(list []bin) int {
	most := 0
	for _, b := range list {
		most = max(most, b.count)
	}
	return most
}
