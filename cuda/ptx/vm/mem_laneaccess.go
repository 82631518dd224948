package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// laneAccess reads or writes memory for one lane at addresses that are computed while the instruction runs, each
// checked as an access of its own is.
type laneAccess struct {
	a    *access
	addr slot
	hold slot
	step step
}

// laneAccess makes room for accesses of so many bytes in a space.
func (c *compiler) laneAccess(space ptx.Space, size int, write bool) *laneAccess {
	p := &laneAccess{addr: c.temp(8), hold: c.temp(size)}
	p.a = &access{in: c.in, space: space, addr: p.addr, size: uint64(size), elem: size, write: write, site: c.code.sites}
	p.a.ofCluster = write && c.in.Has("shared::cluster")
	p.a.atomic = space == ptx.Global && c.in.Has("reduce")
	c.code.sites++
	p.step = c.stepsOf(func() {
		if write {
			c.observe(p.a, []slot{p.hold})
			c.emit(storers[size](p.a, 0, p.hold))
		} else {
			c.observe(p.a, nil)
			c.emit(loaders[size](p.a, 0, p.hold))
		}
	})
	return p
}

// at runs the step for a lane, which is the only active one.
func (p *laneAccess) at(b *block, l int, addr uint64) bool {
	view[uint64](b, p.addr)[l] = addr
	p.step(b)
	return b.fault == nil
}

// bytes is what a lane holds: what was read, or is to be written.
func (p *laneAccess) bytes(b *block, l int) []byte {
	n := int(p.a.size)
	return viewBytes(b, p.hold, n)[l*n : (l+1)*n]
}

// load reads bytes from an address on, in pieces.
func (p *laneAccess) load(b *block, l int, addr uint64, out []byte) bool {
	for at := 0; at < len(out); at += int(p.a.size) {
		if !p.at(b, l, addr+uint64(at)) {
			return false
		}
		copy(out[at:], p.bytes(b, l))
	}
	return true
}

// store writes bytes from an address on, in pieces.
func (p *laneAccess) store(b *block, l int, addr uint64, v []byte) bool {
	for at := 0; at < len(v); at += int(p.a.size) {
		copy(p.bytes(b, l), v[at:])
		if !p.at(b, l, addr+uint64(at)) {
			return false
		}
	}
	return true
}

// eachAlone runs f with each active lane as the only one, up to the first fault.
func (b *block) eachAlone(f func(l int)) {
	all := b.bits
	all.each(func(l int) {
		if b.fault == nil {
			var lane laneBits
			lane.add(l)
			b.setActive(&lane)
			f(l)
		}
	})
	b.setActive(&all)
}
