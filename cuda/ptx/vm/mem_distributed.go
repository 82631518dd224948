package vm

import (
	"fmt"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// The shared memory of the other blocks of a cluster: an address says the rank in its bits from peerShift
// on, plus 1; 0 is the block's own.
const (
	peerShift = 24
	peerMask  = 1<<peerShift - 1
)

// peer gives the block whose shared memory an address in the shared window is of, nil where there is none,
// and the offset in it.
func (b *block) peer(addr uint64) (*block, uint64) {
	rank := addr >> peerShift
	switch {
	case rank == 0:
		return b, addr
	case b.cluster.of == nil || rank > uint64(len(b.cluster.of.blocks)):
		return nil, addr & peerMask
	}
	return b.cluster.of.blocks[rank-1], addr & peerMask
}

// retargetShared points the instruction's segment at shared memory.
func (a *access) retargetShared(b *block, i int, base, addr uint64) bool {
	owner, off := b.peer(addr - base)
	switch {
	case owner == nil:
		b.raiseAccess(driver.FaultOutOfBounds, a, i, addr, nil)
		b.fault.Detail = fmt.Sprintf("the address is of the shared memory of rank %d, and the cluster has %d blocks",
			(addr-base)>>peerShift-1, b.launch.clusterSize)
		return false
	case owner != b && a.space == ptx.Shared && !a.ofCluster:
		b.raiseAccess(driver.FaultOutOfBounds, a, i, addr, nil)
		b.fault.Detail = "the address is of another block's shared memory: an instruction of .shared::cluster, or with a " +
			"generic address, reaches it"
		return false
	case owner != b && owner.live.empty():
		b.raiseAccess(driver.FaultUseAfterFree, a, i, addr, nil)
		b.fault.Detail = fmt.Sprintf("the shared memory is that of block (%d,%d,%d), rank %d of the cluster, "+
			"whose threads have "+
			"all exited: a barrier of the cluster before they do keeps it", owner.ctaid.X, owner.ctaid.Y, owner.ctaid.Z,
			owner.cluster.rank)
		return false
	}
	b.sites[a.site] = segment{base: addr - off, size: uint64(len(owner.shared)),
		mem: unsafe.Pointer(unsafe.SliceData(owner.shared)), shadow: shadowOf(owner.sharedInit), peer: owner != b,
		races: owner.cluster.races}
	return true
}

// own reports whether a segment is memory that no other block accesses.
func (s *segment) own() bool { return s.alloc == nil && s.races == nil }

// placeOf gives where what is released at an object of shared memory is kept, and its key there.
func (b *block) placeOf(at *uint64) (*places, uint64) {
	in := func(o *block) (uint64, bool) {
		off := uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(unsafe.SliceData(o.shared)))
		return uint64(off), off < uintptr(len(o.shared))
	}
	if b.launch.clusterSize > 1 {
		for rank, o := range b.cluster.of.blocks {
			if off, ok := in(o); ok {
				return &b.cluster.of.places, uint64(rank+1)<<peerShift | off
			}
		}
	}
	off, _ := in(b)
	return &b.races.places, off
}

// keyOf gives the key of a place in shared memory among those of the cluster.
func (b *block) keyOf(seg *segment, off uint64) uint64 {
	for rank, o := range b.cluster.of.blocks {
		if o.inShared(seg) {
			return uint64(rank+1)<<peerShift | off
		}
	}
	return off
}

// peerAddress gives the address of what lies at addr of the shared window in the block of a rank; false where
// the cluster has none.
func (b *block) peerAddress(addr uint64, rank uint32) (uint64, bool) {
	switch {
	case int(rank) >= b.launch.clusterSize:
		return 0, false
	case int(rank) == b.cluster.rank:
		return addr & peerMask, true
	}
	return addr&peerMask | uint64(rank+1)<<peerShift, true
}

// buildMapa is mapa: the address of the same variable in another block of the cluster.
func buildMapa(c *compiler) error {
	t := c.lastType()
	x, err := c.src(1, t)
	if err != nil {
		return err
	}
	rank, err := c.src(2, ptx.U32)
	if err != nil {
		return err
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	window := sharedWindow
	if c.in.Has("shared::cluster") || t.Size() == 4 {
		window = 0
	}
	if o := &c.in.Operands[1]; window != 0 && o.Kind == ptx.OpVar {
		x = c.constant(8, uint64(c.shared[o.Var])+uint64(o.Offset)+window, 0)
	}
	if t.Size() == 4 {
		c.emit(mapStep[uint32](d, x, rank, window))
		return nil
	}
	c.emit(mapStep[uint64](d, x, rank, window))
	return nil
}

func mapStep[T uint32 | uint64](d, x, rank slot, window uint64) step {
	return func(b *block) {
		o, addrs, ranks := out[T](b, d), in[T](b, x, 0), in[uint32](b, rank, 1)
		for i := range o {
			to, ok := b.peerAddress(uint64(addrs[i])-window, ranks[i])
			if space, _ := genericSpace(uint64(addrs[i])); !ok || window != 0 && space != ptx.Shared {
				b.raiseMapa(i, ranks[i], ok)
				return
			}
			o[i] = T(to + window)
		}
		put(b, d, o)
	}
}

func (b *block) raiseMapa(i int, rank uint32, ok bool) {
	detail := fmt.Sprintf("mapa to rank %d, and the cluster has %d blocks", rank, b.launch.clusterSize)
	if ok {
		detail = "mapa of an address that is not in shared memory"
	}
	b.raiseLane(driver.FaultOutOfBounds, b.lane(i), detail)
}

// buildRankOf is getctarank: the rank of the block whose shared memory an address is of.
func buildRankOf(c *compiler) error {
	t := c.lastType()
	x, err := c.src(1, t)
	if err != nil {
		return err
	}
	d, err := c.dst(0, ptx.U32)
	if err != nil {
		return err
	}
	if t.Size() == 4 {
		c.emit(rankStep[uint32](d, x))
		return nil
	}
	c.emit(rankStep[uint64](d, x))
	return nil
}

func rankStep[T uint32 | uint64](d, x slot) step {
	return func(b *block) {
		o, addrs := out[uint32](b, d), in[T](b, x, 0)
		for i := range o {
			if o[i] = uint32(addrs[i]>>peerShift) & 0xff; o[i] == 0 {
				o[i] = uint32(b.cluster.rank)
			} else {
				o[i]--
			}
		}
		put(b, d, o)
	}
}

func init() {
	register(map[string]builder{"mapa": buildMapa, "getctarank": buildRankOf})
}
