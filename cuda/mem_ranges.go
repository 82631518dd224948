package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A BufferRange is some bytes of a buffer.
type BufferRange struct {
	Buffer *Buffer
	// Offset and Bytes are in bytes. No bytes are a legal range, and no copy.
	Offset, Bytes uint64

	asked string // what was asked for, where that is no range
}

// Range is n bytes of the buffer from offset on.
func (b *Buffer) Range(offset, n uint64) BufferRange {
	return BufferRange{Buffer: b, Offset: offset, Bytes: n}
}

// Elements is n elements of the buffer from element at on. Negative ones are refused by the call
// that takes the range.
func (b *Buffer) Elements(at, n int) BufferRange {
	if b.none() {
		return BufferRange{Buffer: b}
	}
	size := uint64(b.elem.Size())
	if at < 0 || n < 0 || uint64(at) > math.MaxUint64/size || uint64(n) > math.MaxUint64/size {
		return BufferRange{Buffer: b, asked: fmt.Sprintf("Elements(%d, %d)", at, n)}
	}
	return BufferRange{Buffer: b, Offset: uint64(at) * size, Bytes: uint64(n) * size}
}

// All is the whole buffer.
func (b *Buffer) All() BufferRange { return BufferRange{Buffer: b, Bytes: b.Bytes()} }

// check refuses a range that is not inside its buffer, or whose buffer cannot be used.
func (r BufferRange) check(op string, d *Device) error {
	if err := r.Buffer.live(op, d); err != nil {
		return err
	}
	size := r.Buffer.a.bytes
	if r.asked != "" {
		return &Error{Op: op, What: r.Buffer.String(), Want: fmt.Sprintf("elements in [0..%d)", r.Buffer.n), Got: r.asked}
	}
	if r.Bytes > size || r.Offset > size-r.Bytes {
		return &Error{Op: op, What: r.Buffer.String(), Want: fmt.Sprintf("bytes in [0..%d)", size),
			Got: "requested bytes " + stretchText(r.Offset, r.Bytes)}
	}
	return nil
}

// A span is what one copy moves: ranges of one buffer that overlap or touch.
type span struct {
	buffer   *Buffer
	from, to uint64
	// parts are the places, in the caller's list, of the ranges inside.
	parts []int
}

// coalesce merges ranges into as few spans as the bytes allow. Empty ranges are in none.
func coalesce(ranges []BufferRange) []span {
	order := make([]int, 0, len(ranges))
	for i, r := range ranges {
		if r.Bytes > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := ranges[i], ranges[j]
		if pa, pb := a.Buffer.a.ptr, b.Buffer.a.ptr; pa != pb {
			return compare(uint64(pa), uint64(pb))
		}
		return compare(a.Offset, b.Offset)
	})
	var spans []span
	for _, i := range order {
		r := ranges[i]
		if n := len(spans); n > 0 && spans[n-1].buffer.a == r.Buffer.a && r.Offset <= spans[n-1].to {
			spans[n-1].to = max(spans[n-1].to, r.Offset+r.Bytes)
			spans[n-1].parts = append(spans[n-1].parts, i)
			continue
		}
		spans = append(spans, span{r.Buffer, r.Offset, r.Offset + r.Bytes, []int{i}})
	}
	return spans
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ReadRanges copies ranges of any buffers to the host with as few copies as the ranges allow and
// one wait. The answer has one slice a range, in their order.
func (d *Device) ReadRanges(ranges ...BufferRange) ([][]byte, error) {
	const op = "Device.ReadRanges"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	for _, r := range ranges[:min(1, len(ranges))] {
		if err := r.check(op, d); err != nil {
			return nil, err
		}
		if err := d.idle(op, r.Buffer); err != nil {
			return nil, err
		}
	}
	r, err := d.startRead(op, d.stream.s, ranges)
	if err != nil {
		return nil, err
	}
	err = d.waited(op, d.settle(op, r.release))
	if wasInterrupted(err) {
		return nil, err
	}
	defer r.release()
	if err != nil {
		return nil, err
	}
	return r.collect(), nil
}

// A readback is a copy to the host under way: spans in page-locked staging memory.
type readback struct {
	dev    *Device
	ranges []BufferRange
	spans  []span
	blocks []*hostBlock
}

// startRead checks all ranges and then enqueues the copies.
func (d *Device) startRead(op string, s driver.Stream, ranges []BufferRange) (*readback, error) {
	for _, r := range ranges {
		if err := r.check(op, d); err != nil {
			return nil, err
		}
	}
	rb := &readback{dev: d, ranges: ranges, spans: coalesce(ranges)}
	for _, sp := range rb.spans {
		n := sp.to - sp.from
		b, err := d.hostPool.lease(d, op, n)
		if err != nil {
			rb.release()
			return nil, err
		}
		rb.blocks = append(rb.blocks, b)
		if err := d.ctx.CopyDtoHAsync(b.mem.Bytes()[:n], sp.buffer.a.ptr+devicePtr(sp.from), s); err != nil {
			// An earlier copy may be under way into blocks that would go back to the pool.
			_ = s.Synchronize() // the copy's own error says more
			rb.release()
			return nil, d.late(op, sp.buffer.String(), err)
		}
		d.counters.toHost.moved(n)
	}
	return rb, nil
}

// collect parts the spans into the ranges that were asked for.
func (r *readback) collect() [][]byte {
	out := make([][]byte, len(r.ranges))
	for i := range out {
		out[i] = make([]byte, r.ranges[i].Bytes)
	}
	for i, sp := range r.spans {
		bytes := r.blocks[i].mem.Bytes()
		for _, part := range sp.parts {
			from := r.ranges[part].Offset - sp.from
			copy(out[part], bytes[from:])
		}
	}
	return out
}

func (r *readback) release() {
	for _, b := range r.blocks {
		r.dev.hostPool.giveBack(b)
	}
	r.blocks = nil
}

// A BufferWrite is bytes for a place in a buffer.
type BufferWrite struct {
	Buffer *Buffer
	Offset uint64
	Data   []byte
}

// place is what it writes to.
func (w BufferWrite) place() BufferRange {
	return BufferRange{Buffer: w.Buffer, Offset: w.Offset, Bytes: uint64(len(w.Data))}
}

// WriteRanges copies to any buffers with as few copies as the places allow and one wait. Where
// writes overlap the later one wins. A buffer that a dispatch is using is refused, and then nothing
// is written.
func (d *Device) WriteRanges(writes ...BufferWrite) error {
	const op = "Device.WriteRanges"
	if err := d.checkOpen(op); err != nil {
		return err
	}
	ranges := make([]BufferRange, len(writes))
	for i, w := range writes {
		ranges[i] = w.place()
		if err := ranges[i].check(op, d); err != nil {
			return err
		}
		if err := w.Buffer.a.idle(op); err != nil {
			return err
		}
	}
	if len(writes) == 0 {
		return nil
	}
	if err := d.idle(op, writes[0].Buffer); err != nil {
		return err
	}
	blocks, failed := d.startWrite(op, d.stream.s, writes, ranges)
	release := func() {
		for _, b := range blocks {
			d.hostPool.giveBack(b)
		}
	}
	err := d.waited(op, d.settle(op, release)) // also where a copy failed: an earlier one may be under way
	if !wasInterrupted(err) {
		release()
	}
	if failed != nil {
		return failed // it says more
	}
	return err
}
