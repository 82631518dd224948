package queue

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// TestMain fails on handles that tests leave behind.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, h := range cuda.Live() {
		fmt.Fprintf(os.Stderr, "left behind: %s, made at %s\n", h, h.Where())
		code = max(code, 1)
	}
	os.Exit(code)
}

func open(t testing.TB) *cuda.Device {
	t.Helper()
	dev, err := cuda.OpenDriver(emulated.New(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

// treeQueue is a queue of that capacity, drained by launches of that many items.
func treeQueue(t testing.TB, dev *cuda.Device, capacity, items uint64) *Queue {
	t.Helper()
	p, err := plan.Drain(plan.QueueProfile{Initial: 1, Capacity: capacity, Entry: 8, Control: ControlBytes, Budget: capacity*8 + ControlBytes}, items)
	if err != nil {
		t.Fatal(err)
	}
	q := MustNew(dev, p, TreeItem{}, Tree())
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// leaves reads the tree's user buffer.
func leaves(t testing.TB, b *cuda.Buffer) (n, sum uint64) {
	t.Helper()
	words, err := cuda.Slice[uint64](b)
	if err != nil {
		t.Fatal(err)
	}
	return words[0], words[1]
}

func user(t testing.TB, dev *cuda.Device) *cuda.Buffer {
	t.Helper()
	b, err := dev.Make(2, uint64(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// A tree of depth d from value 1 has 2^d leaves with the values 2^d to 2^(d+1)-1.
func treeSum(d uint) (n, sum uint64) {
	n = 1 << d
	return n, n*n + n*(n-1)/2
}

func TestDrainTree(t *testing.T) {
	dev := open(t)
	for _, c := range []struct {
		depth           uint
		capacity, items uint64
	}{{0, 1, 1}, {1, 3, 1}, {6, 127, 1000}, {6, 128, 10}, {9, 1023, 300}, {9, 5000, 33}} {
		q, out := treeQueue(t, dev, c.capacity, c.items), user(t, dev)
		r, err := q.Run([]TreeItem{{uint32(c.depth), 1}}, out)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		wantN, wantSum := treeSum(c.depth)
		if n, sum := leaves(t, out); n != wantN || sum != wantSum {
			t.Errorf("%+v: %d leaves of sum %d, want %d of %d", c, n, sum, wantN, wantSum)
		}
		all := uint64(2)<<c.depth - 1
		if r.Finished != all || r.Slots != all || r.LeftItems != 0 || r.Refused != 0 {
			t.Errorf("%+v: %+v", c, r)
		}
		if want := (all + c.items - 1) / c.items; r.Launches != want || r.Launches > r.Plan.Chunks || r.Enqueued != r.Plan.Chunks {
			t.Errorf("%+v: %d launches with work of %d, want %d of %d", c, r.Launches, r.Enqueued, want, r.Plan.Chunks)
		}
		if r.Resident != r.Plan.Resident {
			t.Errorf("%+v: %d bytes, planned %d", c, r.Resident, r.Plan.Resident)
		}
		if r.Synchronizations != 1 {
			t.Errorf("%+v: the host waited %d times", c, r.Synchronizations)
		}
	}
}

// At every capacity, what is done and what is left together are the whole tree.
func TestOverflowLosesNothing(t *testing.T) {
	dev := open(t)
	const depth = 6
	wantN, wantSum := treeSum(depth)
	for capacity := uint64(1); capacity <= 130; capacity += 3 {
		q, out := treeQueue(t, dev, capacity, 20), user(t, dev)
		r, err := q.Run([]TreeItem{{depth, 1}}, out)
		n, sum := leaves(t, out)
		leftN, leftSum := below(r.Left.([]TreeItem))
		n, sum = n+leftN, sum+leftSum
		if n != wantN || sum != wantSum {
			t.Errorf("capacity %d: %d leaves of sum %d done or to do, want %d of %d", capacity, n, sum, wantN, wantSum)
		}
		var overflow *OverflowError
		if fits := capacity >= 127; fits != (err == nil) || !fits && (!errors.As(err, &overflow) || overflow.Left != r.LeftItems || overflow.Left == 0) {
			t.Errorf("capacity %d: %v", capacity, err)
		}
	}
}

func TestFinish(t *testing.T) {
	dev := open(t)
	q, out := treeQueue(t, dev, 40, 16), user(t, dev)
	r, err := q.Finish([]TreeItem{{5, 1}}, out)
	if err != nil {
		t.Fatal(err)
	}
	wantN, wantSum := treeSum(5)
	if n, sum := leaves(t, out); n != wantN || sum != wantSum || r.Finished != 63 || r.Passes < 2 {
		t.Errorf("%d leaves of sum %d in %d passes, %d items", n, sum, r.Passes, r.Finished)
	}
	tight, out := treeQueue(t, dev, 2, 2), user(t, dev)
	var stuck *StuckError
	if r, err = tight.Finish([]TreeItem{{3, 1}}, out); !errors.As(err, &stuck) || r.LeftItems == 0 {
		t.Errorf("%v", err)
	}
}

func TestRunAgain(t *testing.T) {
	dev := open(t)
	q, out := treeQueue(t, dev, 64, 64), user(t, dev)
	for i := range uint64(3) {
		if _, err := q.Run([]TreeItem{{4, 1}}, out); err != nil {
			t.Fatal(err)
		}
		if n, _ := leaves(t, out); n != 16*(i+1) {
			t.Errorf("run %d: %d leaves", i, n)
		}
	}
	if r, err := q.Run([]TreeItem{}, out); err != nil || r.Finished != 0 || r.Launches != 0 {
		t.Errorf("an empty queue: %+v, %v", r, err)
	}
}

func TestQueueRefuses(t *testing.T) {
	dev := open(t)
	profile := plan.QueueProfile{Initial: 1, Capacity: 8, Entry: 8, Control: ControlBytes, Budget: 1 << 20}
	for _, c := range []struct {
		change func(*plan.QueueProfile)
		item   any
		chunk  uint64
		want   string
	}{
		{func(p *plan.QueueProfile) { p.Entry = 16 }, TreeItem{}, 1, "entry bytes"},
		{func(p *plan.QueueProfile) { p.Entry = 2 }, uint16(0), 1, "entry bytes"},
		{func(p *plan.QueueProfile) { p.Control = 64 }, TreeItem{}, 1, "control bytes"},
		{func(p *plan.QueueProfile) { p.Capacity = 100_000 }, TreeItem{}, 1, "launches"},
	} {
		p := profile
		c.change(&p)
		d, err := plan.Drain(p, c.chunk)
		if err != nil {
			t.Fatal(err)
		}
		var bad *PlanError
		if _, err := New(dev, d, c.item, Tree()); !errors.As(err, &bad) || bad.Field != c.want {
			t.Errorf("%s: %v", c.want, err)
		}
	}
	var bad *PlanError
	if _, err := New(dev, plan.DrainPlan{QueuePlan: plan.QueuePlan{Profile: profile}}, TreeItem{}, Tree()); !errors.As(err, &bad) {
		t.Errorf("an empty plan: %v", err)
	}
	q := treeQueue(t, dev, 8, 8)
	var item *ItemError
	for _, v := range []any{nil, 3, []uint64{1}, TreeItem{}} {
		if _, err := q.Run(v, nil); !errors.As(err, &item) {
			t.Errorf("%v: %v", v, err)
		}
	}
	var initial *plan.InitialItemsError
	if _, err := q.Run(make([]TreeItem, 9), nil); !errors.As(err, &initial) {
		t.Errorf("%v", err)
	}
	d, err := plan.Drain(profile, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(dev, d, TreeItem{}, Workload{Name: "broken", PTX: "this is no PTX"}); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("%v", err)
	}
	closed := MustNew(dev, d, TreeItem{}, Tree())
	if err := closed.Close(); err != nil {
		t.Error(err)
	}
	var refused *cuda.Error
	if _, err := closed.Run([]TreeItem{}, nil); !errors.As(err, &refused) {
		t.Errorf("a closed queue: %v", err)
	}
}

func TestReportTable(t *testing.T) {
	dev := open(t)
	if card := treeQueue(t, dev, 10, 5).String(); !strings.Contains(card, "queue.TreeItem") || !strings.Contains(card, "chunked") {
		t.Error(card)
	}
	r, err := treeQueue(t, dev, 127, 50).Run([]TreeItem{{6, 1}}, user(t, dev))
	if err != nil {
		t.Fatal(err)
	}
	text := r.String()
	for _, want := range []string{"predicted", "measured", "items finished", "127", "≤ 3", "1,144"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func pipeline(n int) Pipeline {
	return Pipeline{Name: "polynomial", N: n, Stages: []Stage{
		Affine(1, 7, 2, 1), Square(2, 7), Affine(3, 7, -0.5, 3), Affine(4, 8, 1, 1), Square(5, 8),
	}}
}

func TestExecuteFusion(t *testing.T) {
	dev := open(t)
	p := pipeline(1000)
	input := make([]float32, p.N)
	for i := range input {
		input[i] = float32(i)/100 - 5
	}
	input[7] = float32(math.NaN())
	for name, planned := range map[string]func(uint64) (plan.FusionPlan, error){"greedy": p.Plan, "dataflow": p.PlanDataflow} {
		for _, budget := range []uint64{8000, 12_000, 1 << 20} {
			f, err := planned(budget)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Execute(dev, p, f, input)
			if err != nil {
				t.Fatalf("%s, budget %d: %v", name, budget, err)
			}
			if r.Fused.Launches != uint64(f.Launches()) || r.Unfused.Launches != 5 || r.Unfused.Intermediate-r.Fused.Intermediate != f.Avoided {
				t.Errorf("%s, budget %d: planned %s, measured %+v", name, budget, f, r)
			}
			for i, x := range input {
				y := 2*x + 1
				y = float32(float64(y)*float64(y))*-0.5 + 3
				y = (y + 1) * (y + 1)
				if got := r.Output[i]; math.Abs(float64(got-y)) > 1e-4*math.Abs(float64(y)) {
					t.Fatalf("f(%v) = %v, want %v", x, got, y)
				}
			}
			if !strings.Contains(r.String(), "equal in every bit") {
				t.Error(r)
			}
		}
	}
}

// graph is a pipeline whose stages do not only read their neighbours.
func graph(n int) Pipeline {
	return Pipeline{Name: "graph", N: n, Stages: []Stage{
		Affine(1, 7, 2, 1), Square(2, 7), Affine(3, 7, -0.5, 3, Input), Multiply(4, 7, 2, 3), Add(5, 7, 4, 1), Square(6, 8), Add(7, 8, 6, 6), Add(8, 8, 7, 4),
	}}
}

func TestExecuteGraph(t *testing.T) {
	dev := open(t)
	p := graph(300)
	input := make([]float32, p.N)
	for i := range input {
		input[i] = float32(i)/100 - 1
	}
	for _, budget := range []uint64{3600, 4800, 7200, 1 << 20} {
		f, err := p.PlanDataflow(budget)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Execute(dev, p, f, input)
		if err != nil {
			t.Fatalf("budget %d: %v", budget, err)
		}
		if r.Fused.Launches != uint64(f.Launches()) || r.Unfused.Launches != 8 || r.Unfused.Intermediate-r.Fused.Intermediate != f.Avoided || r.Fused.Peak > r.peak() {
			t.Errorf("budget %d: planned %s, measured %+v and %+v", budget, f, r.Unfused, r.Fused)
		}
		for i, x := range input {
			s1 := float64(2*x + 1)
			s4 := s1 * s1 * (3 - 0.5*float64(x))
			s5 := s4 + s1
			if want := 2*s5*s5 + s4; math.Abs(float64(r.Output[i])-want) > 1e-4*math.Max(1, math.Abs(want)) {
				t.Fatalf("f(%v) = %v, want %v", x, r.Output[i], want)
			}
		}
	}
	var stage *StageError
	for _, from := range []uint32{9, 1} {
		bad := Pipeline{N: 4, Stages: []Stage{Affine(1, 7, 1, 1, from)}}
		if _, err := bad.PlanDataflow(1 << 10); !errors.As(err, &stage) {
			t.Errorf("from %d: %v", from, err)
		}
	}
	if _, err := (Pipeline{N: 4, Stages: []Stage{Square(1, 7), Affine(1, 7, 1, 1)}}).Plan(1 << 10); !errors.As(err, &stage) {
		t.Errorf("%v", err)
	}
}

func TestExecuteRefuses(t *testing.T) {
	dev := open(t)
	p := pipeline(4)
	f, err := p.Plan(1 << 10)
	if err != nil {
		t.Fatal(err)
	}
	var stage *StageError
	twice := p
	twice.Stages = []Stage{p.Stages[0], p.Stages[0]}
	for _, bad := range []Pipeline{{}, {N: 4}, {Stages: p.Stages}, {N: 4, Stages: []Stage{{ID: 1, Name: "a b"}}}, twice} {
		if _, err := Execute(dev, bad, f, make([]float32, bad.N)); !errors.As(err, &stage) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	var item *ItemError
	if _, err := Execute(dev, p, f, make([]float32, 3)); !errors.As(err, &item) {
		t.Errorf("%v", err)
	}
	var bad *PlanError
	for _, other := range []plan.FusionPlan{{}, {Groups: []plan.Group{{Stages: []uint32{2}}}}, {Groups: []plan.Group{{Stages: []uint32{1, 2, 3, 4, 5, 6}}}}} {
		if _, err := Execute(dev, p, other, make([]float32, 4)); !errors.As(err, &bad) {
			t.Errorf("%v: %v", other.Groups, err)
		}
	}
}

func BenchmarkDrainTree(b *testing.B) {
	dev := open(b)
	q, out := treeQueue(b, dev, 1<<13, 1<<13), user(b, dev)
	for b.Loop() {
		if _, err := q.Run([]TreeItem{{12, 1}}, out); err != nil {
			b.Fatal(err)
		}
	}
}

// Every text that is generated here assembles, where the environment variable PTXAS names NVIDIA's assembler.
func TestSourcesAssemble(t *testing.T) {
	ptxas := os.Getenv("PTXAS")
	if ptxas == "" {
		t.Skip("PTXAS is not set: NVIDIA's assembler has not seen the generated PTX")
	}
	p := graph(1000)
	f, err := p.PlanDataflow(20_000)
	if err != nil {
		t.Fatal(err)
	}
	fused, err := p.kernels("fused_", sizes(f))
	if err != nil {
		t.Fatal(err)
	}
	fusion, err := fusionText(p, fused)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"tree": Source(Tree()), "fusion": fusion} {
		file := filepath.Join(t.TempDir(), name+".ptx")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, arch := range []string{"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"} {
			if out, err := exec.Command(ptxas, "-arch="+arch, "-o", os.DevNull, file).CombinedOutput(); err != nil {
				t.Errorf("%s for %s: %v\n%s", name, arch, err, out)
			}
		}
	}
}
