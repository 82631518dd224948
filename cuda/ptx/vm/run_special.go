package vm

import (
	"time"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// dynamicSpecials are the special registers that differ from read to read.
var dynamicSpecials = map[string]func(b *block) uint64{
	"%clock":          func(b *block) uint64 { return b.now() },
	"%clock64":        func(b *block) uint64 { return b.now() },
	"%clock_hi":       func(b *block) uint64 { return b.now() >> 32 },
	"%globaltimer":    func(b *block) uint64 { return b.wallClock() },
	"%globaltimer_lo": func(b *block) uint64 { return b.wallClock() },
	"%globaltimer_hi": func(b *block) uint64 { return b.wallClock() >> 32 },
}

// now is the block's clock: it counts the reads, so that it is deterministic and
// never stands still.
func (b *block) now() uint64 {
	if b.wait.since == 0 {
		b.clock += 16
	}
	b.polls++
	return b.clock
}

// wallClock is the time in nanoseconds.
func (b *block) wallClock() uint64 {
	if b.wait.since != 0 {
		return b.wait.since
	}
	return uint64(time.Now().UnixNano())
}

// specialSlot gives the slot of a special register, which fillSpecials fills.
func (c *compiler) specialSlot(name string) (slot, error) {
	if s, ok := c.special[name]; ok {
		return s, nil
	}
	if dynamicSpecials[name] != nil {
		t := ptx.SpecialType(name)
		s := c.temp(t.Size())
		read := dynamicSpecials[name]
		c.code.timed = true
		c.emit(func(b *block) {
			if t.Size() == 8 {
				setAll(b, s, read(b))
			} else {
				setAll(b, s, uint32(read(b)))
			}
		})
		return s, nil
	}
	if name == reservedOffset {
		return c.constant(4, uint64(c.shared[reservedShared]), 0), nil
	}
	if specialValues[name] == nil {
		return noSlot, c.refuse("this device has no special register " + name)
	}
	s := slot(len(c.code.slots))
	c.code.slots = append(c.code.slots, slotInfo{width: ptx.SpecialType(name).Size(), kind: slotSpecial, name: name})
	c.special[name] = s
	return s, nil
}

// specialValues give a special register's value for a lane.
var specialValues = map[string]func(b *block, l int) uint64{
	"%tid.x": func(b *block, l int) uint64 { return uint64(b.thread(l).X) },
	"%tid.y": func(b *block, l int) uint64 { return uint64(b.thread(l).Y) },
	"%tid.z": func(b *block, l int) uint64 { return uint64(b.thread(l).Z) },

	"%ntid.x": func(b *block, _ int) uint64 { return uint64(b.launch.Block.X) },
	"%ntid.y": func(b *block, _ int) uint64 { return uint64(b.launch.Block.Y) },
	"%ntid.z": func(b *block, _ int) uint64 { return uint64(b.launch.Block.Z) },

	"%ctaid.x": func(b *block, _ int) uint64 { return uint64(b.ctaid.X) },
	"%ctaid.y": func(b *block, _ int) uint64 { return uint64(b.ctaid.Y) },
	"%ctaid.z": func(b *block, _ int) uint64 { return uint64(b.ctaid.Z) },

	"%nctaid.x": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.X) },
	"%nctaid.y": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.Y) },
	"%nctaid.z": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.Z) },

	"%laneid":  func(_ *block, l int) uint64 { return uint64(l & 31) },
	"%warpid":  func(_ *block, l int) uint64 { return uint64(l >> 5) },
	"%nwarpid": constantSpecial(maxLanes / 32),
	"%smid":    func(b *block, _ int) uint64 { return b.linear % uint64(Multiprocessors) },
	"%nsmid":   constantSpecial(Multiprocessors),
	"%gridid":  func(b *block, _ int) uint64 { return b.launch.Number },

	"%lanemask_eq": func(_ *block, l int) uint64 { return 1 << (l & 31) },
	"%lanemask_lt": func(_ *block, l int) uint64 { return 1<<(l&31) - 1 },
	"%lanemask_le": func(_ *block, l int) uint64 { return 2<<(l&31) - 1 },
	"%lanemask_gt": func(_ *block, l int) uint64 { return 0xffffffff &^ (2<<(l&31) - 1) },
	"%lanemask_ge": func(_ *block, l int) uint64 { return 0xffffffff &^ (1<<(l&31) - 1) },

	// The address of a cooperative launch's workspace, for grid.sync.
	"%envreg1": func(b *block, _ int) uint64 { return b.launch.workspace >> 32 },
	"%envreg2": func(b *block, _ int) uint64 { return b.launch.workspace & 0xffffffff },

	"%dynamic_smem_size": func(b *block, _ int) uint64 { return uint64(b.launch.SharedBytes) },
	"%total_smem_size":   func(b *block, _ int) uint64 { return uint64(len(b.shared)) },
	"%aggr_smem_size":    func(b *block, _ int) uint64 { return uint64(len(b.shared)) },
}

func constantSpecial(v uint64) func(*block, int) uint64 { return func(*block, int) uint64 { return v } }

// Multiprocessors is how many the emulated device says it has. It bounds how many
// blocks of a launch are resident together.
const Multiprocessors = 16

// perLane are the special registers that differ from thread to thread of a block, and
// depend on nothing but its shape.
var perLane = map[string]bool{"%tid.x": true, "%tid.y": true, "%tid.z": true, "%laneid": true, "%warpid": true,
	"%lanemask_eq": true, "%lanemask_lt": true, "%lanemask_le": true, "%lanemask_gt": true, "%lanemask_ge": true}

// perBlock are the special registers that change from block to block of a launch.
var perBlock = map[string]bool{"%ctaid.x": true, "%ctaid.y": true, "%ctaid.z": true, "%smid": true,
	"%clusterid.x": true, "%clusterid.y": true, "%clusterid.z": true, "%cluster_ctarank": true,
	"%cluster_ctaid.x": true, "%cluster_ctaid.y": true, "%cluster_ctaid.z": true}

// specialFill is a special register that is filled anew, and the value of all lanes.
type specialFill struct {
	slot   slot
	spread func(p unsafe.Pointer, v uint64, n int)
	value  func(b *block, l int) uint64
}

// sortSpecials lists the special registers that each block and each launch fills.
func (c *code) sortSpecials() {
	for i, s := range c.slots {
		if s.kind != slotSpecial || perLane[s.name] {
			continue
		}
		f := specialFill{slot(i), spreaders[s.width], specialValues[s.name]}
		if perBlock[s.name] {
			c.ofBlock = append(c.ofBlock, f)
		} else {
			c.ofLaunch = append(c.ofLaunch, f)
		}
	}
}

func (b *block) fillSpecials(list []specialFill) {
	for _, f := range list {
		f.spread(b.ptr[f.slot], f.value(b, 0), b.n)
	}
}

// spreaders write one value to all lanes of a slot, by its width.
var spreaders = map[int]func(p unsafe.Pointer, v uint64, n int){
	1: func(p unsafe.Pointer, v uint64, n int) { fill(p, uint8(v), n) },
	4: func(p unsafe.Pointer, v uint64, n int) { fill(p, uint32(v), n) },
	8: func(p unsafe.Pointer, v uint64, n int) { fill(p, v, n) },
}

func (b *block) fillSpecial(s slot, info slotInfo) {
	f := specialValues[info.name]
	for l := range b.n {
		v := f(b, l)
		switch info.width {
		case 1:
			view[uint8](b, s)[l] = uint8(v)
		case 4:
			view[uint32](b, s)[l] = uint32(v)
		default:
			view[uint64](b, s)[l] = v
		}
	}
}

// thread gives the index of a lane in its block.
func (b *block) thread(l int) Dim3 {
	x, y := b.launch.Block.X, b.launch.Block.Y
	i := uint32(l)
	return Dim3{X: i % x, Y: i / x % y, Z: i / x / y}
}
