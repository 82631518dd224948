package plots

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// linearTicks places about want marks at 1, 2 or 5 times a power of ten, ends inside the axis.
func linearTicks(want int) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		step := niceStep((high - low) / float64(want))
		if step <= 0 || math.IsInf(step, 0) {
			return []plot.Tick{{Value: low, Label: number(low, 0)}}
		}
		decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
		var ticks []plot.Tick
		for i := math.Ceil(low/step - 1e-9); i*step <= high*(1+1e-12); i++ {
			ticks = append(ticks, plot.Tick{Value: i * step, Label: number(i*step, decimals)})
			if len(ticks) > 100 {
				break
			}
		}
		return ticks
	})
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// countTicks is linearTicks for whole numbers.
func countTicks(want int) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		step := math.Max(1, niceStep((high-low)/float64(want)))
		var ticks []plot.Tick
		for v := math.Ceil(low/step) * step; v <= high; v += step {
			ticks = append(ticks, plot.Tick{Value: v, Label: number(v, 0)})
		}
		return ticks
	})
}

// logTicks marks 1, 2 and 5 of every decade where there are few decades, else the decades, with
// minor marks.
func logTicks(low, high float64) []plot.Tick {
	decades := math.Log10(high / low)
	labelled := map[int]bool{1: true, 2: decades < 4, 5: decades < 4, 3: decades < 0.7, 7: decades < 0.7}
	every := max(1, int(math.Ceil(decades/8)))
	var ticks []plot.Tick
	for e := int(math.Floor(math.Log10(low))); float64(e) <= math.Log10(high)+1; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if labelled[m] && e%every == 0 {
				t.Label = logNumber(v, m, e)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// superscript writes exponents.
var superscript = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
	"6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// logNumber prints m·10^e; with many zeros as that.
func logNumber(v float64, m, e int) string {
	if e > -5 && e < 12 {
		return number(v, max(0, -e))
	}
	power := "10" + superscript.Replace(strconv.Itoa(e))
	if m == 1 {
		return power
	}
	return strconv.Itoa(m) + "·" + power
}

// number prints a value of an axis, large ones with a suffix as people read them.
func number(v float64, decimals int) string {
	for _, s := range []struct {
		scale  float64
		suffix string
	}{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if math.Abs(v) >= s.scale {
			if s.scale == 1e4 {
				s.scale = 1e3
			}
			return strconv.FormatFloat(v/s.scale, 'g', 5, 64) + s.suffix
		}
	}
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// rules draws a faint line at every labelled mark of the Y axis, behind the data, and of the X axis
// if both.
type rules struct{ both bool }

// Plot implements plot.Plotter.
func (r rules) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: grid, Width: px(1)}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := y(t.Value); t.Label != "" && c.ContainsY(at) {
			c.StrokeLine2(line, c.Min.X, at, c.Max.X, at)
		}
	}
	if !r.both {
		return
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(t.Value); t.Label != "" && c.ContainsX(at) {
			c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
		}
	}
}

// inside is where a text beside a line begins: to the right of it, or where there is no room to the
// left.
func inside(c draw.Canvas, at, width vg.Length) vg.Length {
	beside := px(4)
	if at+beside+width <= c.Max.X {
		return at + beside
	}
	return max(c.Min.X, at-beside-width)
}
