package device

import (
	"errors"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// begin chooses the first capacities: for all nodes that the limit allows on a GPU with memory for
// them, a few times the graph on the emulated device, whose memory is the host's.
func (s *saturation) begin(given capacities) error {
	c := given
	if c.rows == 0 {
		most := s.nodeLimit() + 2
		rows := min(most, max(4*len(s.rows), 1<<10))
		c.tasks, c.records = 1<<8, 1<<4
		if !s.dev.Emulated() {
			free, _, err := s.dev.MemInfo()
			if err != nil {
				return err
			}
			rows = max(rows, min(most, int(free/3/(rowBytes+2*idBytes))))
			c.tasks, c.records = 1<<18, 1<<14
		}
		c.rows = rows
		c.buckets = max(1, s.program.joins) * max(8*s.ids, 1<<10)
		if !s.dev.Emulated() {
			c.buckets = max(c.buckets, c.rows/2)
		}
	}
	c.rows = max(c.rows, len(s.rows)+1)
	if c.ids == 0 {
		c.ids = 2 * c.rows
	}
	c.ids = min(maxIDs, max(c.ids, s.ids+1))
	c.slots = slotsFor(c.rows)
	s.cap = c
	return nil
}

// make allocates everything.
func (s *saturation) make() error {
	var err error
	if s.module, err = s.dev.LoadPTX(saturatePTX); err != nil {
		return err
	}
	if s.kernel, err = s.module.Kernel("eg_saturate"); err != nil {
		return err
	}
	shared := s.program.sharedBytes()
	if err := s.kernel.SetDynamicShared(shared); err != nil {
		return err
	}
	each, err := s.kernel.Occupancy(cuda.Block(saturateThreads), shared)
	if err != nil {
		return err
	}
	s.blocks = blocksOf(s.dev, each)
	rules, codes := len(s.job.Rules), firstCode+len(s.job.Ops)
	u32, u64 := uint32(0), uint64(0)
	for _, b := range []struct {
		to   **cuda.Buffer
		zero any
		n    int
	}{
		{&s.state, u32, stateWords}, {&s.pool.program, u32, len(s.program.words)}, {&s.tables, u32, 3*codes +
			len(s.program.grounds) + rules + 1},
		{&s.stats, u64, 6 * rules}, {&s.reports, u64, batch * reportWords}, {&s.keys[0], u64, s.cap.rows}, {&s.keys[1], u64,
			s.cap.rows},
		{&s.pool.classes[0], u32, s.cap.rows}, {&s.pool.classes[1], u32, s.cap.rows}, {&s.parent, u32, s.cap.ids}, {&s.roots,
			u32, s.rootsFor()},
		{&s.buckets, u64, s.cap.buckets}, {&s.table, u64, s.cap.slots}, {&s.tasks, u64, s.cap.tasks * taskBytes / 8},
		{&s.records, u32, s.cap.records * s.program.recordBytes() / 4},
	} {
		if err := s.remake(b.to, b.zero, b.n, 0); err != nil {
			return err
		}
	}
	return nil
}

// rootsFor is the room for a list of all classes, where a rule wants one, and behind it for which
// are pairs'.
func (s *saturation) rootsFor() int {
	if s.program.words[headWantsRoots] == 0 {
		return 1
	}
	return 2 * s.cap.ids
}

// grow does what a launch stopped for. The graph on the device is as it was before the iteration
// that needs more; where there is no more memory the run ends with that graph.
func (s *saturation) grow(status uint32) error {
	err := s.enlarge(status)
	var failed *cuda.Error
	if errors.As(err, &failed) {
		s.stop(accel.MemoryLimit, "iteration %d needs more of the device's memory: %v", len(s.out.Iterations)+1, err)
		s.out.Open = true
		return nil
	}
	return err
}

func (s *saturation) enlarge(status uint32) error {
	u32, u64 := uint32(0), uint64(0)
	rows, ids := int(s.now[stateRaw]), int(s.now[stateIDs])
	switch status {
	case growRows:
		s.cap.rows = min(4*s.cap.rows, s.nodeLimit()+2)
		s.cap.slots = slotsFor(s.cap.rows)
		now := s.now[stateCurrent]
		return errors.Join(s.remake(&s.keys[now], u64, s.cap.rows, rows), s.remake(&s.pool.classes[now], u32, s.cap.rows,
			rows),
			s.remake(&s.keys[1-now], u64, s.cap.rows, 0), s.remake(&s.pool.classes[1-now], u32, s.cap.rows, 0),
			s.remake(&s.table, u64, s.cap.slots, 0))
	case growIDs:
		before := s.cap.ids
		if before >= maxIDs {
			s.stop(accel.MemoryLimit, "iteration %d needs more than the %d ids of a row on a device", len(s.out.Iterations)+1,
				maxIDs)
			s.out.Open = true
			return nil
		}
		s.cap.ids = min(4*before, maxIDs)
		return errors.Join(s.remake(&s.parent, u32, s.cap.ids, ids), s.remake(&s.roots, u32, s.rootsFor(), min(before,
			s.rootsFor())))
	default:
		s.cap.buckets = max(4*s.cap.buckets, 2*len(s.program.joined)*ids)
		return s.remake(&s.buckets, u64, s.cap.buckets, 0)
	}
}

// emulatedBlocks is how many blocks a cooperative launch has on the emulated device. Blocks spin at a
// barrier until all have come: where they are threads of the host, each more than that takes time from
// those that the others wait for. A closure of 10,000 rows by 64 blocks took a minute and more.
const emulatedBlocks = 2

// blocksOf is how many blocks a cooperative launch has, where a multiprocessor holds so many.
func blocksOf(dev *cuda.Device, each int) int {
	blocks := max(1, each*dev.Info().Multiprocessors)
	if dev.Emulated() {
		return min(blocks, emulatedBlocks)
	}
	return blocks
}
