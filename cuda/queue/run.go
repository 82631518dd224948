package queue

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Report is what a plan came to.
type Report struct {
	Workload string
	Plan     plan.DrainPlan
	// Resident is the bytes that queue and control words took on the device.
	Resident uint64
	// Initial is the number of items before the first launch, Finished of those that are done.
	Initial, Finished uint64
	// Slots is how many places of the queue were used, MostWaiting the most items that waited at
	// once.
	Slots, MostWaiting uint64
	// Enqueued is how many launches were enqueued, Launches how many of them found work, Rounds how
	// many rounds these made.
	Enqueued, Launches, Rounds uint64
	// Refused is how often a reservation found no room.
	Refused uint64
	// Left holds the items that are left to do, a slice of the items' type; empty where all are
	// done.
	Left any
	// LeftItems is their number.
	LeftItems uint64
	// Synchronizations is how often the host waited before it read the final state.
	Synchronizations uint64
	// DeviceTime is from before the first launch to behind the last.
	DeviceTime time.Duration
	// Passes is 1, or what Finish needed.
	Passes int
}

// Run drains the queue once: it writes the initial items (a slice of the items' type), enqueues the
// planned launches, waits once and reads the final state. user goes to the workload; nil is address
// 0. The report is there also beside an *OverflowError. Other errors: *ItemError, and what the
// device refuses.
func (q *Queue) Run(initial any, user *cuda.Buffer) (*Report, error) {
	if err := q.lock("Queue.Run"); err != nil {
		return nil, err
	}
	defer q.mu.Unlock()
	return q.run(initial, user)
}

// run is Run of a queue that the caller has locked.
func (q *Queue) run(initial any, user *cuda.Buffer) (*Report, error) {
	n, err := q.items(initial)
	if err != nil {
		return nil, err
	}
	if err := q.fill(initial, n); err != nil {
		return nil, err
	}
	r := &Report{Workload: q.workload.Name, Plan: q.plan, Resident: q.entries.Bytes() + q.control.Bytes(),
		Initial: uint64(n), Passes: 1}
	if err := q.launch(r, user); err != nil {
		return nil, err
	}
	if err := q.read(r); err != nil {
		return nil, err
	}
	if r.LeftItems > 0 {
		return r, &OverflowError{Workload: r.Workload, Capacity: q.plan.Profile.Capacity, Refused: r.Refused,
			Left: r.LeftItems}
	}
	return r, nil
}

// Finish runs until nothing is left: after an overflow it starts over with what is left, in the
// room that finished items held. The report sums all passes up. Errors: those of Run, and a
// *StuckError where a pass finishes nothing.
func (q *Queue) Finish(initial any, user *cuda.Buffer) (*Report, error) {
	if err := q.lock("Queue.Finish"); err != nil {
		return nil, err
	}
	defer q.mu.Unlock()
	sum, err := q.run(initial, user)
	var overflow *OverflowError
	for errors.As(err, &overflow) {
		next, nextErr := q.run(sum.Left, user)
		if next == nil {
			return sum, nextErr
		}
		stuck := next.Finished == 0
		sum.add(next)
		if stuck {
			return sum, &StuckError{Workload: sum.Workload, Capacity: overflow.Capacity, Left: sum.LeftItems, Passes: sum.Passes}
		}
		err = nextErr
	}
	return sum, err
}

func (r *Report) add(next *Report) {
	r.Finished += next.Finished
	r.Slots = max(r.Slots, next.Slots)
	r.MostWaiting = max(r.MostWaiting, next.MostWaiting)
	r.Enqueued += next.Enqueued
	r.Launches += next.Launches
	r.Rounds += next.Rounds
	r.Refused += next.Refused
	r.Left, r.LeftItems = next.Left, next.LeftItems
	r.Synchronizations += next.Synchronizations
	r.DeviceTime += next.DeviceTime
	r.Passes += next.Passes
}

// items checks the initial items and counts them.
func (q *Queue) items(initial any) (int, error) {
	v := reflect.ValueOf(initial)
	if v.Kind() != reflect.Slice || v.Type().Elem() != q.item {
		return 0, &ItemError{Want: fmt.Sprintf("[]%s", q.item), Got: fmt.Sprintf("%T", initial)}
	}
	if most := q.plan.Profile.Capacity; uint64(v.Len()) > most {
		return 0, &plan.InitialItemsError{Initial: uint64(v.Len()), Capacity: most}
	}
	return v.Len(), nil
}

// fill writes items and control words.
func (q *Queue) fill(initial any, n int) error {
	if n > 0 {
		if err := q.entries.Write(0, initial); err != nil {
			return err
		}
	}
	words := make([]uint64, controlWords)
	words[wordTail] = uint64(n)
	words[wordEntries] = uint64(q.entries.Ptr())
	words[wordCapacity], words[wordEntryBytes] = q.plan.Profile.Capacity, q.plan.Profile.Entry
	return q.control.Write(0, words)
}

// launch enqueues all launches of the plan and waits for the last.
func (q *Queue) launch(r *Report, user *cuda.Buffer) error {
	kernel, err := q.module.Kernel("vyre_drain")
	if err != nil {
		return err
	}
	data := any(user)
	if user == nil {
		data = uint64(0)
	}
	prepared, err := kernel.Plan(cuda.Grid(1), cuda.Block(q.threads), q.control, q.plan.ItemsPerChunk, data)
	if err != nil {
		return err
	}
	before := q.dev.Telemetry()
	r.DeviceTime, err = timed(q.dev, func() error {
		for range q.plan.Chunks {
			if err := prepared.Launch(); err != nil {
				return err
			}
		}
		return nil
	})
	spent := q.dev.Telemetry().Sub(before)
	r.Enqueued, r.Synchronizations = spent.Values["launches"], spent.Values["synchronizations"]
	return err
}

// timed is the device time of what enqueue puts on the device's own stream.
func timed(dev *cuda.Device, enqueue func() error) (took time.Duration, err error) {
	from, err := dev.NewEvent()
	if err != nil {
		return 0, err
	}
	defer func() { err = first(err, from.Close()) }()
	to, err := dev.NewEvent()
	if err != nil {
		return 0, err
	}
	defer func() { err = first(err, to.Close()) }()
	if err := from.Record(dev.Stream()); err != nil {
		return 0, err
	}
	if err := enqueue(); err != nil {
		return 0, first(err, dev.Synchronize())
	}
	if err := to.Record(dev.Stream()); err != nil {
		return 0, err
	}
	if err := to.Synchronize(); err != nil {
		return 0, err
	}
	return to.Since(from)
}

// first is the error that came first: behind a fault every later call on the device fails and says
// the same.
func first(err, later error) error {
	if err != nil {
		return err
	}
	return later
}

// read takes the final state from the device: the words, and the items that are left: those kept at
// the front, and those that no launch came to.
func (q *Queue) read(r *Report) error {
	words := make([]uint64, controlWords)
	if err := q.control.Read(0, words); err != nil {
		return err
	}
	r.Finished, r.Slots, r.MostWaiting = words[wordFinished], words[wordTail], words[wordMostWaiting]
	r.Launches, r.Rounds, r.Refused = words[wordLaunches], words[wordRounds], words[wordRefused]
	kept, waiting := words[wordKept], words[wordTail]-words[wordHead]
	r.LeftItems = kept + waiting
	left := reflect.MakeSlice(reflect.SliceOf(q.item), int(r.LeftItems), int(r.LeftItems))
	for _, part := range []struct{ at, from, n uint64 }{{0, 0, kept}, {words[wordHead], kept, waiting}} {
		if part.n == 0 {
			continue
		}
		if err := q.entries.Read(int(part.at), left.Slice(int(part.from), int(part.from+part.n)).Interface()); err != nil {
			return err
		}
	}
	r.Left = left.Interface()
	return nil
}

// Table sets the plan's figures beside the measured ones.
func (r *Report) Table() display.Table {
	if r == nil {
		return *display.Card("Work queue: no report")
	}
	f := r.Plan.Profile
	t := display.NewTable("Work queue "+r.Workload, display.Column{Kind: display.Label},
		display.Column{Title: "predicted", Kind: display.Number},
		display.Column{Title: "measured", Kind: display.Number}, display.Column{Title: "unit"})
	t.Add("resident", r.Plan.Resident, r.Resident, "bytes").
		Add("initial items", f.Initial, r.Initial, "items").
		Add("occupancy at start", r.Plan.OccupancyBPS, 10_000*r.Initial/max(f.Capacity, 1), "basis points").
		Add("places used", atMost(f.Capacity), r.Slots, "items").
		Add("most waiting", atMost(f.Capacity), r.MostWaiting, "items").
		Add("items finished", nil, r.Finished, "items").
		Add("items left", uint64(0), r.LeftItems, "items").
		Add("launches", atMost(r.Plan.Chunks), r.Launches, "with work").
		Add("rounds", nil, r.Rounds, "in them").
		Add("reservations refused", uint64(0), r.Refused, nil).
		Add("host waits", uint64(1), r.Synchronizations, nil).
		Add("device time", nil, display.Seconds(r.DeviceTime.Seconds()), nil)
	if r.Passes > 1 {
		t.Note(fmt.Sprintf("Measured over %d passes: the queue overflowed and was filled again with what was left.",
			r.Passes))
	}
	return *t
}

func atMost(n uint64) string { return "≤ " + figure(n) }

// figure prints a number as columns of figures do.
func figure(n uint64) string { return display.Column{Kind: display.Number}.Text(n) }

// String is the table as text.
func (r *Report) String() string { return r.Table().Text() }
