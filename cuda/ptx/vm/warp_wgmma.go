package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Matrix products of a warp group (section 9.7.15). A row of a, or a column of b, is 32 bytes whatever the
// type of its elements. b lies in shared memory as a descriptor tells (warp_descriptor.go), a there or in
// four registers a lane; warp w of the group has rows 16w to 16w+15 of a and of the sums. Here the sums
// are made at once: what wgmma.fence and wgmma.wait_group order is what check_inflight.go checks.

const (
	groupRows = 64
	rowsBytes = 32
)

// groupMatrix is a wgmma.mma_async.
type groupMatrix struct {
	in         *ptx.Instruction
	n, depth   int // columns, and rows of b
	sum        ptx.Type
	typA, typB ptx.Type
	sums       []slot
	factor     []slot // a in registers, or nothing
	a, b       groupFactor
	scale      slot // whether the sums are added to
	// What is read of shared memory, and where it is held.
	access   *access
	read     step
	hold     slot
	saturate bool
	// The registers of the sums and of a, by their numbers among those that check_inflight.go follows.
	heldSums, heldFactor []int
}

// groupFactor is how a factor is read: the descriptor, and what the immediates say.
type groupFactor struct {
	desc       slot
	transposed bool
	negative   bool
}

// groupTile is one group's product: its factors as bytes, a by rows and b by columns.
type groupTile struct {
	a [groupRows][rowsBytes]byte
	b [256][rowsBytes]byte
}

func buildGroupMatrix(c *compiler) error {
	switch {
	case c.in.Has("fence"), c.in.Has("commit_group"), c.in.Has("wait_group"):
		c.groupOrder()
		return nil
	}
	m, err := c.groupMatrix()
	if err != nil {
		return err
	}
	c.groupEnd(m.run)
	return nil
}

func (c *compiler) groupMatrix() (*groupMatrix, error) {
	t, ops := c.types(), c.in.Operands
	m := &groupMatrix{in: c.in, sum: t[0], typA: t[1], typB: t[2], saturate: c.in.Has("satfinite")}
	m.n, m.depth = c.in.GroupShape()
	var err error
	if m.sums, err = c.words(&ops[0], c.target); err != nil {
		return nil, err
	}
	if ops[1].Kind == ptx.OpVector {
		m.factor, err = c.words(&ops[1], c.value)
	} else {
		m.a.desc, err = c.src(1, ptx.B64)
	}
	if err != nil {
		return nil, err
	}
	if m.b.desc, err = c.src(2, ptx.B64); err != nil {
		return nil, err
	}
	if m.scale, err = c.src(3, ptx.Pred); err != nil {
		return nil, err
	}
	m.immediates(ops[4:])
	m.heldSums, m.heldFactor = c.heldIn(&ops[0]), c.heldIn(&ops[1])
	m.access = &access{in: c.in, space: ptx.Shared, narrow: true, addr: c.temp(4), size: 16, elem: 16, site: c.code.sites}
	c.code.sites++
	m.hold = c.temp(16)
	m.read = c.stepsOf(func() {
		c.observe(m.access, nil)
		c.emit(loaders[16](m.access, 0, m.hold))
	})
	return m, nil
}

// stepsOf gives what f emits as one step, and emits nothing.
func (c *compiler) stepsOf(f func()) step {
	before := len(c.steps)
	f()
	s := sequence(append([]step(nil), c.steps[before:]...))
	c.steps = c.steps[:before]
	return s
}

func (c *compiler) words(o *ptx.Operand, get func(*ptx.Operand, ptx.Type) (slot, error)) (list []slot, err error) {
	for i := range o.Elems {
		s, err := get(&o.Elems[i], ptx.B32)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// immediates are imm-scale-a and -b, then imm-trans-a, where a is not in registers, and -b.
func (m *groupMatrix) immediates(list []ptx.Operand) {
	if len(list) == 0 {
		return
	}
	m.a.negative, m.b.negative = int64(list[0].Int) < 0, int64(list[1].Int) < 0
	if len(list) == 4 {
		m.a.transposed = list[2].Int != 0
	}
	if len(list) > 2 {
		m.b.transposed = list[len(list)-1].Int != 0
	}
}

// heldIn gives the numbers of the registers of an operand.
func (c *compiler) heldIn(o *ptx.Operand) (list []int) {
	for i := range o.Elems {
		if n := c.code.held.number(o.Elems[i].Reg); n >= 0 {
			list = append(list, n)
		}
	}
	return list
}

func (m *groupMatrix) run(b *block) {
	tiles := make([]groupTile, (b.n+groupLanes-1)/groupLanes)
	if !m.takes(b) {
		return
	}
	if m.factor == nil {
		m.fetch(b, &m.a, groupRows/64, true, m.a.ofGroup(b), func(first, row, at int, chunk *[16]byte) {
			m.a.place(tiles[first/groupLanes].a[:], row, at, chunk)
		})
	}
	// Each warp reads all of b.
	m.fetch(b, &m.b, (m.n+15)/16, false, m.b.ofGroup(b), func(first, col, at int, chunk *[16]byte) {
		m.b.place(tiles[first/groupLanes].b[:m.n], col, at, chunk)
	})
	if b.fault != nil {
		return
	}
	b.eachGroup(func(first int) {
		m.begin(b, first)
		t := &tiles[first/groupLanes]
		if m.factor != nil {
			m.gather(b, first, t)
		}
		m.multiply(b, first, t)
	})
}

// takes reports whether all groups have their registers, and a matrix descriptor that all lanes give.
func (m *groupMatrix) takes(b *block) bool {
	b.eachGroup(func(first int) {
		if b.fault == nil && m.issue(b, first) && m.sameDescriptor(b, &m.b, first) && m.factor == nil {
			m.sameDescriptor(b, &m.a, first)
		}
	})
	return b.fault == nil
}

func (f *groupFactor) descriptor(b *block, first int) matrixDescriptor {
	return matrixDescriptor(view[uint64](b, f.desc)[first])
}

func (f *groupFactor) ofGroup(b *block) func(first int) matrixDescriptor {
	return func(first int) matrixDescriptor { return f.descriptor(b, first) }
}

// fetch reads a factor in turns, 16 bytes a lane in each. The warps of a group read 16 rows of a each, and all
// of b; 32 lanes have 16 rows.
func (m *groupMatrix) fetch(b *block, f *groupFactor, turns int, split bool,
	of func(first int) matrixDescriptor, got func(first, row, at int, chunk *[16]byte)) {
	for turn := range turns {
		if b.fault != nil {
			return
		}
		b.eachGroup(func(first int) {
			d := of(first)
			for l := range groupLanes {
				row, at := f.chunk(l%32, turn, l/32, split)
				view[uint32](b, m.access.addr)[first+l] = d.address(row, at, f.transposed)
			}
		})
		if b.fault == nil {
			m.read(b)
		}
		if b.fault != nil {
			return
		}
		b.eachGroup(func(first int) {
			for l := range groupLanes {
				if !split && l >= 32 {
					break
				}
				row, at := f.chunk(l%32, turn, l/32, split)
				got(first, row, at, (*[16]byte)(unsafe.Pointer(&view[[2]uint64](b, m.hold)[first+l])))
			}
		})
	}
}

// chunk gives what 16 bytes a lane of a warp reads in a turn: the first row (or column) that they are of, and
// the half of it; transposed, the first of eight rows, and which element of each.
func (f *groupFactor) chunk(lane, turn, warp int, split bool) (row, at int) {
	sixteen := turn
	if split {
		sixteen = warp
	}
	if f.transposed {
		return sixteen*16 + lane/16*8, lane % 16
	}
	return sixteen*16 + lane/2, lane % 2
}

// place puts 16 bytes where they belong; rows past the last are read in vain.
func (f *groupFactor) place(rows [][rowsBytes]byte, row, at int, chunk *[16]byte) {
	if row >= len(rows) {
		return
	}
	if !f.transposed {
		copy(rows[row][16*at:], chunk[:])
		return
	}
	for i := range 8 {
		copy(rows[row+i][2*at:2*at+2], chunk[2*i:])
	}
}

func (m *groupMatrix) sameDescriptor(b *block, f *groupFactor, first int) bool {
	d := view[uint64](b, f.desc)[first : first+groupLanes]
	for l, v := range d {
		if v != d[0] {
			var lanes laneBits
			lanes.add(first)
			lanes.add(first + l)
			b.raise(driver.FaultLimit, &lanes, fmt.Sprintf("matrix descriptors %#x and %#x: all lanes of a warp group "+
				"give the same", d[0], v))
			return false
		}
	}
	return true
}

// gather takes a from the registers: the fragment of mma with 16 rows.
func (m *groupMatrix) gather(b *block, first int, t *groupTile) {
	for r, s := range m.factor {
		v := view[uint32](b, s)[first : first+groupLanes]
		for l, w := range v {
			row := l/32*16 + l%32/4 + 8*(r&1)
			binary.LittleEndian.PutUint32(t.a[row][16*(r>>1)+l%4*4:], w)
		}
	}
}

// sumAt gives where element i of a lane's sums is.
func sumAt(lane, i int) (row, col int) {
	return lane/32*16 + lane%32/4 + i>>1&1*8, i>>2*8 + lane%4*2 + i&1
}

func (m *groupMatrix) multiply(b *block, first int, t *groupTile) {
	add := view[bool](b, m.scale)[first]
	switch {
	case m.sum == ptx.S32 && m.typA == ptx.B1:
		m.each32(b, first, add, func(row, col int, acc uint32) uint32 { return acc + commonBits(&t.a[row], &t.b[col]) })
	case m.sum == ptx.S32:
		m.integers(b, first, t, add)
	default:
		m.floats(b, first, t, add)
	}
}

// each32 makes the sums of 32 bits anew.
func (m *groupMatrix) each32(b *block, first int, add bool, f func(row, col int, acc uint32) uint32) {
	for i, s := range m.sums {
		v := view[uint32](b, s)[first : first+groupLanes]
		for l, acc := range v {
			if !add {
				acc = 0
			}
			row, col := sumAt(l, i)
			v[l] = f(row, col, acc)
		}
	}
}

func (m *groupMatrix) each16(b *block, first int, add bool, f func(row, col int, acc uint16) uint16) {
	for i, s := range m.sums {
		v := view[uint32](b, s)[first : first+groupLanes]
		for l, acc := range v {
			if !add {
				acc = 0
			}
			row, col := sumAt(l, 2*i)
			v[l] = uint32(f(row, col, uint16(acc))) | uint32(f(row, col+1, uint16(acc>>16)))<<16
		}
	}
}

func commonBits(a, b *[rowsBytes]byte) (n uint32) {
	for i := range a {
		n += uint32(bits.OnesCount8(a[i] & b[i]))
	}
	return n
}

func (m *groupMatrix) integers(b *block, first int, t *groupTile, add bool) {
	byteOf := map[ptx.Type]func(v byte) int32{
		ptx.S8: func(v byte) int32 { return int32(int8(v)) }, ptx.U8: func(v byte) int32 { return int32(v) },
	}
	x, y := decoded(t.a[:], 1, byteOf[m.typA]), decoded(t.b[:m.n], 1, byteOf[m.typB])
	m.each32(b, first, add, func(row, col int, acc uint32) uint32 {
		s := int64(int32(acc))
		for k, v := range x[row] {
			s += int64(v * y[col][k])
		}
		if m.saturate {
			return uint32(num.SatS32(s))
		}
		return uint32(s)
	})
}

// decoded reads the elements of rows, of so many bytes each.
func decoded[E byte | uint16 | uint32, T any](rows [][rowsBytes]byte, size int, f func(v E) T) [][]T {
	out := make([][]T, len(rows))
	all := make([]T, len(rows)*rowsBytes/size)
	for i := range rows {
		out[i] = all[i*rowsBytes/size : (i+1)*rowsBytes/size]
		for k := range out[i] {
			out[i][k] = f(*(*E)(unsafe.Pointer(&rows[i][k*size])))
		}
	}
	return out
}

// factorTerms are the terms of a factor's rows, with which rows have infinities or NaN.
type factorTerms struct {
	rows    [][]num.Term
	special []bool
	layout  num.Layout
	bits    [][]uint32
}

func termsOf(rows [][rowsBytes]byte, t ptx.Type, negative bool) *factorTerms {
	f := &factorTerms{layout: floatLayouts[t], special: make([]bool, len(rows))}
	switch t.Size() {
	case 1:
		f.bits = decoded(rows, 1, func(v byte) uint32 { return uint32(v) })
	case 2:
		f.bits = decoded(rows, 2, func(v uint16) uint32 { return uint32(v) })
	default: // of tf32 the low bits are left out
		f.bits = decoded(rows, 4, func(v uint32) uint32 { return v >> 13 })
	}
	f.rows = make([][]num.Term, len(rows))
	for i, row := range f.bits {
		f.rows[i] = make([]num.Term, len(row))
		for k, v := range row {
			if negative {
				v ^= 1 << (f.layout.Exponent + f.layout.Mantissa)
				row[k] = v
			}
			var bad bool
			f.rows[i][k], bad = f.layout.Term(v)
			f.special[i] = f.special[i] || bad
		}
	}
	return f
}

func (m *groupMatrix) floats(b *block, first int, t *groupTile, add bool) {
	x, y := termsOf(t.a[:], m.typA, m.a.negative), termsOf(t.b[:m.n], m.typB, m.b.negative)
	f := fusedSums[m.typA]
	behind := int(x.layout.Mantissa + y.layout.Mantissa)
	accLayout := floatLayouts[m.sum]
	sum := func(row, col int, acc uint32) (int64, int, float64, bool) {
		c, bad := accLayout.Term(acc)
		if bad || x.special[row] || y.special[col] {
			return 0, 0, withSpecials(x, y, row, col, accLayout.Value(acc)), true
		}
		s, e := f.Dot(x.rows[row], y.rows[col], behind, c, int(accLayout.Mantissa))
		return s, e, 0, false
	}
	if m.sum == ptx.F16 {
		m.each16(b, first, add, func(row, col int, acc uint16) uint16 {
			s, e, v, special := sum(row, col, uint32(acc))
			if special {
				return num.F16.Round(v, num.Nearest)
			}
			return f.Half(s, e)
		})
		return
	}
	m.each32(b, first, add, func(row, col int, acc uint32) uint32 {
		s, e, v, special := sum(row, col, acc)
		if special {
			return math.Float32bits(num.Canon(float32(v)))
		}
		return f.Single(s, e)
	})
}

// withSpecials is a sum with infinities or NaN: an infinity, or NaN.
func withSpecials(x, y *factorTerms, row, col int, acc float64) float64 {
	for k, v := range x.bits[row] {
		acc += x.layout.Value(v) * y.layout.Value(y.bits[col][k])
	}
	return acc
}
