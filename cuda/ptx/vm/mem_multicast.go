package vm

import (
	"fmt"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Copies to several blocks of a cluster (.multicast::cluster, sections 9.7.9.25.4.1 and 9.7.9.27.1.2): to the place
// that the destination has in each block of a mask, completing on the mbarrier object at its place there. Here they
// are as many copies, one behind the other.

// multicast makes the copy of the current instruction, with addresses of its own, and the loop around it.
func (c *compiler) multicast() error {
	in := c.in
	object := 3
	if in.Has("tensor") {
		object = 2
	}
	mask, err := c.src(object+1, ptx.U16)
	if err != nil {
		return err
	}
	one := *in
	one.Mods = slices.DeleteFunc(slices.Clone(in.Mods), func(m string) bool { return m == "multicast::cluster" })
	one.Operands = slices.Delete(slices.Clone(in.Operands), object+1, object+2)
	var places []func(b *block, l int) uint64
	var slots []slot
	for _, i := range []int{0, object} {
		place, err := c.addressOf(ptx.Shared, &in.Operands[i])
		if err != nil {
			return err
		}
		places, slots = append(places, place), append(slots, c.temp(4))
		one.Operands[i] = c.addressIn(slots[len(slots)-1])
	}
	c.in = &one
	copied := c.stepsOf(func() { err = buildBulk(c) })
	c.in = in
	c.emit(func(b *block) {
		b.eachTarget(view[uint16](b, mask), func(rank uint32, lanes *laneBits) {
			lanes.each(func(l int) {
				for i, place := range places {
					addr, _ := b.peerAddress(place(b, l), rank)
					view[uint32](b, slots[i])[l] = uint32(addr)
				}
			})
			b.setActive(lanes)
			copied(b)
		})
	})
	return err
}

// addressIn is the operand of an address in a slot.
func (c *compiler) addressIn(s slot) ptx.Operand {
	r := &ptx.Register{Name: "an address", Type: ptx.U32, Vector: 1, Index: len(c.regs)}
	c.regs = append(c.regs, s)
	return ptx.Operand{Kind: ptx.OpAddr, Component: -1,
		Elems: []ptx.Operand{{Kind: ptx.OpReg, Reg: r, Component: -1}}}
}

// eachTarget calls f with the blocks of the cluster that the masks of the active lanes name, and those lanes.
func (b *block) eachTarget(masks []uint16, f func(rank uint32, lanes *laneBits)) {
	active := b.bits
	defer b.setActive(&active)
	for rank := range uint32(16) {
		var lanes laneBits
		active.each(func(l int) {
			if masks[l]>>rank&1 != 0 {
				lanes.add(l)
			}
		})
		switch {
		case lanes.empty():
			continue
		case int(rank) >= b.launch.clusterSize:
			b.raise(driver.FaultIllegal, &lanes, fmt.Sprintf("the mask names the block of rank %d, and the cluster has %d "+
				"blocks", rank, b.launch.clusterSize))
			return
		}
		if f(rank, &lanes); b.fault != nil {
			return
		}
	}
}
