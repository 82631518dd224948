package preload

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// names are packages as a session gives them to cells.
var names = map[string]string{
	"cuda":    "github.com/vyre-kernel/vyre-kernel/cuda",
	"plan":    "github.com/vyre-kernel/vyre-kernel/cuda/plan",
	"egraph":  "github.com/vyre-kernel/vyre-kernel/egraph",
	"plots":   "github.com/vyre-kernel/vyre-kernel/plots",
	"display": "github.com/vyre-kernel/vyre-kernel/plots/display",
}

// nobody is a host that shows nothing.
type nobody struct{}

func (nobody) Display(worker.Display) {}
func (nobody) ClearOutput(bool)       {}
func (nobody) Comm(worker.CommEvent)  {}
func (nobody) Input(context.Context, string, bool) (string, error) {
	return "", worker.ErrStdinNotAllowed
}

// session is a session of cells that see the packages.
func session(t *testing.T) *interp.Session {
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	if err != nil {
		t.Fatal(err)
	}
	s, err := interp.New(e, interp.Options{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestNames: a cell has every package by its name, with types and values.
func TestNames(t *testing.T) {
	s := session(t)
	for i, source := range []string{
		"cuda.Open",
		"var d *cuda.Device\nd == nil",
		"var p plan.Stage",
		"eg := egraph.New()",
		"plots.Timing",
		"display.Render(1).Data",
	} {
		if r := s.Execute(context.Background(), worker.ExecuteRequest{Number: i + 1, Source: source},
			nobody{}); r.Error != nil {
			t.Errorf("%s: %s", source, r.Error.Value)
		}
	}
}

// TestGenericNames: what is generic in a preloaded package is refused by name.
func TestGenericNames(t *testing.T) {
	s := session(t)
	r := s.Execute(context.Background(), worker.ExecuteRequest{Number: 1,
		Source: `for range display.Each("x", []int{1}) {}`}, nobody{})
	want := "In[1]:1:19: display.Each is generic and only compiled into the kernel: its source is not here to be " +
		"instantiated"
	if r.Error == nil || r.Error.Value != want {
		t.Errorf("got %+v, want %s", r.Error, want)
	}
}

// TestGenericFiles: what the generic files of a preloaded package declare is instantiated in cells, also with types
// that a cell declares, and refuses as it does in compiled programs.
func TestGenericFiles(t *testing.T) {
	s := session(t)
	for i, c := range []struct{ source, want string }{
		{"dev := cuda.MustOpen(\"emulated\")\ntype pair struct{ A, B uint32 }", ""},
		{"cuda.MustSlice[float32](dev.MustUpload([]float32{1, 2}))", "[]float32{1, 2}"},
		{"b := cuda.MustNew[pair](dev, 2)\ncuda.MustSlice[pair](b)", "0  0"},
		{"_, err := cuda.Slice[int32](b)\nerr.Error()", "want []main.pair, got []int32"},
		{"func sum[T int32 | uint32](b *cuda.Buffer) (s T) {\n\tfor _, v := range cuda.MustSlice[T](b) {\n" +
			"\t\ts += v\n\t}\n\treturn s\n}\nsum[uint32](dev.MustUpload([]uint32{3, 4}))", "7"},
		{"must := cuda.MustSlice[uint32]\nmust(dev.MustUpload([]uint32{5}))", "[]uint32{5}"},
		{"dev.Close()", ""},
	} {
		r := s.Execute(context.Background(), worker.ExecuteRequest{Number: i + 1, Source: c.source}, nobody{})
		if r.Error != nil {
			t.Errorf("%s: %s", c.source, r.Error.Value)
			continue
		}
		if r.Result == nil {
			continue
		}
		if got := fmt.Sprint(r.Result.Data["text/plain"]); c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.source, got, c.want)
		}
	}
}

// TestGonumPlot: a cell draws with gonum/plot, which is in the program for package plots anyway,
// and its plot shows itself.
func TestGonumPlot(t *testing.T) {
	s := session(t)
	const cell = `import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)
p := plot.New()
p.Title.Text = "squares"
points := make(plotter.XYs, 20)
for i := range points {
	points[i] = plotter.XY{X: float64(i), Y: float64(i * i)}
}
if err := plotutil.AddLinePoints(p, "x²", points); err != nil {
	panic(err)
}
p.X.Padding = vg.Points(3)
p`
	r := s.Execute(context.Background(), worker.ExecuteRequest{Number: 1, Source: cell}, nobody{})
	if r.Error != nil {
		t.Fatal(r.Error.Value)
	}
	for _, mime := range []string{"text/plain", "image/svg+xml", "image/png"} {
		if r.Result.Data[mime] == nil {
			t.Errorf("the plot has no %s", mime)
		}
	}
}
