package vm

import (
	"fmt"
	"io"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// builtins are the functions that the driver supplies to every module.
var builtins map[string]func(c *compiler, f *ptx.Function) error

func init() {
	builtins = map[string]func(c *compiler, f *ptx.Function) error{
		"vprintf": buildPrintf, "__assertfail": buildAssert, "malloc": buildMalloc, "free": buildFree,
		"cudaGraphSetConditional": buildSetConditional,
	}
}

// arguments gives the offsets of a builtin's arguments in local memory.
func (c *compiler) arguments(f *ptx.Function, n int) ([]int, error) {
	if len(f.Params) != n {
		return nil, c.refuse(fmt.Sprintf("%s takes %d arguments", f.Name, n))
	}
	at := make([]int, n)
	for i, p := range f.Params {
		at[i] = c.frames[p]
	}
	return at, nil
}

// perLane makes a terminator that calls f for each active lane.
func (c *compiler) perLane(f func(b *block, l int)) {
	next := c.next
	c.end = func(b *block) {
		b.bits.each(func(l int) {
			if b.fault == nil {
				f(b, l)
			}
		})
		b.pc = next
	}
}

// localWord reads up to 8 bytes of a lane's local memory.
func (b *block) localWord(l, at, n int) uint64 {
	var v uint64
	base := l*b.stride + at
	for i := range n {
		v |= uint64(b.local[base+i]) << (8 * i)
	}
	return v
}

func (b *block) setLocalWord(l, at, n int, v uint64) {
	base := l*b.stride + at
	for i := range n {
		b.local[base+i] = byte(v >> (8 * i))
		if b.localInit != nil {
			b.localInit[base+i] = 1
		}
	}
}

// generic gives n bytes at a generic address, as a lane sees them; nil where
// there are none.
func (b *block) generic(l int, addr, n uint64) []byte {
	space, base := genericSpace(addr)
	var mem []byte
	switch space {
	case ptx.Shared:
		mem = b.shared
	case ptx.Local:
		mem = b.local[l*b.stride : l*b.stride+b.localEnd(l)]
	case ptx.Param:
		mem = b.launch.paramBlock
	default:
		data, _, _, err := b.launch.memory.bytes(addr, n)
		if err != nil {
			return nil
		}
		return data
	}
	if addr-base > uint64(len(mem)) || n > uint64(len(mem))-(addr-base) {
		return nil
	}
	return mem[addr-base : addr-base+n]
}

// cString reads a string that a zero byte ends.
func (b *block) cString(l int, addr uint64) (string, bool) {
	var s strings.Builder
	for s.Len() < 1<<16 {
		c := b.generic(l, addr+uint64(s.Len()), 1)
		if c == nil {
			return s.String(), false
		}
		if c[0] == 0 {
			return s.String(), true
		}
		s.WriteByte(c[0])
	}
	return s.String(), false
}

func buildPrintf(c *compiler, f *ptx.Function) error {
	at, err := c.arguments(f, 2)
	if err != nil {
		return err
	}
	result := -1
	if len(f.Results) == 1 {
		result = c.frames[f.Results[0]]
	}
	c.code.ordered = true
	c.perLane(func(b *block, l int) {
		text, ok := b.cString(l, b.localWord(l, at[0], 8))
		if !ok {
			b.raiseLane(driver.FaultOutOfBounds, l, "printf's format is not a string in memory")
			return
		}
		out, n := b.format(l, text, b.localWord(l, at[1], 8))
		if b.launch.Stdout != nil {
			b.launch.output.Lock()
			_, _ = io.WriteString(b.launch.Stdout, out) // a kernel cannot be told that output fails
			b.launch.output.Unlock()
		}
		if result >= 0 {
			b.setLocalWord(l, result, 4, uint64(uint32(n)))
		}
	})
	return nil
}

func (b *block) raiseLane(kind driver.FaultKind, l int, detail string) {
	var lanes laneBits
	lanes.add(l)
	b.raise(kind, &lanes, detail)
}

// buildAssert is __assertfail(message, file, line, function, size of char).
func buildAssert(c *compiler, f *ptx.Function) error {
	at, err := c.arguments(f, 5)
	if err != nil {
		return err
	}
	c.end = func(b *block) {
		l := first(&b.bits)
		msg, _ := b.cString(l, b.localWord(l, at[0], 8))
		file, _ := b.cString(l, b.localWord(l, at[1], 8))
		fn, _ := b.cString(l, b.localWord(l, at[3], 8))
		b.raise(driver.FaultAssert, &b.bits, fmt.Sprintf("%s:%d: %s: assertion `%s` failed", file, uint32(b.localWord(l,
			at[2], 4)), fn, msg))
	}
	return nil
}

// buildMalloc takes memory of the device's heap; null where none is left.
func buildMalloc(c *compiler, f *ptx.Function) error {
	at, err := c.arguments(f, 1)
	if err != nil {
		return err
	}
	if len(f.Results) != 1 {
		return c.refuse("malloc gives one result")
	}
	result := c.frames[f.Results[0]]
	c.code.ordered = true
	c.perLane(func(b *block, l int) {
		var addr uint64
		if a, err := b.launch.memory.Alloc(b.localWord(l, at[0], 8), "memory from malloc in a kernel"); err == nil {
			addr = a.Base
		}
		b.setLocalWord(l, result, 8, addr)
	})
	return nil
}

func buildFree(c *compiler, f *ptx.Function) error {
	at, err := c.arguments(f, 1)
	if err != nil {
		return err
	}
	c.perLane(func(b *block, l int) {
		addr := b.localWord(l, at[0], 8)
		if addr == 0 {
			return
		}
		if err := b.launch.memory.Free(addr); err != nil {
			b.raiseLane(driver.FaultUseAfterFree, l, "free: "+err.Error())
		}
	})
	return nil
}

// buildSetConditional tells a graph the value of a conditional node.
func buildSetConditional(c *compiler, f *ptx.Function) error {
	at, err := c.arguments(f, 2)
	if err != nil {
		return err
	}
	c.perLane(func(b *block, l int) {
		if set := b.launch.SetConditional; set != nil {
			set(b.localWord(l, at[0], 8), uint32(b.localWord(l, at[1], 4)))
			return
		}
		b.raiseLane(driver.FaultTrap, l, "cudaGraphSetConditional outside a graph")
	})
	return nil
}
