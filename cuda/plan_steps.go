package cuda

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A PlanItem is a part of a plan of several launches: a *Plan that needs no buffers, a PlanStep, a
// BufferWrite, Until.
type PlanItem interface{ add(*batch) }

// A PlanStep is a plan with the buffers that it is to work on.
type PlanStep struct {
	Plan    *Plan
	Buffers []*Buffer
}

// With binds buffers to a plan, in the order of its bindings, as a part of a plan of several.
func (p *Plan) With(buffers ...*Buffer) PlanStep { return PlanStep{p, buffers} }

// Until makes a plan of several a fixpoint: its steps are done again and again until a round of
// them leaves the flag, the first 32-bit element of a buffer, at 0, at most max times. The flag is
// set to 0 before each round, outputs before the first. The device decides: it needs a driver of
// CUDA 12.3 or newer.
func Until(flag *Buffer, max int) PlanItem { return until{flag, max} }

type until struct {
	flag *Buffer
	max  int
}

// A batch is what is submitted together.
type batch struct {
	writes []BufferWrite
	steps  []PlanStep
	until  []until // at most one
}

func (p *Plan) add(b *batch)       { b.steps = append(b.steps, PlanStep{Plan: p}) }
func (s PlanStep) add(b *batch)    { b.steps = append(b.steps, s) }
func (w BufferWrite) add(b *batch) { b.writes = append(b.writes, w) }
func (u until) add(b *batch)       { b.until = append(b.until, u) }

// A several is what a plan of several launches is.
type several struct {
	dev *Device
	batch

	mu     sync.Mutex
	runs   int    // guarded by mu
	graph  *Graph // guarded by mu: nil until the second Launch
	closed bool   // guarded by mu
}

// Plan makes one plan of several, all on one stream of this device: first the writes, with as few
// copies as their places allow, then the steps in their order. Submit adds what is read back,
// coalesced too, and the host waits once; where any of the steps is Timed, they are measured
// together. Launch, from its second call on, is the launch of one graph, into which the steps were
// captured: that is for plans without writes, Until and Timed, and Close gives the graph back.
func (d *Device) Plan(items ...PlanItem) (*Plan, error) {
	const op = "Device.Plan"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	v := &several{dev: d}
	for i, item := range items {
		if item == nil {
			return nil, &Error{Op: op, What: fmt.Sprint("item ", i), Want: "a PlanItem", Got: "nil"}
		}
		item.add(&v.batch)
	}
	if len(v.steps) == 0 {
		return nil, &Error{Op: op, Want: "at least one step", Got: "none"}
	}
	if _, err := d.bindSteps(op, v.steps); err != nil {
		return nil, err
	}
	for _, w := range v.writes {
		if err := w.place().check(op, d); err != nil {
			return nil, err
		}
	}
	if err := d.checkUntil(op, v.batch); err != nil {
		return nil, err
	}
	return &Plan{several: v, stream: v.steps[0].Plan.stream}, nil
}

func (v *several) label() string { return "plan of " + plural(len(v.steps), "step") }

// check refuses a plan that is closed, and one whose device or stream is.
func (v *several) check(op string) error {
	if err := v.dev.checkOpen(op); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return v.isClosed(op)
	}
	return v.steps[0].Plan.stream.runs(op, noPlans)
}

func (v *several) isClosed(op string) error {
	return &Error{Op: op, Got: "the plan is closed", Fix: "make another: Device.Plan", code: driver.ErrorInvalidHandle}
}

// noBuffers refuses buffers: the steps have theirs.
func (v *several) noBuffers(op string, buffers []*Buffer) error {
	if len(buffers) == 0 {
		return nil
	}
	return &Error{Op: op, What: v.label(), Want: "no buffers, for the steps have theirs", Got: fmt.Sprint(len(buffers))}
}

func (v *several) timed() bool {
	return slices.ContainsFunc(v.steps, func(s PlanStep) bool { return s.Plan.timed })
}

// submit enqueues everything once.
func (v *several) submit(op string, buffers []*Buffer, read []BufferRange) (*Pending, error) {
	d := v.dev
	if err := v.noBuffers(op, buffers); err != nil {
		return nil, err
	}
	blocks, err := d.bindSteps(op, v.steps)
	if err != nil {
		return nil, err
	}
	writes := make([]BufferRange, len(v.writes))
	for i, w := range v.writes {
		writes[i] = w.place()
	}
	for _, r := range slices.Concat(writes, read) {
		if err := r.check(op, d); err != nil {
			return nil, err
		}
	}
	r := startRange(v.label())
	defer r.end()
	q := &Pending{dev: d, stream: v.steps[0].Plan.stream, ranges: read}
	if err := q.stream.room(op); err != nil {
		return nil, err
	}
	if err := q.mark(op, slices.Concat(writes, read), v.buffers()); err != nil {
		return nil, err
	}
	if err := q.enqueueBatch(op, v, read, writes, blocks); err != nil {
		return nil, q.abandon(err)
	}
	d.watch(q)
	return q, nil
}

// buffers are those of the steps, and the flag.
func (v *several) buffers() (all []*Buffer) {
	for _, s := range v.steps {
		all = append(append(all, s.Buffers...), s.Plan.prepared.buffers...)
	}
	for _, u := range v.until {
		all = append(all, u.flag)
	}
	return all
}

// launch enqueues the steps: as they are the first time, and where the stream records; as one graph
// from then on.
func (v *several) launch(op string, s *Stream, buffers []*Buffer) error {
	if err := v.noBuffers(op, buffers); err != nil {
		return err
	}
	if len(v.writes) > 0 || len(v.until) > 0 || v.timed() {
		return &Error{Op: op, What: v.label(), Want: "a plan without writes, Until and Timed", Got: "one with them",
			Fix: "Plan.Submit", code: driver.ErrorNotSupported}
	}
	if err := v.dev.checkOpen(op); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return v.isClosed(op)
	}
	if s.recording() != nil {
		return v.each(op, s)
	}
	v.runs++
	if v.runs == 1 {
		return v.each(op, s)
	}
	if v.graph == nil {
		g, err := v.dev.Capture(func(st *Stream) { _ = v.each("Plan.LaunchOn", st) }) // which reports what fails in it
		if err != nil {
			return err
		}
		v.graph = g
	}
	return v.graph.LaunchOn(s)
}

func (v *several) each(op string, s *Stream) error {
	for _, step := range v.steps {
		if err := step.Plan.launchOn(op, s, step.Buffers); err != nil {
			return err
		}
	}
	return nil
}

// Graph is the graph that a plan of several launches was captured into, nil before the second
// Launch.
func (p *Plan) Graph() *Graph {
	if p.none() || p.several == nil {
		return nil
	}
	p.several.mu.Lock()
	defer p.several.mu.Unlock()
	return p.several.graph
}

func (v *several) close(op string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return v.isClosed(op)
	}
	v.closed = true
	if v.graph == nil || v.graph.isGone() { // its device closed it
		return nil
	}
	return v.graph.Close()
}

func (v *several) table() display.Table {
	v.mu.Lock()
	defer v.mu.Unlock()
	t := display.Card("Plan of " + plural(len(v.steps), "step"))
	for i, s := range v.steps {
		if i == 8 && len(v.steps) > 9 {
			t.Add("…", fmt.Sprintf("%d more", len(v.steps)-i))
			break
		}
		t.Add(fmt.Sprint("step ", i), s.Plan.prepared.label)
	}
	for _, u := range v.until {
		t.Note(fmt.Sprintf("Repeated until the flag in buffer %d is 0, at most %s.", u.flag.ID(), plural(u.max, "time")))
	}
	if v.runs > 0 {
		t.Add("launches of the plan", v.runs)
	}
	switch {
	case v.closed:
		t.Note("Closed.")
	case v.graph != nil:
		t.Note("Captured as " + v.graph.name + ": one graph launch enqueues it.")
	}
	return *t
}

// bindSteps checks all steps before anything is enqueued.
func (d *Device) bindSteps(op string, steps []PlanStep) ([][]byte, error) {
	blocks := make([][]byte, len(steps))
	for i, s := range steps {
		what := fmt.Sprintf("step %d", i)
		switch {
		case s.Plan.none():
			return nil, within(op, what, s.Plan.check(op))
		case s.Plan.several != nil:
			return nil, &Error{Op: op, What: what, Want: "a plan of one launch", Got: s.Plan.String()}
		case s.Plan.prepared.kernel.mod.dev != d:
			return nil, &Error{Op: op, What: what, Want: "a plan of " + d.String(),
				Got:  "one of " + d.apart(s.Plan.prepared.kernel.mod.dev),
				code: driver.ErrorInvalidHandle}
		case s.Plan.stream != steps[0].Plan.stream:
			return nil, &Error{Op: op, What: what, Want: "a plan on the stream of step 0", Got: "one on another stream"}
		}
		err := s.Plan.check(op)
		if err != nil {
			return nil, within(op, what, err)
		}
		if blocks[i], err = s.Plan.bind(op, nil, s.Buffers); err != nil {
			return nil, within(op, what, err)
		}
	}
	return blocks, nil
}

// checkUntil refuses what cannot be repeated.
func (d *Device) checkUntil(op string, b batch) error {
	if len(b.until) == 0 {
		return nil
	}
	if len(b.until) > 1 {
		return &Error{Op: op, Want: "Until at most once", Got: plural(len(b.until), "time")}
	}
	u := b.until[0]
	if err := u.flag.isFlag(op, d); err != nil {
		return err
	}
	if u.max < 1 || u.max > math.MaxInt32 {
		return &Error{Op: op, What: "Until", Want: "1 to 2147483647 rounds", Got: fmt.Sprint(u.max)}
	}
	for i, s := range b.steps {
		what := fmt.Sprintf("step %d, in a plan with Until", i)
		if s.Plan.prepared.config.Cooperative {
			return notCooperative(op, what)
		}
		if s.Plan.prepared.config.Cluster != (driver.Dim3{}) {
			return notClustered(op, what)
		}
		if s.Plan.most > 0 {
			return &Error{Op: op, What: what, Want: "a plan that is no Fixpoint itself", Got: s.Plan.String()}
		}
	}
	return nil
}

func (q *Pending) enqueueBatch(op string, v *several, read, writes []BufferRange, blocks [][]byte) (err error) {
	d, s := q.dev, q.stream.s
	if err := q.waitForOthers(op); err != nil {
		return err
	}
	if q.uploads, err = d.startWrite(op, s, v.writes, writes); err != nil {
		return err
	}
	timed := v.timed()
	if err := q.mayTime(op, timed); err != nil {
		return err
	}
	if len(v.until) > 0 {
		u := v.until[0]
		for _, step := range v.steps {
			if err := q.clear(op, step.Plan, step.Buffers); err != nil {
				return err
			}
		}
		if err := q.fixpoint(op, v.steps, blocks, u.flag, uint32(u.max)); err != nil {
			return err
		}
		return q.conclude(op, timed, read)
	}
	for i, step := range v.steps {
		if err := q.step(op, step.Plan, blocks[i], step.Buffers); err != nil {
			return err
		}
	}
	return q.conclude(op, timed, read)
}

// step enqueues one step.
func (q *Pending) step(op string, p *Plan, block []byte, buffers []*Buffer) error {
	if err := q.clear(op, p, buffers); err != nil {
		return err
	}
	return q.launch(op, p, block, buffers)
}

// startWrite enqueues the copies to the device; the blocks go back when they are done.
func (d *Device) startWrite(op string, s driver.Stream, writes []BufferWrite,
	ranges []BufferRange) (blocks []*hostBlock, err error) {
	for _, sp := range coalesce(ranges) {
		n := sp.to - sp.from
		b, err := d.hostPool.lease(d, op, n)
		if err != nil {
			return blocks, err
		}
		blocks = append(blocks, b)
		slices.Sort(sp.parts) // the caller's order decides where writes overlap
		for _, part := range sp.parts {
			copy(b.mem.Bytes()[writes[part].Offset-sp.from:], writes[part].Data)
		}
		if err := d.ctx.CopyHtoDAsync(sp.buffer.a.ptr+devicePtr(sp.from), b.mem.Bytes()[:n], s); err != nil {
			return blocks, d.late(op, sp.buffer.String(), err)
		}
		d.counters.toDevice.moved(n)
	}
	return blocks, nil
}
