package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/dag"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"gonum.org/v1/plot"
)

var regen = flag.Bool("regen", false, "rewrite the golden files")

// golden compares a picture with a file of testdata and checks its other forms.
func golden(t *testing.T, name string, p interface {
	SVG() string
	PNG() ([]byte, error)
	String() string
}, width, height int) {
	t.Helper()
	for ext, got := range map[string]string{".svg": p.SVG() + "\n", ".txt": p.String() + "\n"} {
		path := filepath.Join("testdata", name+ext)
		if *regen {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || got != string(want) {
			t.Errorf("%s differs (go test -regen rewrites it): %v", path, err)
		}
	}
	wellFormed(t, p.SVG())
	data, err := p.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Dx() != 2*width || img.Bounds().Dy() != 2*height {
		t.Errorf("%s: PNG %v, %v", name, img.Bounds(), err)
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
}

// launches is times as launches have them: a narrow peak and a tail.
func launches(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]float64, n)
	for i := range out {
		out[i] = 59e-6 * math.Exp(r.NormFloat64()*0.08)
		if r.IntN(50) == 0 {
			out[i] *= 1.4
		}
	}
	return out
}

type sampler []float64

func (sampler) Name() string { return "saxpy<391, 256>" }

func (s sampler) Samples() []float64 { return s }

func TestTiming(t *testing.T) {
	wide := launches(1000)
	for i := range wide {
		wide[i] = math.Pow(wide[i]/59e-6, 30) * 3e-6
	}
	for name, c := range map[string]struct {
		p    *TimingPlot
		w, h int
	}{
		"timing-linear": {Timing(sampler(launches(1000)), Title("Replay of 1,000 graphs")), 640, 320},
		"timing-named":  {Timing(sampler(launches(500))), 640, 320},
		"timing-log":    {Timing(wide), 640, 320},
		"timing-one":    {Timing([]float64{0.25}), 640, 320},
		"timing-equal":  {Timing([]time.Duration{time.Second, time.Second}), 640, 320},
		"timing-zeros":  {Timing([]float64{0, 0, 0}, Title("")), 640, 320},
		"timing-zero":   {Timing([]float32{0, 1e-9, 2e-9, 5e-7}), 640, 320},
		"timing-small":  {Timing([]float64{1, 2, 3}, Size(160, 160), Log(true)), 160, 160},
		"timing-huge":   {Timing(launches(1_000_000)), 640, 320},
	} {
		if c.p.Err() != nil {
			t.Errorf("%s: %v", name, c.p.Err())
			continue
		}
		golden(t, name, c.p, c.w, c.h)
	}
}

func TestTimingRefuses(t *testing.T) {
	var source *SourceError
	for _, v := range []any{[]float64{}, []time.Duration(nil), "text", nil, 3, (*sampler)(nil)} {
		p := Timing(v)
		if !errors.As(p.Err(), &source) || p.SVG() != "" || p.String() == "" {
			t.Errorf("%v: %v", v, p.Err())
		}
		b := display.Render(p)
		if len(b.Data) != 1 || b.Data[display.TypeText] != p.Err().Error() {
			t.Errorf("%v is shown as %v", v, b)
		}
	}
	var sample *SampleError
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		if err := Timing([]float64{1, 2, bad}).Err(); !errors.As(err, &sample) || sample.Index != 2 {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if err := Timing([]float64{1, 0}, Log(true)).Err(); !errors.As(err, &sample) || sample.Index != 1 {
		t.Errorf("0 on a logarithmic axis: %v", err)
	}
}

func TestBundle(t *testing.T) {
	b := display.Render(Timing(launches(100)))
	if b.Data[display.TypePNG] == nil || b.Data[display.TypeSVG] == nil ||
		!strings.Contains(b.Data[display.TypeText].(string), "median") {
		t.Errorf("%v", b.Data)
	}
	if got := b.Metadata[display.TypePNG]; got != (display.ImageSize{Width: 640, Height: 320}) {
		t.Errorf("metadata %v", got)
	}
	mine := plot.New()
	mine.Title.Text = "mine"
	if b := display.Render(mine); b.Data[display.TypePNG] == nil || b.Data[display.TypeSVG] == nil {
		t.Errorf("a gonum plot is shown as %v", b.Data)
	}
}

func TestDistribution(t *testing.T) {
	d := distribution([]float64{10, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	if d.Min != 1 || d.Median != 5 || d.P90 != 9 || d.P99 != 10 || d.Max != 10 || d.Mean != 5.5 ||
		math.Abs(d.StandardDeviation-3.0276503540974917) > 1e-12 {
		t.Errorf("%+v", d)
	}
	if one := distribution([]float64{3}); one.Median != 3 || one.P99 != 3 || one.StandardDeviation != 0 {
		t.Errorf("%+v", one)
	}
}

// Every sample is in one bin, and bins touch.
func TestBins(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		values := make([]float64, 1+r.IntN(300))
		for i := range values {
			values[i] = math.Exp(r.NormFloat64() * float64(seed%7))
		}
		d := distribution(values)
		for _, log := range []bool{false, true} {
			list, total := bins(d.sorted, log), 0
			for i, b := range list {
				total += b.count
				if b.low > b.high || i > 0 && math.Abs(list[i-1].high-b.low) > 1e-9*b.low {
					t.Fatalf("seed %d: bins %+v", seed, list)
				}
			}
			if total != len(values) || list[0].low > d.Min || list[len(list)-1].high < d.Max {
				t.Fatalf("seed %d: %d of %d in %+v", seed, total, len(values), list)
			}
			if n := 0; len(list) > textBars {
				for _, b := range merge(list, textBars) {
					n += b.count
				}
				if n != total {
					t.Fatalf("seed %d: merged to %d", seed, n)
				}
			}
		}
	}
}

// A coarse clock gives bars of equally many steps: no comb.
func TestBinsOfACoarseClock(t *testing.T) {
	for _, steps := range []int{2, 5, 13, 40, 90} {
		values := make([]float64, 0, 50*steps)
		for i := range steps {
			for range 50 {
				values = append(values, 3e-6+float64(i)*32e-9)
			}
		}
		list := bins(distribution(values).sorted, false)
		for i, b := range list {
			if want := list[0].count; b.count != want && i < len(list)-1 {
				t.Errorf("%d steps: bar %d has %d of %d: %+v", steps, i, b.count, want, list)
				break
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0, 1}, {44.8, 94.7}, {-3, 7}, {0, 1e9}, {1e-9, 1.1e-9}, {0, 5e-324},
		{1e15, 1e15 + 4}} {
		for name, marker := range map[string]plot.Ticker{"linear": linearTicks(6), "count": countTicks(6)} {
			ticks := marker.Ticks(c.low, c.high)
			if len(ticks) > 101 || name == "linear" && len(ticks) == 0 {
				t.Errorf("%s %v: %d marks", name, c, len(ticks))
			}
			for _, tick := range ticks {
				if tick.Value > c.high*(1+1e-9)+1e-300 {
					t.Errorf("%s %v: mark at %v", name, c, tick.Value)
				}
			}
		}
	}
	labelled := 0
	for _, tick := range logTicks(0.03, 312) {
		if tick.Label != "" {
			labelled++
		}
	}
	if labelled < 3 || labelled > 12 {
		t.Errorf("%d labels on a logarithmic axis", labelled)
	}
	for _, c := range []struct {
		v    float64
		d    int
		want string
	}{{0, 0, "0"}, {5000, 0, "5000"}, {20000, 0, "20k"}, {1.5e6, 0, "1.5M"}, {3e9, 0, "3G"}, {0.25, 2, "0.25"},
		{-12000, 0, "-12k"}} {
		if got := number(c.v, c.d); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
}

type grower struct{}

func (grower) Growth() ([]string, [][]float64) {
	return []string{"nodes", "classes"}, [][]float64{{3, 8, 20, 90, 400, 1900, 1950}, {3, 7, 12, 40, 100, 110, 20}}
}

func TestGrowth(t *testing.T) {
	long := make([]float64, 1_000_000)
	for i := range long {
		long[i] = math.Sin(float64(i) / 1e5)
	}
	many := map[string][]float64{}
	for i := range 8 {
		many[fmt.Sprint("s", i)] = []float64{float64(i), float64(2 * i), float64(i * i)}
	}
	for name, p := range map[string]*GrowthPlot{
		"growth":        Growth(grower{}, Title("Saturation")),
		"growth-linear": Growth(grower{}, Log(false)),
		"growth-one":    Growth([]float64{5}),
		"growth-gaps":   Growth([][]float64{{1, 2, math.NaN(), 4, math.NaN(), 3}, {}}),
		"growth-zero":   Growth([]float64{0, 0}),
		"growth-many":   Growth(many),
		"growth-long":   Growth(long),
	} {
		if p.Err() != nil {
			t.Errorf("%s: %v", name, p.Err())
			continue
		}
		golden(t, name, p, 640, 320)
	}
	var source *SourceError
	for _, v := range []any{nil, 3, []float64{}, [][]float64{{}, {math.NaN()}}, map[string][]float64{}} {
		if err := Growth(v).Err(); !errors.As(err, &source) {
			t.Errorf("%v: %v", v, err)
		}
	}
	var sample *SampleError
	if err := Growth([]float64{1, math.Inf(1)}).Err(); !errors.As(err, &sample) || sample.Index != 1 {
		t.Errorf("%v", err)
	}
	if err := Growth([]float64{-1, 1}, Log(true)).Err(); !errors.As(err, &source) {
		t.Errorf("%v", err)
	}
}

func TestDecimateKeepsExtremes(t *testing.T) {
	values := make([]float64, 100_000)
	values[12_345], values[77_777], values[50_000] = 9, -9, math.NaN()
	places := decimate(values, 500)
	if len(places) > 5*500 {
		t.Errorf("%d places", len(places))
	}
	found := map[int]bool{}
	for i, at := range places {
		if i > 0 && at <= places[i-1] {
			t.Fatal("places out of order")
		}
		found[at] = true
	}
	for _, at := range []int{0, 12_345, 77_777, 50_000, 99_999} {
		if !found[at] {
			t.Errorf("place %d is left out", at)
		}
	}
	if n := len(runs(places, values)); n != 2 {
		t.Errorf("%d runs around a gap", n)
	}
}

type namedGraph struct{}

func (namedGraph) NodeLabels() []string  { return []string{"a", "b"} }
func (namedGraph) NodeKinds() []string   { return []string{"kernel", "copy"} }
func (namedGraph) NodeDetails() []string { return []string{"3 µs", "4 µs", "one too many"} }
func (namedGraph) Name() string          { return "named" }
func (namedGraph) Edges() [][2]int       { return [][2]int{{0, 1}} }

func TestDAG(t *testing.T) {
	p := DAG(namedGraph{}, Title("two"))
	if p.Err() != nil || !strings.Contains(p.SVG(), ">two</text>") {
		t.Errorf("%v %s", p.Err(), p.SVG())
	}
	for _, want := range []string{">named</text>", ">3 µs</text>", ">kernel</text>"} {
		if svg := DAG(namedGraph{}).SVG(); !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
	if b := display.Render(p); b.Data[display.TypeSVG] == nil {
		t.Errorf("%v", b)
	}
	var source *SourceError
	if p := DAG(3); !errors.As(p.Err(), &source) || p.SVG() != "" || !strings.Contains(p.String(), "found int") {
		t.Errorf("%v", p.Err())
	}
	var cycle *dag.CycleError
	if p := DAG(dag.Graph{Nodes: make([]dag.Node, 1), Edges: [][2]int{{0, 0}}}); !errors.As(p.Err(), &cycle) {
		t.Errorf("%v", p.Err())
	}
}

// contrast is the ratio of two colours' luminances as WCAG 2.2 defines it.
func contrast(a, b color.NRGBA) float64 {
	lum := func(c color.NRGBA) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	l, d := lum(a), lum(b)
	if l < d {
		l, d = d, l
	}
	return (l + 0.05) / (d + 0.05)
}

func TestContrast(t *testing.T) {
	for _, c := range append([]color.NRGBA{ink, faint}, palette...) {
		if r := contrast(c, card); r < 4.5 {
			t.Errorf("text of %v has a contrast of %.2f", c, r)
		}
	}
	if r := contrast(bars, card); r < 3 {
		t.Errorf("bars have a contrast of %.2f", r)
	}
}

func ExampleTiming() {
	fmt.Println(Timing([]time.Duration{3400, 3300, 3500, 3450, 9000}, Title("launches")))
	// Output:
	// launches
	// samples      min   median      p90      p99      max     mean  std dev
	// ───────  ───────  ───────  ───────  ───────  ───────  ───────  ───────
	//       5  3.30 µs  3.45 µs  9.00 µs  9.00 µs  9.00 µs  4.53 µs  2.50 µs
	// ≥ 3.30 µs  4  ██████████████████████████████
	// ≥ 4.01 µs  0
	// ≥ 4.72 µs  0
	// ≥ 5.44 µs  0
	// ≥ 6.15 µs  0
	// ≥ 6.86 µs  0
	// ≥ 7.58 µs  0
	// ≥ 8.29 µs  1  ████████
}

func BenchmarkTiming(b *testing.B) {
	samples := launches(1000)
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			_ = Timing(samples).SVG()
		}
	})
	b.Run("png", func(b *testing.B) {
		for b.Loop() {
			_, _ = Timing(samples).PNG()
		}
	})
}
