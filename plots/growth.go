package plots

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Grower holds named series, a value an iteration: the nodes and classes of an e-graph, a loss.
type Grower interface {
	Growth() (names []string, series [][]float64)
}

// A GrowthPlot draws series over iterations.
type GrowthPlot struct{ Picture }

// growthLogRatio is how far apart the ends of a range lie from which on the axis of values is
// logarithmic.
const growthLogRatio = 200

// Growth draws series over iterations, the first of which is 0. It takes a Grower, a
// map[string][]float64 (in the order of the names), a [][]float64 or a []float64. NaN is a gap in a
// curve. The axis of values is logarithmic where all are positive and span a wide range. Errors
// (*SourceError, *SampleError) are in Err and shown in place of the picture.
func Growth(source any, list ...PlotOption) *GrowthPlot {
	all, err := readSeries(source)
	if err == nil {
		err = checkSeries(all)
	}
	o, wrong := collect("Growth", present(source), list)
	if err = cmp.Or(err, wrong); err != nil {
		return &GrowthPlot{Picture{err: err}}
	}
	low, high := valueRange(all)
	log := low > 0 && high/low > growthLogRatio
	if o.log != nil {
		log = *o.log
	}
	if log && low <= 0 {
		return &GrowthPlot{Picture{err: &SourceError{Plot: "Growth", Found: fmt.Sprintf("the value %g", low),
			Want: "positive values for a logarithmic axis; leave out Log(true)"}}}
	}
	return &GrowthPlot{Picture{width: o.width, height: o.height, framed: true,
		plot: growthPlot(o, all, low, high, log), alt: growthText(o.title, all)}}
}

// A series is a named curve.
type series struct {
	name   string
	values []float64
}

func readSeries(source any) ([]series, error) {
	switch s := present(source).(type) {
	case Grower:
		names, values := s.Growth()
		if len(names) != len(values) {
			return nil, &SourceError{Plot: "Growth", Found: fmt.Sprintf("%d names for %d series", len(names), len(values)),
				Want: "a name for each"}
		}
		return zip(names, values), nil
	case map[string][]float64:
		names := slices.Sorted(maps.Keys(s))
		values := make([][]float64, len(names))
		for i, name := range names {
			values[i] = s[name]
		}
		return zip(names, values), nil
	case [][]float64:
		names := make([]string, len(s))
		for i := range names {
			names[i] = fmt.Sprint("series ", i)
		}
		return zip(names, s), nil
	case []float64:
		return []series{{"", s}}, nil
	}
	return nil, &SourceError{Plot: "Growth", Found: fmt.Sprintf("%T", source),
		Want: "[]float64, [][]float64, map[string][]float64, or a value with Growth() (names []string, series [][]float64)"}
}

func zip(names []string, values [][]float64) []series {
	out := make([]series, len(names))
	for i := range names {
		out[i] = series{names[i], values[i]}
	}
	return out
}

func checkSeries(all []series) error {
	points := 0
	for _, s := range all {
		for i, v := range s.values {
			if math.IsInf(v, 0) {
				return &SampleError{Plot: "Growth", Index: i, Value: v, Reason: "of the series " + s.name +
					" it cannot be drawn; NaN makes a gap"}
			}
			if !math.IsNaN(v) {
				points++
			}
		}
	}
	if points == 0 {
		return &SourceError{Plot: "Growth", Found: "no values", Want: "at least one"}
	}
	return nil
}

func valueRange(all []series) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range all {
		for _, v := range s.values {
			if !math.IsNaN(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	return low, high
}

func growthPlot(o options, all []series, low, high float64, log bool) *plot.Plot {
	p := newPlot(o.title, "iteration", "")
	longest := 1
	for _, s := range all {
		longest = max(longest, len(s.values))
	}
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Min, p.X.Max = 0, math.Max(1, float64(longest-1))
	p.X.Tick.Marker = countTicks(8)
	if log {
		p.Y.Min, p.Y.Max = low/1.2, high*1.2
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	} else {
		p.Y.Min, p.Y.Max = math.Min(0, low), math.Max(0, high)*1.08
		if p.Y.Min == p.Y.Max {
			p.Y.Max = 1
		}
		p.Y.Tick.Marker = linearTicks(5)
	}
	p.Add(rules{both: true})
	for i, s := range all {
		p.Add(curve{s, i})
	}
	if len(all) > 1 || all[0].name != "" {
		growthLegend(p, all, low, high, log)
	}
	return p
}

func growthLegend(p *plot.Plot, all []series, low, high float64, log bool) {
	p.Legend.Top, p.Legend.Left = true, !falling(all, low, high, log)
	p.Legend.TextStyle = style(11, false, ink)
	p.Legend.XOffs, p.Legend.YOffs = px(8), -px(4)
	if !p.Legend.Left {
		p.Legend.XOffs = -px(8)
	}
	p.Legend.ThumbnailWidth = px(22)
	p.Legend.Padding = px(3)
	for i, s := range all {
		p.Legend.Add(" "+s.name, curve{s, i})
	}
}

// falling reports whether more curves stand high at their left end than at their right one, where
// the legend then has room.
func falling(all []series, low, high float64, log bool) bool {
	middle := (low + high) / 2
	if log {
		middle = math.Sqrt(low) * math.Sqrt(high)
	}
	left, right := 0, 0
	for _, s := range all {
		n := max(1, len(s.values)/3)
		for i, v := range s.values {
			if v > middle && i < n {
				left++
			}
			if v > middle && i >= len(s.values)-n {
				right++
			}
		}
	}
	return left > right
}

// A curve is one series in the looks of its place.
type curve struct {
	series
	place int
}

func (c curve) style() draw.LineStyle {
	s := draw.LineStyle{Color: palette[c.place%len(palette)], Width: px(2)}
	switch c.place / len(palette) % 3 {
	case 1:
		s.Dashes = []vg.Length{px(6), px(4)}
	case 2:
		s.Dashes = []vg.Length{px(2), px(3)}
	}
	return s
}

// maxMarked is up to how many points each has a dot of its own.
const maxMarked = 60

// Plot implements plot.Plotter.
func (c curve) Plot(dc draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&dc)
	for _, run := range runs(decimate(c.values, int((dc.Max.X-dc.Min.X)/px(0.5))), c.values) {
		points := make([]vg.Point, len(run))
		for i, at := range run {
			points[i] = vg.Point{X: x(float64(at)), Y: y(c.values[at])}
		}
		if len(points) > 1 {
			dc.StrokeLines(c.style(), points)
		}
		if len(c.values) <= maxMarked || len(points) == 1 {
			for _, at := range points {
				dc.DrawGlyphNoClip(draw.GlyphStyle{Color: c.style().Color, Radius: px(2.5), Shape: draw.CircleGlyph{}}, at)
			}
		}
	}
}

// Thumbnail implements plot.Thumbnailer: the line in the legend.
func (c curve) Thumbnail(dc *draw.Canvas) {
	dc.StrokeLine2(c.style(), dc.Min.X, dc.Center().Y, dc.Max.X, dc.Center().Y)
}

// growthText is the first and last values of each series.
func growthText(title string, all []series) string {
	t := display.NewTable(title, display.Column{Title: "series"},
		display.Column{Title: "iterations", Kind: display.Number},
		display.Column{Title: "first", Kind: display.Number}, display.Column{Title: "last", Kind: display.Number},
		display.Column{Title: "min", Kind: display.Number}, display.Column{Title: "max", Kind: display.Number})
	for _, s := range all {
		if len(s.values) == 0 {
			t.Add(s.name, 0)
			continue
		}
		low, high := valueRange([]series{s})
		t.Add(s.name, len(s.values), s.values[0], s.values[len(s.values)-1], low, high)
	}
	return strings.TrimRight(t.Text(), "\n")
}
