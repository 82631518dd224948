package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// Blocks that run at once may store equal values. One that is judged may find the other judged and not in memory yet,
// and even waiting for the page of the shadow that this one holds: so each shows what it is about to store.

// showStore shows what a block is about to store in global memory.
func (b *block) showStore() {
	if b.launch.workers > 1 {
		s := &b.launch.races.stores[b.linear%uint64(len(b.launch.races.stores))]
		s.Lock()
		if s.of == nil {
			s.of = map[uint64]*order{}
		}
		s.of[b.linear] = &b.races.judge
		s.Unlock()
	}
}

// hideStore ends that, before the store is done.
func (b *block) hideStore() {
	if b.launch.workers > 1 {
		s := &b.launch.races.stores[b.linear%uint64(len(b.launch.races.stores))]
		s.Lock()
		delete(s.of, b.linear)
		s.Unlock()
	}
}

// underWay reports whether the other thread, of another block, is about to store what the lane stores.
func (o *order) underWay(off uint64, n int, other checks.Epoch) bool {
	if o.first != 0 {
		return false // in shared memory
	}
	threads := uint32(o.b.n)
	block := uint64((other.Thread - 1) / threads)
	if block == o.b.linear {
		return false
	}
	s := &o.b.launch.races.stores[block%uint64(len(o.b.launch.races.stores))]
	s.Lock()
	defer s.Unlock()
	x := s.of[block]
	mine := func(k int) byte { return o.stored(o.i, off+uint64(k)) }
	return x != nil && x.brings(int((other.Thread-1)%threads), o.seg.base+off, n, mine)
}

// brings reports whether a lane of the block is about to store these n bytes at an address.
func (o *order) brings(lane int, addr uint64, n int, want func(k int) byte) bool {
	for i := range o.addrs {
		at := addr - (o.addrs[i] + o.a.offset)
		if o.b.lane(i) != lane || at > o.a.size || uint64(n) > o.a.size-at {
			continue
		}
		for k := range n {
			e := int(at) + k
			if *(*byte)(unsafe.Add(o.b.ptr[o.values[e/o.elem]], lane*o.elem+e%o.elem)) != want(k) {
				return false
			}
		}
		return true
	}
	return false
}
