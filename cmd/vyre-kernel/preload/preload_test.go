package preload

import (
	"context"
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
