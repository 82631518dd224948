package plan_test

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// Three stages of a pipeline share a launch where the budget holds what they need together.
func ExampleLaunchFusion() {
	p, err := plan.LaunchFusion([]plan.Stage{
		{ID: 1, Layout: 7, Input: 64, Output: 32, Scratch: 8},
		{ID: 2, Layout: 7, Input: 32, Output: 48, Scratch: 8},
		{ID: 3, Layout: 7, Input: 48, Output: 16, Scratch: 8},
		{ID: 4, Layout: 9, Input: 16, Output: 16},
	}, 256)
	fmt.Println(p, err)
	// Output:
	// Launch fusion (greedy): 2 launches instead of 4, budget 256 bytes
	// launch  stages    layout  required (bytes)  of budget  avoided (bytes)  launches avoided
	// ──────  ────────  ──────  ────────────────  ─────────  ───────────────  ────────────────
	//      0  1–3       0x7                  184     71.8 %               80                 2
	//      1  4         0x9                   32     12.5 %                0                 0
	// ──────  ────────  ──────  ────────────────  ─────────  ───────────────  ────────────────
	//         4 stages                                                    80                 2 <nil>
}

// With real edges the same stages need less: what is read stays no longer than it is wanted.
func ExampleDataflowFusion() {
	stages := []plan.Stage{
		{ID: 1, Layout: 7, Input: 64, Output: 32, Scratch: 8},
		{ID: 2, Layout: 7, Input: 32, Output: 48, Scratch: 8},
		{ID: 3, Layout: 7, Input: 48, Output: 16, Scratch: 8},
	}
	for _, budget := range []uint64{152, 151} {
		p, err := plan.DataflowFusion(stages, plan.Chain(stages), budget)
		fmt.Println(p.Launches(), p.Avoided, err)
	}
	_, err := plan.DataflowFusion(stages, []plan.Edge{{From: 2, To: 1}}, 152)
	fmt.Println(err)
	// Output:
	// 1 80 <nil>
	// 2 48 <nil>
	// launch fusion: edge 2 -> 1 (0 bytes): it leads back; order the stages so that each comes after what it reads
}

// A queue of 65,536 items, drained 8,192 at a time.
func ExampleDrain() {
	p, err := plan.Drain(plan.QueueProfile{Initial: 4096, Capacity: 65536, Entry: 16, Control: 128, Budget: 2 << 20}, 8192)
	fmt.Println(p.Resident, p.Chunks, p.Chunked(), err)
	_, err = plan.WorkQueue(plan.QueueProfile{Initial: 1, Capacity: 8, Entry: 16, Control: 64, Budget: 128})
	fmt.Println(err)
	// Output:
	// 1048704 8 true <nil>
	// work queue: 192 bytes are required, the budget is 128; lower the capacity or raise the budget
}
