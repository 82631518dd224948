package device

import (
	_ "embed"
	"errors"
	"math/bits"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

//go:embed partition.ptx
var partitionPTX string

// Sizes of rows.cuh: slots of a region, records that a part has room for, bytes of a record.
const (
	region      = 4096
	partRoom    = region / 8 * 7
	recordBytes = 8 + 4
)

// largeRows is where the first round by parts begins to be the faster one: the table is then larger
// than the cache of any GPU by far.
const largeRows = 1 << 24

// A partition is the first round of a Resident by parts: kernels that are launched one behind the
// other.
type partition struct {
	bins, subs int // parts are bins * subs
	room       int // records of a bin
	spill      int // records that found no room

	module                                             *cuda.Module
	merge, mark, point, bin, part, build               *cuda.Kernel
	blocks                                             map[*cuda.Kernel]int
	counts, binHash, binClasses, partHash, partClasses *cuda.Buffer
	buffers                                            []*cuda.Buffer
}

// newPartition plans parts for so many rows: slots are at least 4/3 of the rows, a bin has an
// eighth more room than its share, a sixteenth of all rows may find no room in bins and parts.
func newPartition(rows int) *partition {
	slots := region
	for slots/4*3 < rows {
		slots *= 2
	}
	parts := slots / region
	p := &partition{bins: 1 << ((bits.Len(uint(parts)) - 1) / 2), spill: rows/16 + 1}
	p.subs = parts / p.bins
	p.room = rows/p.bins/8*9 + 1024
	return p
}

func (p *partition) parts() int { return p.bins * p.subs }

// words is how many counts there are: of bins, of parts, and of what was spilled.
func (p *partition) words() int { return p.bins + p.parts() + 1 }
func (p *partition) slots() int { return p.parts() * region }

// wantsParts reports whether a first round by parts is worth its memory, and whether a device has
// that.
func wantsParts(dev *cuda.Device, rows, ids int) (bool, error) {
	if rows < largeRows || dev.Emulated() {
		return false, nil
	}
	free, _, err := dev.MemInfo()
	p := newPartition(rows)
	// What the closure itself takes, and the records of bins and parts.
	need := 8*p.slots() + 12*rows + 5*ids + recordBytes*(p.bins*p.room+p.parts()*partRoom+p.spill) + 4*p.words()
	return err == nil && uint64(need) < uint64(free)/16*15, err
}

func (p *partition) upload(r *Resident) error {
	var err error
	if p.module, err = r.dev.LoadPTX(partitionPTX); err != nil {
		return err
	}
	p.blocks = map[*cuda.Kernel]int{}
	for name, k := range map[string]**cuda.Kernel{"eg_merge": &p.merge, "eg_mark": &p.mark, "eg_point": &p.point,
		"eg_bin": &p.bin, "eg_part": &p.part, "eg_build": &p.build} {
		if *k, err = p.module.Kernel(name); err != nil {
			return err
		}
		each, err := (*k).Occupancy(cuda.Block(fixpointThreads), 0)
		if err != nil {
			return err
		}
		p.blocks[*k] = max(1, min(each*r.dev.Info().Multiprocessors, (max(r.rows, r.ids)+fixpointThreads-1)/fixpointThreads))
	}
	records := p.parts()*partRoom + p.spill
	for _, b := range []struct {
		to   **cuda.Buffer
		zero any
		n    int
	}{{&p.counts, uint32(0), p.words()}, {&p.binHash, uint64(0), p.bins * p.room}, {&p.binClasses, uint32(0),
		p.bins * p.room}, {&p.partHash, uint64(0), records}, {&p.partClasses, uint32(0), records}} {
		if *b.to, err = r.dev.Make(b.n, b.zero); err != nil {
			return err
		}
		p.buffers = append(p.buffers, *b.to)
	}
	return nil
}

// fixpoint enqueues the first round and the cooperative launch of the others, and waits. The time
// is the device's.
func (p *partition) fixpoint(r *Resident, pairs, rounds int) (took time.Duration, err error) {
	launches, err := p.launches(r, pairs, rounds)
	if err != nil {
		return 0, err
	}
	var events [2]*cuda.Event
	for i := range events {
		e, err := r.dev.NewEvent()
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
		events[i] = e
	}
	begin, end := events[0], events[1]
	if err = begin.Record(r.dev.Stream()); err != nil {
		return 0, err
	}
	for _, l := range launches {
		if err = l.Launch(); err != nil {
			return 0, err
		}
	}
	if err = errors.Join(end.Record(r.dev.Stream()), end.Synchronize()); err != nil {
		return 0, err
	}
	return end.Since(begin)
}

// launches prepares the kernels of partition.cu in their order, and eg_fixpoint_large.
func (p *partition) launches(r *Resident, pairs, rounds int) ([]*cuda.Plan, error) {
	bins, subs, room, spill := uint32(p.bins), uint32(p.subs), uint32(p.room), uint32(p.spill)
	var all []*cuda.Plan
	for _, l := range []struct {
		kernel *cuda.Kernel
		args   []any
	}{
		{p.merge, []any{uint32(pairs), r.unions, r.parent, p.counts, uint32(p.words())}},
		{p.mark, []any{uint32(r.ids), r.parent, r.moved}},
		{p.point, []any{uint32(r.ids), r.parent, r.moved}},
		{p.bin, []any{uint32(r.rows), r.keys, uint32(r.width), r.classes, r.parent, r.moved, p.binHash, p.binClasses,
			p.counts, bins, subs, room, p.partHash, p.partClasses, spill, r.state}},
		{p.part, []any{p.binHash, p.binClasses, p.counts, bins, subs, room, p.partHash, p.partClasses, spill, r.state}},
		{p.build, []any{p.partHash, p.partClasses, p.counts, bins, bins * subs, r.parent, r.table, r.state}},
		{r.kernel, []any{cuda.Cooperative(), uint32(r.rows), r.keys, uint32(r.width), r.classes, uint32(r.ids), r.parent,
			r.moved, r.table, uint32(r.slots), p.partHash, p.partClasses, p.counts, bins, spill, r.state, uint32(rounds)}},
	} {
		blocks, first := p.blocks[l.kernel]
		if !first {
			blocks = r.blocks
		}
		made, err := l.kernel.Plan(cuda.Grid(blocks), cuda.Block(fixpointThreads), l.args...)
		if err != nil {
			return nil, err
		}
		all = append(all, made)
	}
	return all, nil
}

func (p *partition) close() error {
	if err := freeAll(&p.buffers); err != nil || p.module == nil {
		return err
	}
	err := p.module.Close()
	if err == nil {
		p.module = nil
	}
	return err
}
