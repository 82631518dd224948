package plots

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
	"github.com/vyre-kernel/vyre-kernel/plots/dag"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

var twoNodes = dag.Graph{Nodes: []dag.Node{{Label: "fill"}, {Label: "saxpy"}}, Edges: [][2]int{{0, 1}}}

// refusal reports whether v is one of this package's errors.
func refusal(v any) bool {
	err, ok := v.(error)
	var source *SourceError
	var sample *SampleError
	var size *SizeError
	return ok && (errors.As(err, &source) || errors.As(err, &sample) || errors.As(err, &size))
}

// Every exported call refuses what it cannot do. A picture that there is not is told by Err, and
// shown as its error.
func TestLaws(t *testing.T) {
	const shown = "the reason is in Err, and shown in place of the picture"
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Picture)(nil), (*TimingPlot)(nil), (*GrowthPlot)(nil), (*GraphPicture)(nil)},
		Data:  []any{Distribution{}, (*SampleError)(nil), (*SourceError)(nil), (*SizeError)(nil)},
		States: []lawtest.State{
			{Name: "drawn", Works: true, New: func() any { return Timing([]float64{1, 2, 3}, Size(160, 160)) }},
			{Name: "grown", Works: true, New: func() any { return Growth([]float64{1, 2, 3}, Size(160, 160)) }},
		},
		Functions: map[string]any{"Timing": Timing, "Growth": Growth, "DAG": DAG, "Title": Title, "Size": Size, "Log": Log},
		Refusal:   refusal,
		Answers: map[string]string{
			"Timing of nil 0": shown, "Growth of nil 0": shown, "DAG of nil 0": shown,
			"Picture.SVG *": shown, "Picture.String *": shown, "Picture.MIMEBundle *": shown,
			"TimingPlot.SVG zero": shown, "TimingPlot.String zero": shown, "TimingPlot.MIMEBundle zero": shown,
			"GrowthPlot.SVG zero": shown, "GrowthPlot.String zero": shown, "GrowthPlot.MIMEBundle zero": shown,
			"GraphPicture.*": "a zero picture is that of a graph without nodes; of a nil one, " + shown,
		},
	})
}

// What is asked of a size, an axis or a percentile is done or refused. // H4
func TestAskedSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {159, 200}, {200, 159}, {4097, 200}, {200, 4097}, {-1, 200},
		{math.MinInt, math.MaxInt}} {
		var wrong *SizeError
		p := Timing([]float64{1}, Size(size[0], size[1]))
		if !errors.As(p.Err(), &wrong) || wrong.Width != size[0] || wrong.Height != size[1] {
			t.Errorf("%v: %v", size, p.Err())
		}
		if p := Growth([]float64{1}, Size(size[0], size[1])); !errors.As(p.Err(), &wrong) {
			t.Errorf("%v: %v", size, p.Err())
		}
	}
	if p := Timing([]float64{1}, nil); p.Err() == nil {
		t.Error("a nil option was taken")
	}
	if p := DAG(twoNodes, nil); p.Err() == nil {
		t.Error("a nil option was taken")
	}
	d := Timing([]float64{1, 2, 3}).Distribution
	for p, want := range map[float64]float64{0: 1, 50: 2, 100: 3, -1: math.NaN(), 101: math.NaN(),
		math.NaN(): math.NaN()} {
		if got := d.Percentile(p); got != want && !(got != got && want != want) {
			t.Errorf("percentile %v: %v, want %v", p, got, want)
		}
	}
}

// A graph shows its PNG twin in notebooks that are not trusted. // U2
func TestGraphHasTwin(t *testing.T) {
	b := display.Render(DAG(twoNodes))
	image, ok := b.Data[display.TypePNG].([]byte)
	size, sized := b.Metadata[display.TypePNG].(display.ImageSize)
	if !ok || !sized || size.Width < 50 || !strings.HasPrefix(string(image), "\x89PNG") {
		t.Errorf("%v, %v, %d bytes", b.Metadata, ok, len(image))
	}
}
