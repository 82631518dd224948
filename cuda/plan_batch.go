package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A PlanStep is a plan with the buffers that it is to work on.
type PlanStep struct {
	Plan    *Plan
	Buffers []*Buffer
}

// With binds buffers to a plan, in the order of its bindings.
func (p *Plan) With(buffers ...*Buffer) PlanStep { return PlanStep{p, buffers} }

// Submit is Plan.Submit with the step's buffers.
func (s PlanStep) Submit(read ...BufferRange) (*Pending, error) {
	return s.Plan.Submit(s.Buffers, read...)
}

// MustSubmit is Submit for cells.
func (s PlanStep) MustSubmit(read ...BufferRange) *Pending { return must(s.Submit(read...)) }

// A Batch is several dispatches that are submitted together: first the writes, with as few copies as their places allow,
// then the steps in their order, then the readbacks, coalesced too. The host waits once.
type Batch struct {
	Write []BufferWrite
	Steps []PlanStep
	// Until, where it is not nil, makes the batch a fixpoint: the steps are done again and again until a round of them leaves
	// the flag, the first 32-bit element of this buffer, at 0, at most Most times. The flag is set to 0 before each round,
	// outputs before the first. The device decides: it needs a driver of CUDA 12.3 or newer.
	Until *Buffer
	Most  int
	Read  []BufferRange
}

// Submit enqueues a batch and returns. Its plans are of one stream, on which all of it runs. Where any of them is Timed, the
// steps are measured together.
func (d *Device) Submit(b Batch) (*Pending, error) {
	const op = "Device.Submit"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	if len(b.Steps) == 0 {
		return nil, &Error{Op: op, Want: "at least one step", Got: "none"}
	}
	blocks, err := d.bindSteps(op, b.Steps)
	if err != nil {
		return nil, err
	}
	writes := make([]BufferRange, len(b.Write))
	for i, w := range b.Write {
		writes[i] = w.place()
	}
	for _, r := range slices.Concat(writes, b.Read) {
		if err := r.check(op, d); err != nil {
			return nil, err
		}
	}
	if err := d.checkUntil(op, b); err != nil {
		return nil, err
	}
	r := startRange("batch of " + plural(len(b.Steps), "step"))
	defer r.end()
	q := &Pending{dev: d, stream: b.Steps[0].Plan.stream, ranges: b.Read}
	var buffers []*Buffer
	for _, s := range b.Steps {
		buffers = append(buffers, s.Buffers...)
	}
	if b.Until != nil {
		buffers = append(buffers, b.Until)
	}
	if err := q.stream.room(op); err != nil {
		return nil, err
	}
	if err := q.mark(op, buffers, slices.Concat(writes, b.Read)); err != nil {
		return nil, err
	}
	if err := q.enqueueBatch(op, b, writes, blocks); err != nil {
		return nil, q.abandon(err)
	}
	d.watch(q)
	return q, nil
}

// MustSubmit is Submit for cells.
func (d *Device) MustSubmit(b Batch) *Pending { return must(d.Submit(b)) }

// bindSteps checks all steps before anything is enqueued.
func (d *Device) bindSteps(op string, steps []PlanStep) ([][]byte, error) {
	blocks := make([][]byte, len(steps))
	for i, s := range steps {
		what := fmt.Sprintf("step %d", i)
		switch {
		case s.Plan == nil || s.Plan.prepared == nil:
			return nil, within(op, what, s.Plan.check(op))
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
func (d *Device) checkUntil(op string, b Batch) error {
	if b.Until == nil {
		if b.Most != 0 {
			return &Error{Op: op, Want: "Until, the flag that ends the rounds", Got: fmt.Sprintf("Most %d alone", b.Most)}
		}
		return nil
	}
	if err := b.Until.isFlag(op, d); err != nil {
		return err
	}
	if b.Most < 1 || b.Most > math.MaxInt32 {
		return &Error{Op: op, Want: "Most of 1 to 2147483647 rounds", Got: fmt.Sprint(b.Most)}
	}
	for i, s := range b.Steps {
		what := fmt.Sprintf("step %d, in a batch with Until", i)
		if s.Plan.prepared.config.Cooperative {
			return notCooperative(op, what)
		}
		if s.Plan.most > 0 {
			return &Error{Op: op, What: what, Want: "a plan that is no Fixpoint itself", Got: s.Plan.String()}
		}
	}
	return nil
}

func (q *Pending) enqueueBatch(op string, b Batch, writes []BufferRange, blocks [][]byte) (err error) {
	d, s := q.dev, q.stream.s
	if err := q.waitForOthers(op); err != nil {
		return err
	}
	if q.uploads, err = d.startWrite(op, s, b.Write, writes); err != nil {
		return err
	}
	timed := slices.ContainsFunc(b.Steps, func(s PlanStep) bool { return s.Plan.timed })
	if err := q.mayTime(op, timed); err != nil {
		return err
	}
	if b.Until != nil {
		for _, step := range b.Steps {
			if err := q.clear(op, step.Plan, step.Buffers); err != nil {
				return err
			}
		}
		if err := q.fixpoint(op, b.Steps, blocks, b.Until, uint32(b.Most)); err != nil {
			return err
		}
		return q.conclude(op, timed, b.Read)
	}
	for i, step := range b.Steps {
		if err := q.step(op, step.Plan, blocks[i], step.Buffers); err != nil {
			return err
		}
	}
	return q.conclude(op, timed, b.Read)
}

// step enqueues one dispatch of a batch.
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
