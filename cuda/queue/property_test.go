package queue

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// below counts the leaves below items and sums their values.
func below(items []TreeItem) (n, sum uint64) {
	for _, item := range items {
		leaves, first := uint64(1)<<item.Depth, uint64(item.Value)<<item.Depth
		n += leaves
		sum += leaves*first + leaves*(leaves-1)/2
	}
	return n, sum
}

// For any forest, capacity and share of a launch: what is done and what is left make the whole forest, no
// launch takes more than its share, and the queue never holds more than was planned.
func TestAnyForestIsConserved(t *testing.T) {
	dev := open(t)
	overflows := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		items := make([]TreeItem, r.IntN(40))
		for i := range items {
			items[i] = TreeItem{uint32(r.IntN(5)), uint32(r.IntN(1000))}
		}
		capacity := uint64(len(items)) + r.Uint64N(600) + 1
		q, out := treeQueue(t, dev, capacity, 1+r.Uint64N(capacity)), user(t, dev)
		report, err := q.Run(items, out)
		var overflow *OverflowError
		if err != nil && !errors.As(err, &overflow) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		wantN, wantSum := below(items)
		doneN, doneSum := leaves(t, out)
		leftN, leftSum := below(report.Left.([]TreeItem))
		if doneN+leftN != wantN || doneSum+leftSum != wantSum {
			t.Errorf("seed %d: %d+%d leaves of %d, sums %d+%d of %d", seed, doneN, leftN, wantN, doneSum, leftSum, wantSum)
		}
		if report.Slots > capacity || report.Finished > report.Launches*report.Plan.ItemsPerChunk || report.Launches > report.Plan.Chunks {
			t.Errorf("seed %d: %+v", seed, report)
		}
		if err != nil {
			overflows++
		}
	}
	if overflows < 5 || overflows > 55 {
		t.Errorf("%d of 60 cases overflow", overflows)
	}
}

// A workload that breaks a rule of the device is an error that names it, and closing still gives everything back.
func TestFaultOfAWorkload(t *testing.T) {
	dev, err := cuda.OpenDriver(emulated.New(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	p, err := plan.Drain(plan.QueueProfile{Initial: 1, Capacity: 8, Entry: 8, Control: ControlBytes, Budget: 1 << 20}, 8)
	if err != nil {
		t.Fatal(err)
	}
	q, err := New(dev, p, TreeItem{}, Workload{Name: "wild", PTX: `
.func (.param .b32 done) vyre_item(.param .b64 item, .param .b64 queue, .param .b64 user)
{
	.reg .b32 %r1;
	.reg .b64 %rd1;
	mov.u64 %rd1, 64;
	ld.global.u32 %r1, [%rd1];
	st.param.b32 [done], %r1;
	ret;
}
`})
	if err != nil {
		t.Fatal(err)
	}
	_, err = q.Run([]TreeItem{{1, 1}}, nil)
	var failed *cuda.Error
	if !errors.As(err, &failed) {
		t.Errorf("%v", err)
	}
	t.Log(err)
}
