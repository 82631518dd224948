package vm

import (
	"fmt"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// cp.async (section 9.7.9.25.3): a lane copies 4, 8 or 16 bytes from global to shared
// memory without waiting. Here the bytes move at once; until the lane has waited for
// the copy, the race check takes whoever touches them for a race, and when it has, it
// takes the bytes for written at that moment.

// asyncState is what copies of a block are under way, for the race check.
type asyncState struct {
	bulkState
	lanes []asyncLane
	owner []uint32 // by word of shared memory: the copying lane plus 1
	words int      // how many words have an owner
}

// asyncLane is one lane's copies, oldest first; commits counts its groups.
type asyncLane struct {
	pending []pendingCopy
	commits int
}

type pendingCopy struct {
	a     *access // the destination
	off   uint64  // in shared memory
	group int
}

func (b *block) resetAsync() {
	s := &b.async
	s.bulkState = bulkState{}
	for i := range s.lanes {
		s.lanes[i] = asyncLane{pending: s.lanes[i].pending[:0]}
	}
	if s.words > 0 {
		clear(s.owner)
	}
	s.words = 0
}

// asyncSize is what is said of how much of a copy's source is read; the rest of
// the destination becomes zero.
type asyncSize struct {
	bytes  slot // of the source, noSlot for all
	ignore slot // a predicate: nothing is read where it holds; noSlot for none
}

func buildCopyAsync(c *compiler) error {
	switch {
	case c.in.Has("bulk"):
		return buildBulk(c)
	case c.in.Has("mbarrier"):
		return buildCopyArrive(c)
	case c.in.Has("commit_group"):
		return c.asyncStep(func(b *block, l, _ int) { b.async.lanes[l].commits++ })
	case c.in.Has("wait_all"):
		return c.asyncStep(func(b *block, l, i int) { b.completeCopies(l, i, b.async.lanes[l].commits+1) })
	case c.in.Has("wait_group"):
		n := int(c.in.Operands[0].Int)
		if c.in.Operands[0].Kind != ptx.OpInt {
			return c.refuse("the number of groups is not a constant")
		}
		return c.asyncStep(func(b *block, l, i int) { b.completeCopies(l, i, b.async.lanes[l].commits-n) })
	}
	return buildCopy(c)
}

// asyncStep emits f for each active lane where copies are followed.
func (c *compiler) asyncStep(f func(b *block, l, i int)) error {
	if c.code.options.Races {
		c.emit(func(b *block) {
			b.followCopies()
			for i := 0; i < b.count && b.fault == nil; i++ {
				f(b, b.lane(i), i)
			}
		})
	}
	return nil
}

func (b *block) followCopies() {
	if b.async.lanes == nil {
		b.async.lanes = make([]asyncLane, b.n)
		b.async.owner = make([]uint32, (len(b.shared)+3)/4)
	}
}

// asyncTypes are the types that move a copy of 4, 8 or 16 bytes.
var asyncTypes = map[uint64]ptx.Type{4: ptx.B32, 8: ptx.B64, 16: ptx.B128}

func buildCopy(c *compiler) error {
	ops := c.in.Operands
	t, ok := asyncTypes[ops[2].Int]
	if !ok || ops[2].Kind != ptx.OpInt || c.in.Has("cg") && t != ptx.B128 {
		return c.refuse("a copy is of 4, 8 or 16 bytes, with .cg of 16")
	}
	size, err := c.asyncSize()
	if err != nil {
		return err
	}
	src, err := c.access(1, t.Size(), false)
	if err != nil {
		return err
	}
	src.space = ptx.Global
	dst, err := c.access(0, t.Size(), true)
	if err != nil {
		return err
	}
	hold := c.temp(t.Size())
	c.asyncFetch(src, t, hold, size)
	c.observe(dst, nil)
	c.emit(storers[t.Size()](dst, 0, hold))
	if c.code.options.Races {
		c.emit(func(b *block) {
			b.followCopies()
			for i, addr := range dst.addresses(b) {
				b.beginCopy(dst, b.lane(i), addr+dst.offset)
			}
		})
	}
	return nil
}

// asyncSize reads the optional fourth operand: a number of bytes or a predicate. A
// cache hint comes last and changes nothing.
func (c *compiler) asyncSize() (asyncSize, error) {
	s := asyncSize{noSlot, noSlot}
	n := len(c.in.Operands)
	if c.in.Has("L2::cache_hint") {
		n--
	}
	if n < 4 {
		return s, nil
	}
	var err error
	if o := &c.in.Operands[3]; o.Kind == ptx.OpReg && o.Reg.Type == ptx.Pred {
		s.ignore, err = c.src(3, ptx.Pred)
	} else {
		s.bytes, err = c.src(3, ptx.U32)
	}
	return s, err
}

// asyncFetch emits the load of the source into a slot.
func (c *compiler) asyncFetch(src *access, t ptx.Type, hold slot, size asyncSize) {
	n := t.Size()
	whole := len(c.steps)
	c.observe(src, nil)
	c.emit(loaders[n](src, 0, hold))
	if size.bytes == noSlot && size.ignore == noSlot {
		return
	}
	load := sequence(append([]step(nil), c.steps[whole:]...))
	c.steps = c.steps[:whole]
	part := *src
	part.size, part.site, part.watched = 1, c.code.sites, false
	c.code.sites++
	c.emit(func(b *block) {
		all := b.bits
		var full laneBits
		all.each(func(l int) {
			switch asked := size.of(b, l, n); {
			case b.fault != nil:
			case asked > n:
				var lane laneBits
				lane.add(l)
				b.raise(driver.FaultLimit, &lane, fmt.Sprintf("the copy of %d bytes is to read %d", n, asked))
			case asked == n:
				full.add(l)
			default:
				b.fetchPart(&part, l, asked, hold, n)
			}
		})
		if b.fault == nil && !full.empty() {
			b.setActive(&full)
			load(b)
		}
		b.setActive(&all)
	})
}

func (s asyncSize) of(b *block, l, n int) int {
	switch {
	case s.bytes != noSlot:
		return int(view[uint32](b, s.bytes)[l])
	case view[bool](b, s.ignore)[l]:
		return 0
	}
	return n
}

// fetchPart reads the first bytes of one lane's source; the others are zero.
func (b *block) fetchPart(part *access, l, bytes int, hold slot, n int) {
	var lane laneBits
	lane.add(l)
	b.setActive(&lane)
	to := viewBytes(b, hold, n)[l*n : (l+1)*n]
	clear(to)
	for k := range bytes {
		loadLanes(b, part, part.addresses(b), k, to[k:k+1])
		if b.fault != nil {
			return
		}
	}
}

// beginCopy notes that a lane's copy is under way.
func (b *block) beginCopy(dst *access, l int, off uint64) {
	s := &b.async
	for w := off / 4; w < (off+dst.size)/4; w++ {
		if s.owner[w] == 0 {
			s.words++
		}
		s.owner[w] = uint32(l) + 1
	}
	q := &s.lanes[l]
	q.pending = append(q.pending, pendingCopy{dst, off, q.commits})
}

// completeCopies ends a lane's copies of the groups before the given one.
func (b *block) completeCopies(l, i, before int) {
	s := &b.async
	q := &s.lanes[l]
	kept := q.pending[:0]
	for _, p := range q.pending {
		if p.group >= before {
			kept = append(kept, p)
			continue
		}
		for w := p.off / 4; w < (p.off+p.a.size)/4; w++ {
			if s.owner[w] == uint32(l)+1 {
				s.owner[w] = 0
				s.words--
			}
		}
		b.watchWrite(p.a, l, i, p.off, p.a.size)
	}
	q.pending = kept
}

// notCopied gives how many lanes from the first on access nothing that a copy has still to write, as far as is told
// quickly.
func (b *block) notCopied(a *access, l *checks.Lanes) int {
	switch s := &b.async; {
	case len(s.reads) != 0:
		return 0
	case s.words != 0:
		for i, addr := range l.Addrs {
			off := addr - l.Start
			if off > l.Limit {
				return i
			}
			for w := off / 4; w <= (off+a.size-1)/4; w++ {
				if s.owner[w] != 0 {
					return i
				}
			}
		}
	}
	return len(l.Addrs)
}

// copying raises a race where an access touches what a copy has still to write.
func (b *block) copying(a *access, i int, off, addr uint64) bool {
	if a.write && b.reading(a, i, off, addr) {
		return true
	}
	if b.async.words == 0 {
		return false
	}
	for w := off / 4; w <= (off+a.size-1)/4; w++ {
		o := b.async.owner[w]
		if o == 0 {
			continue
		}
		var by *ptx.Instruction
		for _, p := range b.async.lanes[o-1].pending {
			if off < p.off+p.a.size && p.off < off+a.size {
				by = p.a.in
			}
		}
		for _, p := range b.async.loads {
			if off < p.off+p.size && p.off < off+a.size {
				by = p.a.in
			}
		}
		t := b.thread(int(o - 1))
		b.raiseAccess(driver.FaultRace, a, i, addr, nil)
		b.addDetail(fmt.Sprintf("the %s of thread (%d,%d,%d) at %s writes there, and the thread has not waited for it",
			by.Mnemonic(), t.X, t.Y, t.Z, b.lineOf(by)))
		return true
	}
	return false
}

// inShared reports whether a segment is the block's shared memory.
func (b *block) inShared(s *segment) bool {
	return len(b.shared) > 0 && s.mem == unsafe.Pointer(unsafe.SliceData(b.shared))
}

func init() {
	register(map[string]builder{"cp": buildCopyAsync})
}
