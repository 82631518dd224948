package vm

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// wmma (sections 9.7.14.3 to 9.7.14.5): tiles of a warp whose layout over the registers
// PTX leaves open. Here a lane's registers hold consecutive elements in row-major
// order, and a tile that is smaller than its registers is held several times.

// spreadOver lays a tile of rows×cols over registers of per elements each.
func spreadOver(rows, cols, regs, per int) element {
	return func(lane, r, e int) (int, int) {
		i := (lane*regs*per + r*per + e) % (rows * cols)
		return i / cols, i % cols
	}
}

// wmmaRole is the extent of one of a tile's matrices.
func (t tile) wmmaRole(role string) (rows, cols int) {
	switch role {
	case "a":
		return t.m, t.k
	case "b":
		return t.k, t.n
	}
	return t.m, t.n
}

// wmmaFragment reads operand i as the registers of a rows×cols tile.
func (c *compiler) wmmaFragment(i int, t ptx.Type, rows, cols int, dest bool) (*fragment, error) {
	regs := 1
	if o := &c.in.Operands[i]; o.Kind == ptx.OpVector {
		regs = len(o.Elems)
	}
	per := perRegister(t)
	if elements := regs * per * 32; elements%(rows*cols) != 0 {
		return nil, c.refuse(fmt.Sprintf("operand %d: %d registers of .%s do not hold %d×%d elements", i+1, regs, t, rows, cols))
	}
	return c.fragmentOf(i, t, regs*per*32, spreadOver(rows, cols, regs, per), dest)
}

func buildWmma(c *compiler) error {
	if c.in.Has("mma") {
		return buildWmmaMultiply(c)
	}
	return buildWmmaMove(c)
}

func buildWmmaMultiply(c *compiler) error {
	t, sh := c.types(), c.tile()
	if len(t) == 2 { // of half precision only d and c are written
		t = []ptx.Type{t[0], ptx.F16, ptx.F16, t[1]}
	}
	if t[1].Kind() != t[2].Kind() && t[1].Size() != 1 || t[1].Size() != t[2].Size() {
		return c.refuse("the two factors are not of one type")
	}
	if c.in.Has("satfinite") && !isInteger(t[1]) {
		return c.refuse("this device executes .satfinite for integers alone")
	}
	var f [4]*fragment
	for i, role := range []string{"d", "a", "b", "c"} {
		rows, cols := sh.wmmaRole(role)
		var err error
		if f[i], err = c.wmmaFragment(i, t[i], rows, cols, i == 0); err != nil {
			return err
		}
	}
	c.multiplyEnd(sh, f[1], f[2], f[3], f[0])
	return nil
}

// wmmaMove loads or stores a tile element by element.
type wmmaMove struct {
	from   *access // as written
	one    *access // of one element, by the addresses in its slot
	check  *access // likewise for the race check; nil without
	stride slot
	column bool
	frag   *fragment
	hold   slot // an element
}

func buildWmmaMove(c *compiler) error {
	t, store := c.lastType(), c.in.Has("store")
	memory, registers := 1, 0
	if store {
		memory, registers = 0, 1
	}
	role := "d"
	for _, r := range []string{"a", "b", "c"} {
		if c.in.Has(r) {
			role = r
		}
	}
	rows, cols := c.tile().wmmaRole(role)
	m := &wmmaMove{column: c.in.Has("col"), hold: c.temp(t.Size())}
	var err error
	if m.frag, err = c.wmmaFragment(registers, t, rows, cols, !store); err != nil {
		return err
	}
	if m.from, err = c.access(memory, t.Size(), store); err != nil {
		return err
	}
	least := cols
	if m.column {
		least = rows
	}
	m.stride = c.constant(4, uint64(least), 0)
	if len(c.in.Operands) == 3 {
		if m.stride, err = c.src(2, ptx.U32); err != nil {
			return err
		}
	}
	one := *m.from
	one.addr, one.narrow, one.offset, one.site = c.temp(8), false, 0, c.code.sites
	c.code.sites++
	m.one = &one
	if c.code.options.Races && one.space != ptx.Local {
		m.check = c.watcher(&one)
	}
	c.wholeWarpEnd(func(b *block) { m.move(b, store) })
	return nil
}

// values are what the race check is told of what is stored.
func (m *wmmaMove) values(store bool) []slot {
	if store {
		return []slot{m.hold}
	}
	return nil
}

// point fills the address slot with where each lane's element e of register r lies.
func (m *wmmaMove) point(b *block, bases []uint64, r, e int) {
	at := view[uint64](b, m.one.addr)
	size := uint64(m.frag.typ.Size())
	for i := range bases {
		l := b.lane(i)
		row, col := m.frag.at(l&31, r, e)
		if m.column {
			row, col = col, row
		}
		at[l] = bases[i] + (uint64(row)*uint64(view[uint32](b, m.stride)[l])+uint64(col))*size
	}
}

func (m *wmmaMove) move(b *block, store bool) {
	bases := append([]uint64(nil), m.from.addresses(b)...)
	for i := range bases {
		bases[i] += m.from.offset
	}
	mover := wmmaMovers[m.frag.typ.Size()]
	for r := range m.frag.regs {
		for e := range m.frag.per {
			m.point(b, bases, r, e)
			if store {
				m.take(b, r, e)
			}
			if m.check != nil {
				b.watch(m.check, m.values(store), m.frag.typ.Size())
			}
			if b.fault != nil {
				return
			}
			mover(m, b, store)
			if b.fault != nil {
				return
			}
			if !store {
				m.give(b, r, e)
			}
		}
	}
	if store {
		b.progress()
	}
}

// wmmaMovers move one element of every lane, by size.
var wmmaMovers = map[int]func(m *wmmaMove, b *block, store bool){
	1: moveElement[uint8], 2: moveElement[uint16], 4: moveElement[uint32], 8: moveElement[uint64],
}

func moveElement[T any](m *wmmaMove, b *block, store bool) {
	if store {
		storeLanes(b, m.one, m.one.addresses(b), 0, in[T](b, m.hold, 2))
		return
	}
	o := out[T](b, m.hold)
	loadLanes(b, m.one, m.one.addresses(b), 0, o)
	put(b, m.hold, o)
}

// take brings element e of register r into hold, give the other way.
func (m *wmmaMove) take(b *block, r, e int) { m.exchange(b, r, e, true) }
func (m *wmmaMove) give(b *block, r, e int) { m.exchange(b, r, e, false) }

func (m *wmmaMove) exchange(b *block, r, e int, take bool) {
	size := m.frag.typ.Size()
	reg, hold := viewBytes(b, m.frag.regs[r], m.frag.width()), viewBytes(b, m.hold, size)
	b.bits.each(func(l int) {
		in := reg[l*m.frag.width()+e*size:][:size]
		if take {
			copy(hold[l*size:], in)
		} else {
			copy(in, hold[l*size:][:size])
		}
	})
}

func init() {
	register(map[string]builder{"wmma": buildWmma})
}
