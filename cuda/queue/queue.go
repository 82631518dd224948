package queue

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

//go:embed ptx/reserve.ptx
var reservePTX string

//go:embed ptx/drain.ptx
var drainPTX string

const header = ".version 7.0\n.target sm_75\n.address_size 64\n\n"

// ControlBytes is what a queue's control words take; a plan has at least as many.
const ControlBytes = 128

// The places of the control words, of 8 bytes each, as ptx/reserve.ptx lists them.
const (
	wordHead = iota
	wordTail
	wordKept
	wordRefused
	wordFinished
	wordLaunches
	wordRounds
	wordMostWaiting
	wordEntries
	wordCapacity
	wordEntryBytes
	controlWords = ControlBytes / 8
)

// maxCapacity is what the positions of a queue, and a slice of its items, can count.
const maxCapacity = math.MaxInt32

// maxLaunches bounds the launches of one pass: all of them are enqueued before anything is read.
const maxLaunches = 1 << 16

// A Workload is what happens to an item: PTX with a function
//
//	.func (.param .b32 done) vyre_item(.param .b64 item, .param .b64 queue, .param .b64 user)
//
// that gets the item's address in global memory, and may call
//
//	.func (.param .b64 place) vyre_reserve(.param .b64 queue, .param .b32 count)
//
// for places of new items at the end of the queue, which it then writes. A place of 0 says that the
// queue is full: the function then returns 0 and must have had no effect, for the item is kept and
// done again; else it returns 1. user is the buffer that Run was given. The text has no version and
// target lines.
type Workload struct {
	Name string
	PTX  string
}

// A Queue is a planned work queue on a device, with the code that drains it. Runs by several
// goroutines take
// turns: there is one set of entries and control words.
type Queue struct {
	dev      *cuda.Device
	plan     plan.DrainPlan
	workload Workload
	item     reflect.Type
	threads  int
	closed   atomic.Bool

	mu      sync.Mutex
	module  *cuda.Module // guarded by mu
	entries *cuda.Buffer // guarded by mu
	control *cuda.Buffer // guarded by mu
}

// New makes a queue as planned. item is a value of the items' type, of as many bytes as the plan's
// entries. Errors: *PlanError, *ItemError, those of plan.Drain, and what the device refuses.
func New(dev *cuda.Device, p plan.DrainPlan, item any, w Workload) (*Queue, error) {
	if dev == nil {
		return nil, &cuda.Error{Op: "queue.New", Want: "an open device", Got: "nil", Fix: "open one with cuda.Open"}
	}
	q := &Queue{dev: dev, plan: p, workload: w, item: reflect.TypeOf(item), threads: threads(dev, p)}
	if err := q.check(); err != nil {
		return nil, err
	}
	var err error
	if q.module, err = dev.LoadPTX(Source(w)); err != nil {
		return nil, fmt.Errorf("queue: workload %s: %w", w.Name, err)
	}
	if q.entries, err = dev.Make(int(p.Profile.Capacity), item); err != nil {
		return nil, errors.Join(err, q.release())
	}
	if q.control, err = dev.Make(int(p.Profile.Control/8), uint64(0)); err != nil {
		return nil, errors.Join(err, q.release())
	}
	return q, nil
}

// Source is the whole module that a workload becomes.
func Source(w Workload) string {
	return strings.Join([]string{header, reservePTX, w.PTX, drainPTX}, "\n")
}

// threads is the size of the one block that drains.
func threads(dev *cuda.Device, p plan.DrainPlan) int {
	most := uint64(min(dev.Info().MaxThreads, 256))
	return int(min(most, (p.ItemsPerChunk+31)/32*32))
}

func (q *Queue) check() error {
	f := q.plan.Profile
	switch {
	case q.item == nil:
		return &ItemError{Want: "a value of the items' type", Got: "nil"}
	case uint64(q.item.Size()) != f.Entry:
		return &PlanError{Field: "entry bytes", Want: fmt.Sprintf("%d, the size of %s", q.item.Size(), q.item),
			Got: fmt.Sprint(f.Entry)}
	case f.Entry%4 != 0:
		return &PlanError{Field: "entry bytes", Want: "a multiple of 4", Got: fmt.Sprint(f.Entry)}
	case f.Control < ControlBytes || f.Control%8 != 0:
		return &PlanError{Field: "control bytes", Want: fmt.Sprintf("a multiple of 8, at least %d", ControlBytes),
			Got: fmt.Sprint(f.Control)}
	case f.Capacity > maxCapacity:
		want := fmt.Sprintf("at most %d items", uint64(maxCapacity))
		return &PlanError{Field: "capacity", Want: want, Got: fmt.Sprint(f.Capacity)}
	}
	return q.checkLaunches()
}

// checkLaunches refuses a plan that plan.Drain would not have made of its profile: a plan is data,
// and one that was changed by hand would drain too little, or too much.
func (q *Queue) checkLaunches() error {
	if q.plan.Chunks == 0 || q.plan.ItemsPerChunk == 0 {
		return &PlanError{Field: "launches", Want: "a plan made by plan.Drain", Got: "an empty one"}
	}
	want, err := plan.Drain(q.plan.Profile, q.plan.ItemsPerChunk)
	if err != nil {
		return err
	}
	if want != q.plan {
		of := "those of plan.Drain for its profile, " + figures(want)
		return &PlanError{Field: "figures", Want: of, Got: figures(q.plan)}
	}
	if q.plan.Chunks > maxLaunches {
		return &PlanError{Field: "launches", Got: fmt.Sprint(q.plan.Chunks),
			Want: fmt.Sprintf("at most %d, enqueued before anything is read: let a launch take more items", maxLaunches)}
	}
	return nil
}

// figures names what plan.Drain derives from a profile.
func figures(p plan.DrainPlan) string {
	return fmt.Sprintf("%d launches of at most %d items, %d bytes of items, %d resident, %d basis points",
		p.Chunks, p.ItemsPerChunk, p.Queue, p.Resident, p.OccupancyBPS)
}

// open refuses a queue that New did not make, and a closed one. The caller holds mu, where there is
// one.
func (q *Queue) open(op string) error {
	got := "a closed one"
	switch {
	case q == nil:
		got = "nil"
	case q.dev == nil:
		got = "a zero Queue"
	case !q.closed.Load():
		return nil
	}
	return &cuda.Error{Op: op, Want: "an open queue", Got: got, Fix: "make one with queue.New"}
}

// lock takes the queue for a call, and refuses one that is not open.
func (q *Queue) lock(op string) error {
	if q == nil || q.dev == nil {
		return q.open(op)
	}
	q.mu.Lock()
	if err := q.open(op); err != nil {
		q.mu.Unlock()
		return err
	}
	return nil
}

// Close waits for the run that is under way, and gives memory and code back.
func (q *Queue) Close() error {
	if err := q.lock("Queue.Close"); err != nil {
		return err
	}
	defer q.mu.Unlock()
	return q.release()
}

// release gives back what there is: New calls it for a queue that it could not make whole.
func (q *Queue) release() error {
	q.closed.Store(true)
	var all []error
	for _, b := range []*cuda.Buffer{q.entries, q.control} {
		if b != nil {
			all = append(all, b.Close())
		}
	}
	return errors.Join(append(all, q.module.Close())...)
}

// Table is the queue's card: the plan, and what runs it.
func (q *Queue) Table() display.Table {
	if q == nil || q.dev == nil {
		t := display.Card("Work queue")
		t.Note("This queue was not made by queue.New.")
		return *t
	}
	t := q.plan.Table()
	t.Caption = fmt.Sprintf("Work queue %s on %s", q.workload.Name, q.dev.Info().Name)
	t.Add("items are", q.item.String(), nil).Add("threads a launch", q.threads, "in one block")
	if q.closed.Load() {
		t.Note("The queue is closed.")
	}
	return t
}

// String is the card as text.
func (q *Queue) String() string { return q.Table().Text() }
