package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// Counters are what a launch did, for Options.Counters.
type Counters struct {
	// Instructions counts lanes that executed each opcode with its modifiers.
	Instructions map[string]uint64
	// Divergences counts branches at which active lanes went different ways.
	Divergences uint64
	// GlobalRequests counts warps' accesses to global memory, GlobalSectors the
	// 32-byte sectors they touched and GlobalBytes the bytes they asked for: a full
	// warp of aligned words needs 4 sectors.
	GlobalRequests, GlobalSectors, GlobalBytes uint64
	// SharedRequests counts warps' accesses to shared memory and BankConflicts the
	// turns beyond the first that they took, because lanes wanted different words of
	// one of the 32 banks.
	SharedRequests, BankConflicts uint64
}

// plus adds another block's counts but the instructions.
func (c *Counters) plus(o *Counters) {
	c.Divergences += o.Divergences
	c.GlobalRequests += o.GlobalRequests
	c.GlobalSectors += o.GlobalSectors
	c.GlobalBytes += o.GlobalBytes
	c.SharedRequests += o.SharedRequests
	c.BankConflicts += o.BankConflicts
}

// countAccess emits the counting of an access.
func (c *compiler) countAccess(a *access) {
	if !c.code.options.Counters || a.param || a.space == ptx.Local || a.space == ptx.Const {
		return
	}
	now := *a // a vector load reads the addresses from where they are kept, which is filled behind this
	c.emit(func(b *block) { b.countAccess(&now) })
}

// countAccess counts the sectors or bank conflicts of each warp's active lanes.
func (b *block) countAccess(a *access) {
	addrs := a.addresses(b)
	for i := 0; i < len(addrs); {
		end := i
		for end < len(addrs) && b.lane(end)/32 == b.lane(i)/32 {
			end++
		}
		space := a.space
		if space == ptx.Generic {
			space, _ = genericSpace(addrs[i] + a.offset)
		}
		switch space {
		case ptx.Shared:
			b.stats.SharedRequests++
			b.stats.BankConflicts += b.bankConflicts(addrs[i:end], i, a.offset, a.size)
		case ptx.Global:
			b.stats.GlobalRequests++
			b.stats.GlobalSectors += sectors(addrs[i:end], a.offset, a.size)
			b.stats.GlobalBytes += a.size * uint64(end-i)
		}
		i = end
	}
}

func sectors(addrs []uint64, offset, size uint64) uint64 {
	seen := make(map[uint64]bool, len(addrs))
	for _, addr := range addrs {
		for s := (addr + offset) / 32; s <= (addr+offset+size-1)/32; s++ {
			seen[s] = true
		}
	}
	return uint64(len(seen))
}

// bankConflicts counts the turns beyond those that a warp's access takes anyway: one, or, as hardware takes 128 bytes a turn, one for each half of the lanes
// where they access 8 bytes, and one for each quarter where they access 16.
func (b *block) bankConflicts(addrs []uint64, first int, offset, size uint64) uint64 {
	lanes := 32 / max(int(size/4), 1) // a turn's
	total := uint64(0)
	for i := 0; i < len(addrs); {
		end := i
		for end < len(addrs) && b.lane(first+end)%32/lanes == b.lane(first+i)%32/lanes {
			end++
		}
		total += mostOfABank(addrs[i:end], offset, size) - 1
		i = end
	}
	return total
}

// mostOfABank is how many different words of one bank the lanes of a turn want, at most.
func mostOfABank(addrs []uint64, offset, size uint64) uint64 {
	words := make(map[uint64]bool, len(addrs))
	var banks [32]uint64
	most := uint64(1)
	for _, addr := range addrs {
		for w := (addr + offset) / 4; w <= (addr+offset+size-1)/4; w++ {
			if words[w] {
				continue
			}
			words[w] = true
			banks[w%32]++
			most = max(most, banks[w%32])
		}
	}
	return most
}

// add takes a finished block's counts in.
func (c *Counters) add(b *block) {
	if c.Instructions == nil {
		c.Instructions = map[string]uint64{}
	}
	for i, n := range b.blockRuns {
		if n == 0 {
			continue
		}
		for _, in := range b.code.blocks[i].source {
			c.Instructions[in.Mnemonic()] += n
		}
	}
	c.plus(b.stats)
	*b.stats = Counters{}
}
