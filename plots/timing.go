package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A TimingPlot is a histogram of measured times with their percentiles.
type TimingPlot struct {
	Picture
	// Distribution holds the figures; the zero value where Err is not nil.
	Distribution Distribution
}

// logRatio is how far apart the ends of a range lie from which on its axis is logarithmic: on a
// linear one, nearly all samples would share the first bars.
const logRatio = 25

// Timing draws times as a histogram with median, 90th and 99th percentile. It takes a value with
// Samples() []float64 (seconds), a []float64 or []float32 of seconds or a []time.Duration; its
// Name() string, where it has one, is the title. The unit of the axis fits the median; the axis is
// logarithmic where the times span a wide range. Errors (*SourceError, *SampleError) are in Err and
// shown in place of the picture.
func Timing(samples any, list ...PlotOption) *TimingPlot {
	values, err := seconds(samples)
	if err == nil {
		err = checkTimes(values)
	}
	o, wrong := collect("Timing", present(samples), list)
	if err = cmp.Or(err, wrong); err != nil {
		return &TimingPlot{Picture: Picture{err: err}}
	}
	d := distribution(values)
	log := d.Min > 0 && d.Max/d.Min > logRatio
	if o.log != nil {
		log = *o.log
	}
	if log && d.Min == 0 {
		return &TimingPlot{Picture: Picture{err: &SampleError{Plot: "Timing", Index: slices.Index(values, 0),
			Reason: "a logarithmic axis has no place for 0; leave out Log(true)"}}}
	}
	bars := bins(d.sorted, log)
	return &TimingPlot{Distribution: d, Picture: Picture{width: o.width, height: o.height, framed: true,
		plot: timingPlot(o.title, d, bars, log), alt: timingText(o.title, d, bars)}}
}

// A unit is what an axis of times is labelled with.
type unit struct {
	name  string
	scale float64
}

func unitFor(v float64) unit {
	for _, u := range []unit{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if v >= u.scale {
			return u
		}
	}
	return unit{"ns", 1e-9}
}

func timingPlot(title string, d Distribution, list []bin, log bool) *plot.Plot {
	u := unitFor(d.Median)
	p := newPlot(title, "time ("+u.name+")", "samples")
	p.X.Min, p.X.Max = list[0].low/u.scale, list[len(list)-1].high/u.scale
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = linearTicks(7)
	if log {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	// The labels of the percentiles stand above the bars.
	p.Y.Min, p.Y.Max = 0, float64(tallest(list))*1.3
	p.Y.Tick.Marker = countTicks(5)
	p.Add(rules{}, histogram{list, u.scale}, percentiles{d, u.scale})
	return p
}

// percentiles marks the median and two more with lines and labels.
type percentiles struct {
	d     Distribution
	scale float64
}

// Plot implements plot.Plotter.
func (m percentiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	free := c.Min.X // the first label may begin here in each row
	rows := []vg.Length{free, free, free}
	for _, mark := range []struct {
		name  string
		value float64
		color color.Color
	}{{"median", m.d.Median, palette[0]}, {"p90", m.d.P90, palette[1]}, {"p99", m.d.P99, palette[4]}} {
		at := x(mark.value / m.scale)
		label := mark.name + " " + display.Seconds(mark.value).String()
		s := style(11, true, mark.color)
		s.XAlign, s.YAlign = draw.XLeft, draw.YTop
		width := s.Width(label)
		left := inside(c, at, width)
		row := freeRow(rows, left)
		rows[row] = left + width + px(8)
		top := c.Max.Y - vg.Length(row)*px(14)
		c.StrokeLine2(draw.LineStyle{Color: mark.color, Width: px(1.5), Dashes: []vg.Length{px(4), px(3)}}, at, c.Min.Y, at,
			top)
		c.FillText(s, vg.Point{X: left, Y: top}, label)
	}
}

// freeRow is the first row whose labels end before left, else the last.
func freeRow(rows []vg.Length, left vg.Length) int {
	for i, end := range rows {
		if end <= left {
			return i
		}
	}
	return len(rows) - 1
}

// textBars is how many bars a histogram of text has at most.
const textBars = 12

// timingText is the figures and a histogram of text, for who has no pictures.
func timingText(title string, d Distribution, list []bin) string {
	var b strings.Builder
	if title != "" {
		b.WriteString(title + "\n")
	}
	b.WriteString(d.Table().Text() + "\n")
	merged := merge(list, textBars)
	most := float64(tallest(merged))
	t := display.NewTable("", display.Column{Kind: display.Number}, display.Column{Kind: display.Number}, display.Column{})
	for _, bin := range merged {
		bar := strings.Repeat("█", int(math.Ceil(float64(bin.count)/most*30)))
		t.Add(fmt.Sprintf("≥ %s", display.Seconds(math.Max(bin.low, 0))), bin.count, bar)
	}
	b.WriteString(t.Text())
	return b.String()
}

// merge joins neighbours until at most n bins are left.
func merge(list []bin, n int) []bin {
	for len(list) > n {
		var next []bin
		for i := 0; i < len(list); i += 2 {
			b := list[i]
			if i+1 < len(list) {
				b.high, b.count = list[i+1].high, b.count+list[i+1].count
			}
			next = append(next, b)
		}
		list = next
	}
	return list
}
