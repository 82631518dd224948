package queue

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether v is an error with fields, of this package, of the planners or of package cuda.
func refusal(v any) bool {
	err, ok := v.(error)
	if !ok {
		return false
	}
	for _, target := range []any{new(*PlanError), new(*ItemError), new(*StageError), new(*OverflowError), new(*StuckError),
		new(*MismatchError), new(*plan.ZeroFieldError), new(*plan.OverBudgetError), new(*cuda.Error)} {
		if errors.As(err, target) {
			return true
		}
	}
	return false
}

func smallPlan() plan.DrainPlan {
	return plan.MustDrain(plan.QueueProfile{Initial: 1, Capacity: 15, Entry: 8, Control: ControlBytes, Budget: 1 << 20}, 4)
}

// done is a workload that asks for nothing: each item is done when it is looked at.
func done() Workload {
	return Workload{Name: "done", PTX: `
.func (.param .b32 done) vyre_item(.param .b64 item, .param .b64 queue, .param .b64 user)
{
	.reg .b32 %r1;
	mov.b32 %r1, 1;
	st.param.b32 [done], %r1;
	ret;
}
`}
}

func smallPipeline() Pipeline {
	return Pipeline{Name: "two", N: 3, Stages: []Stage{Affine(1, 7, 2, 1), Square(2, 7)}}
}

// Every exported call refuses what it cannot do.
func TestLaws(t *testing.T) {
	dev := open(t)
	made := func() *Queue { return MustNew(dev, smallPlan(), TreeItem{}, done()) }
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Queue)(nil)},
		Data: []any{(*Report)(nil), (*FusionReport)(nil), Execution{}, Pipeline{}, (*PlanError)(nil), (*ItemError)(nil),
			(*StageError)(nil), (*OverflowError)(nil), (*StuckError)(nil), (*MismatchError)(nil)},
		States: []lawtest.State{
			{Name: "open", Works: true, New: func() any { return made() }},
			{Name: "closed", New: func() any {
				q := made()
				if err := q.Close(); err != nil {
					t.Error(err)
				}
				return q
			}},
			{Name: "planned", Works: true, New: func() any { return smallPipeline() }},
		},
		Functions: map[string]any{"New": New, "MustNew": MustNew, "Execute": Execute,
			"MustExecute": MustExecute, "Source": Source, "Affine": Affine, "Square": Square, "Add": Add,
			"Multiply": Multiply, "Tree": Tree},
		Args: []any{func() *cuda.Device { return dev }, smallPlan, func() any { return []TreeItem{{2, 1}} }, done,
			smallPipeline, func() uint64 { return 1 << 20 }, func() []float32 { return []float32{1, 2, 3} },
			func() plan.FusionPlan { return smallPipeline().MustPlan(1 << 20) },
			func() *cuda.Buffer { return user(t, dev) }},
		Done: func(v any) {
			if q, ok := v.(*Queue); ok && q.lock("") == nil {
				q.mu.Unlock()
				if err := q.Close(); err != nil {
					t.Error(err)
				}
			}
		},
		Refusal: refusal,
		Answers: map[string]string{
			"Queue.Table *":             "a card says that the queue is closed",
			"Queue.String *":            "a card says that the queue is closed",
			"Queue.Run of nil 1":        "a workload without a buffer of the user's gets address 0, as documented",
			"Queue.MustRun of nil 1":    "as Run",
			"Queue.Finish of nil 1":     "as Run",
			"Queue.MustFinish of nil 1": "as Run",
		},
	})
}

// Two goroutines run one queue: each result is right. // D6
func TestRunsTakeTurns(t *testing.T) {
	dev := open(t)
	q := treeQueue(t, dev, 600, 600)
	var done sync.WaitGroup
	for range 2 {
		out := user(t, dev)
		done.Go(func() {
			for range 30 {
				if err := out.Clear(); err != nil {
					t.Error(err)
				}
				_, err := q.Run([]TreeItem{{8, 1}}, out)
				if err != nil {
					t.Error(err)
					return
				}
				n, sum := leaves(t, out)
				if wantN, wantSum := treeSum(8); n != wantN || sum != wantSum {
					t.Errorf("%d leaves, sum %d; want %d, %d", n, sum, wantN, wantSum)
				}
			}
		})
	}
	done.Wait()
}

// A plan that was changed by hand is refused, whatever was changed. // D23
func TestChangedPlans(t *testing.T) {
	dev := open(t)
	for name, change := range map[string]func(*plan.DrainPlan){
		"one launch":       func(p *plan.DrainPlan) { p.Chunks = 1 },
		"endless launches": func(p *plan.DrainPlan) { p.ItemsPerChunk = math.MaxUint64 },
		"a huge queue":     func(p *plan.DrainPlan) { p.Profile.Capacity = 1 << 63 },
		"a capacity":       func(p *plan.DrainPlan) { p.Profile.Capacity++ },
		"resident bytes":   func(p *plan.DrainPlan) { p.Resident = 1 },
		"a budget":         func(p *plan.DrainPlan) { p.Profile.Budget = 1 },
		"an occupancy":     func(p *plan.DrainPlan) { p.OccupancyBPS = 1 },
	} {
		p := smallPlan()
		change(&p)
		if _, err := New(dev, p, TreeItem{}, Tree()); !refusal(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pipeline of a negative number of elements was planned as one of none. // D5
func TestPipelineOfNothing(t *testing.T) {
	for _, n := range []int{-3, 0, math.MaxInt32 + 1} {
		p := smallPipeline()
		p.N = n
		var stage *StageError
		if _, err := p.Plan(1 << 20); !errors.As(err, &stage) {
			t.Errorf("%d elements: %v", n, err)
		}
		if _, err := p.PlanDataflow(1 << 20); !errors.As(err, &stage) {
			t.Errorf("%d elements: %v", n, err)
		}
	}
}

// TestMust holds every call that returns an error to having a Must form of its parameters.
func TestMust(t *testing.T) { lawtest.MustForms(t) }
