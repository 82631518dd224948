package queue_test

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
	"github.com/vyre-kernel/vyre-kernel/cuda/queue"
)

// A tree grows in a queue on the device: items make items, and the host waits once.
func Example() {
	dev := cuda.MustOpen("emulated")
	defer dev.Close()
	p, err := plan.Drain(plan.QueueProfile{Initial: 1, Capacity: 1023, Entry: 8, Control: queue.ControlBytes, Budget: 1 << 20}, 256)
	if err != nil {
		panic(err)
	}
	q, err := queue.New(dev, p, queue.TreeItem{}, queue.Tree())
	if err != nil {
		panic(err)
	}
	defer q.Close()
	counts := dev.MustMake(2, uint64(0))
	defer counts.Close()
	r, err := q.Run([]queue.TreeItem{{Depth: 9, Value: 1}}, counts)
	fmt.Println(r.Finished, "items in", r.Launches, "launches,", r.Synchronizations, "wait,", err)
	fmt.Println(counts.MustDownload())
	// Output:
	// 1023 items in 4 launches, 1 wait, <nil>
	// [512 392960]
}
