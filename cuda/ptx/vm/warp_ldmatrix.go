package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// ldmatrix and stmatrix (sections 9.7.14.5.15 and 9.7.14.5.16): a warp moves one, two
// or four matrices of 8×8 half-precision elements between shared memory and its
// registers. Lane 8m+i gives the address of row i of matrix m; lane l holds two
// elements of row l/4 of each, or of column l/4 with .trans.

// rowBytes is a matrix row in memory: eight elements of two bytes.
const rowBytes = 16

type matrixMove struct {
	a     *access
	regs  []slot // one a matrix
	rows  slot   // a row for each lane that gives an address
	trans bool
	check *access // for the race check, nil without
	// values are what it is told of what is stored.
	values []slot
}

func (c *compiler) matrixMove(address, registers int, write bool) (*matrixMove, error) {
	count := 0
	for _, m := range c.in.Mods {
		switch m {
		case "x1", "x2", "x4":
			count = int(m[1] - '0')
		}
	}
	list, err := c.elements(&c.in.Operands[registers], count)
	if err != nil {
		return nil, err
	}
	m := &matrixMove{trans: c.in.Has("trans"), rows: c.temp(rowBytes)}
	if m.a, err = c.access(address, rowBytes, write); err != nil {
		return nil, err
	}
	for i := range list {
		get := c.target
		if write {
			get = c.value
		}
		s, err := get(&list[i], ptx.B32)
		if err != nil {
			return nil, err
		}
		m.regs = append(m.regs, s)
	}
	if c.code.options.Races {
		m.check = c.watcher(m.a)
		if write {
			m.values = []slot{m.rows}
		}
	}
	return m, nil
}

// place gives where element e (0 or 1) of lane l's register lies: row and column.
func (m *matrixMove) place(l, e int) (row, col int) {
	row, col = l>>2, (l&3)*2+e
	if m.trans {
		return col, row
	}
	return row, col
}

// addressing makes the lanes that give addresses the active ones and reports whether
// all their addresses are of shared memory.
func (m *matrixMove) addressing(b *block, warps *laneBits) bool {
	var set laneBits
	for w := range (b.n + 31) / 32 {
		if warps.warp(w) != 0 {
			set.addWarp(w, uint32(1<<(8*len(m.regs))-1))
		}
	}
	b.setActive(&set)
	if m.a.space == ptx.Shared {
		return true
	}
	for i, addr := range m.a.addresses(b) {
		if space, _ := genericSpace(addr + m.a.offset); space != ptx.Shared {
			return b.raiseAccess(driver.FaultOutOfBounds, m.a, i, addr+m.a.offset, nil)
		}
	}
	return true
}

// move runs f on the rows with the addressing lanes active, then restores the active
// lanes. It reports whether all went well.
func (m *matrixMove) move(b *block, f func()) bool {
	all := b.bits
	if m.addressing(b, &all) {
		if m.check != nil {
			b.watch(m.check, m.values, rowBytes)
		}
		if b.stats != nil {
			b.countAccess(m.a)
		}
		if b.fault == nil {
			f()
		}
	}
	b.setActive(&all)
	return b.fault == nil
}

// halfOf is element col of a row.
func halfOf(row *[2]uint64, col int) uint16 { return uint16(row[col>>2] >> (16 * (col & 3))) }

func setHalf(row *[2]uint64, col int, v uint16) {
	row[col>>2] = row[col>>2]&^(0xffff<<(16*(col&3))) | uint64(v)<<(16*(col&3))
}

func (m *matrixMove) load(b *block) {
	ok := m.move(b, func() {
		o := out[[2]uint64](b, m.rows)
		loadLanes(b, m.a, m.a.addresses(b), 0, o)
		put(b, m.rows, o)
	})
	if !ok {
		return
	}
	rows := view[[2]uint64](b, m.rows)
	b.eachWarp(func(base int, _ uint32) {
		for k, s := range m.regs {
			for l := range 32 {
				var v uint32
				for e := range 2 {
					row, col := m.place(l, e)
					v |= uint32(halfOf(&rows[base+8*k+row], col)) << (16 * e)
				}
				view[uint32](b, s)[base+l] = v
			}
		}
	})
}

func (m *matrixMove) store(b *block) {
	rows := view[[2]uint64](b, m.rows)
	b.eachWarp(func(base int, _ uint32) {
		for k, s := range m.regs {
			for l := range 32 {
				v := view[uint32](b, s)[base+l]
				for e := range 2 {
					row, col := m.place(l, e)
					setHalf(&rows[base+8*k+row], col, uint16(v>>(16*e)))
				}
			}
		}
	})
	m.move(b, func() {
		storeLanes(b, m.a, m.a.addresses(b), 0, in[[2]uint64](b, m.rows, 2))
		b.progress()
	})
}

func buildLoadMatrix(c *compiler) error {
	m, err := c.matrixMove(1, 0, false)
	if err != nil {
		return err
	}
	c.wholeWarpEnd(m.load)
	return nil
}

func buildStoreMatrix(c *compiler) error {
	m, err := c.matrixMove(0, 1, true)
	if err != nil {
		return err
	}
	c.wholeWarpEnd(m.store)
	return nil
}

// buildMoveMatrix is movmatrix: a warp's matrix becomes its transpose.
func buildMoveMatrix(c *compiler) error {
	s, err := c.src(1, ptx.B32)
	if err != nil {
		return err
	}
	d, err := c.dst(0, ptx.B32)
	if err != nil {
		return err
	}
	c.wholeWarpEnd(func(b *block) {
		b.eachWarp(func(base int, _ uint32) {
			var rows [8][8]uint16
			from, to := view[uint32](b, s)[base:], view[uint32](b, d)[base:]
			for l := range 32 {
				rows[l>>2][l&3*2], rows[l>>2][l&3*2+1] = uint16(from[l]), uint16(from[l]>>16)
			}
			for l := range 32 {
				to[l] = uint32(rows[l&3*2][l>>2]) | uint32(rows[l&3*2+1][l>>2])<<16
			}
		})
	})
	return nil
}

func init() {
	register(map[string]builder{"movmatrix": buildMoveMatrix, "ldmatrix": buildLoadMatrix, "stmatrix": buildStoreMatrix})
}
