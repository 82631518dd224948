package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Moves, packing, and addresses between state spaces (sections 9.7.9.3, 9.7.9.19,
// 9.7.9.20).

// copyLanes copies raw values of a width.
func copyLanes(width int) unaryOp {
	switch width {
	case 1:
		return lift1(func(d, s []uint8) { copy(d, s) })
	case 2:
		return lift1(func(d, s []uint16) { copy(d, s) })
	case 4:
		return lift1(func(d, s []uint32) { copy(d, s) })
	case 8:
		return lift1(func(d, s []uint64) { copy(d, s) })
	}
	return lift1(func(d, s [][2]uint64) { copy(d, s) })
}

func buildMov(c *compiler) error {
	t := c.lastType()
	d, s := &c.in.Operands[0], &c.in.Operands[1]
	switch {
	case d.Kind == ptx.OpVector:
		return c.unpack(d, t)
	case s.Kind == ptx.OpVector:
		return c.pack(s, t)
	}
	if s.Kind == ptx.OpSpecial && dynamicSpecials[s.Name] != nil {
		return c.readClock(s.Name, t)
	}
	x, err := c.src(1, t)
	if err != nil {
		return err
	}
	o, err := c.dst(0, t)
	if err != nil {
		return err
	}
	c.emit(copyLanes(t.Size())(o, x))
	return nil
}

func (c *compiler) readClock(name string, t ptx.Type) error {
	read := dynamicSpecials[name]
	c.code.timed = true
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	if t.Size() == 8 {
		c.emit(func(b *block) { setAll(b, d, read(b)) })
	} else {
		c.emit(func(b *block) { setAll(b, d, uint32(read(b))) })
	}
	return nil
}

// parts gives the width and type of each of n equal parts of t.
func (c *compiler) part(t ptx.Type, n int) (ptx.Type, error) {
	if n > 0 && t.Size()%n == 0 {
		if p, ok := map[int]ptx.Type{1: ptx.B8, 2: ptx.B16, 4: ptx.B32, 8: ptx.B64}[t.Size()/n]; ok {
			return p, nil
		}
	}
	return ptx.NoType, c.refuse("the vector does not divide the type")
}

// pack joins parts into one register, the first in the low bits.
func (c *compiler) pack(s *ptx.Operand, t ptx.Type) error {
	pt, err := c.part(t, len(s.Elems))
	if err != nil {
		return err
	}
	var parts []slot
	for i := range s.Elems {
		p, err := c.value(&s.Elems[i], pt)
		if err != nil {
			return err
		}
		parts = append(parts, p)
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	w, total := pt.Size(), t.Size()
	// Bytes are gathered lane by lane into scratch: d may be among the parts.
	hold := c.temp(total)
	for i, p := range parts {
		c.emit(func(b *block) { b.copyPart(hold, total, i*w, p, w, 0, w) })
	}
	c.emit(copyLanes(total)(d, hold))
	return nil
}

// unpack splits a register into parts.
func (c *compiler) unpack(d *ptx.Operand, t ptx.Type) error {
	pt, err := c.part(t, len(d.Elems))
	if err != nil {
		return err
	}
	s, err := c.src(1, t)
	if err != nil {
		return err
	}
	w, total := pt.Size(), t.Size()
	hold := c.temp(total)
	c.emit(copyLanes(total)(hold, s))
	for i := range d.Elems {
		p, err := c.target(&d.Elems[i], pt)
		if err != nil {
			return err
		}
		c.emit(func(b *block) { b.copyPart(p, w, 0, hold, total, i*w, w) })
	}
	return nil
}

// copyPart copies n bytes of each active lane from one array into another; the
// arrays have dw and sw bytes a lane.
func (b *block) copyPart(d slot, dw, doff int, s slot, sw, soff, n int) {
	switch {
	case n == 4 && !b.code.options.general:
		dst, src := view32(b, d, dw), view32(b, s, sw)
		for i := range b.count {
			l := b.lane(i)
			dst[(l*dw+doff)>>2] = src[(l*sw+soff)>>2]
		}
	default:
		dst, src := viewBytes(b, d, dw), viewBytes(b, s, sw)
		for i := range b.count {
			l := b.lane(i)
			copy(dst[l*dw+doff:l*dw+doff+n], src[l*sw+soff:])
		}
	}
}

// windows of the state spaces inside the generic address space; global and const
// addresses are generic as they are.
var spaceWindows = map[ptx.Space]uint64{ptx.Shared: sharedWindow, ptx.Local: localWindow, ptx.Param: paramWindow}

// operandSpace finds the state space among the modifiers. Parameters of functions
// lie in local memory.
func (c *compiler) operandSpace() ptx.Space {
	if c.in.Has("shared::cluster") {
		return ptx.Shared
	}
	s := c.in.Space()
	if s == ptx.Param && c.graph.fn != c.entry {
		return ptx.Local
	}
	return s
}

func buildCvta(c *compiler) error {
	t := c.lastType()
	window := spaceWindows[c.operandSpace()]
	if t.Size() == 4 {
		return c.refuse("this device has 64-bit generic addresses")
	}
	x, err := c.src(1, t)
	if err != nil {
		return err
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	if window == 0 {
		c.emit(copyLanes(8)(d, x))
		return nil
	}
	if c.in.Has("to") {
		window = -window
	}
	c.emit(each1(func(a uint64) uint64 { return a + window })(d, x))
	return nil
}

func buildIsspacep(c *compiler) error {
	s := c.operandSpace()
	window, has := spaceWindows[s]
	reach := windowSize
	if s == ptx.Shared && !c.in.Has("shared::cluster") {
		reach = 1 << peerShift
	}
	x, err := c.src(1, ptx.U64)
	if err != nil {
		return err
	}
	d, err := c.dst(0, ptx.Pred)
	if err != nil {
		return err
	}
	mem, vars := c.program.memory, c.program.vars
	c.emit(each1(func(a uint64) bool {
		switch {
		case has:
			return a-window < reach
		case s == ptx.Const:
			al, ok := mem.find(a)
			return ok && al.ReadOnly && isVariable(vars, al)
		}
		return a >= globalBase
	})(d, x))
	return nil
}

func isVariable(vars map[*ptx.Variable]*Allocation, a *Allocation) bool {
	for _, v := range vars {
		if v == a {
			return true
		}
	}
	return false
}

func init() {
	register(map[string]builder{"mov": buildMov, "cvt": buildCvt, "cvta": buildCvta, "isspacep": buildIsspacep})
}
