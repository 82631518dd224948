package vm

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Matrix multiply-accumulate of a warp (section 9.7.14). A tile's elements lie
// in the registers of all 32 lanes as the section's figures show; fragment says which
// element is where. A dot product is summed in double precision, or in 32-bit
// integers, and rounded once: hardware may round in between, in an order that PTX
// leaves open.

// tile is the extent m×n×k of one instruction.
type tile struct{ m, n, k int }

var tiles = map[string]tile{
	"m8n8k4": {8, 8, 4}, "m8n8k16": {8, 8, 16}, "m16n8k4": {16, 8, 4}, "m16n8k8": {16, 8, 8},
	"m16n8k16": {16, 8, 16}, "m16n8k32": {16, 8, 32},
	"m16n16k16": {16, 16, 16}, "m32n8k16": {32, 8, 16}, "m8n32k16": {8, 32, 16}, "m16n16k8": {16, 16, 8},
}

func (c *compiler) tile() tile {
	for _, m := range c.in.Mods {
		if t, ok := tiles[m]; ok {
			return t
		}
	}
	return tile{}
}

// matrix is a tile's elements by row and column, as numbers or integers.
type matrix struct {
	f [32][32]float64
	i [32][32]int32
}

// element is where register r of a lane has its e-th element.
type element func(lane, r, e int) (row, col int)

// fragment is the registers that hold one matrix.
type fragment struct {
	regs []slot
	typ  ptx.Type // of an element
	per  int      // elements of a register
	at   element
}

func (f *fragment) width() int { return max(4, f.typ.Size()) }

// layoutA: registers go down by eight rows, then right by four times the elements of
// a register.
func layoutA(per, rows int) element {
	return func(lane, r, e int) (int, int) {
		group, in := lane>>2, lane&3
		if rows == 8 {
			return group, in*per + e + r*4*per
		}
		return group + 8*(r&1), in*per + e + (r>>1)*4*per
	}
}

func layoutB(per int) element {
	return func(lane, r, e int) (int, int) { return (lane&3)*per + e + r*4*per, lane >> 2 }
}

// layoutC is that of c and d, counted in elements.
func layoutC(per int) element {
	return func(lane, r, e int) (int, int) {
		i := r*per + e
		return lane>>2 + 8*(i>>1), (lane&3)*2 + i&1
	}
}

// perRegister is how many elements of a type a fragment's register holds.
func perRegister(t ptx.Type) int {
	if t.Size() >= 4 {
		return 1
	}
	return 4 / t.Size()
}

// number reads element e of a register's bits.
func number(t ptx.Type) func(bits uint64, e int) float64 {
	switch t {
	case ptx.F16:
		table := num.HalfTable()
		return func(b uint64, e int) float64 { return float64(table[uint16(b>>(16*e))]) }
	case ptx.BF16:
		return func(b uint64, e int) float64 { return num.BF16.Decode(uint16(b >> (16 * e))) }
	case ptx.TF32:
		return func(b uint64, _ int) float64 { return float64(math.Float32frombits(uint32(b) &^ 0x1fff)) }
	case ptx.E4M3:
		return func(b uint64, e int) float64 { return num.DecodeE4M3(uint8(b >> (8 * e))) }
	case ptx.E5M2:
		return func(b uint64, e int) float64 { return num.DecodeE5M2(uint8(b >> (8 * e))) }
	case ptx.F64:
		return func(b uint64, _ int) float64 { return math.Float64frombits(b) }
	}
	return func(b uint64, _ int) float64 { return float64(math.Float32frombits(uint32(b))) }
}

// bitsOf packs element e into a register's bits.
func bitsOf(t ptx.Type) func(x float64, e int) uint64 {
	switch t {
	case ptx.F16:
		return func(x float64, e int) uint64 { return uint64(num.F16.Round(x, num.Nearest)) << (16 * e) }
	case ptx.F64:
		return func(x float64, _ int) uint64 { return math.Float64bits(x) }
	}
	return func(x float64, _ int) uint64 { return uint64(math.Float32bits(num.Canon(float32(x)))) }
}

func isInteger(t ptx.Type) bool {
	return !isFloat(t) && t != ptx.TF32 && t != ptx.E4M3 && t != ptx.E5M2
}

// lane gives a register's bits in a lane.
func (f *fragment) lane(b *block, r, l int) uint64 {
	if f.typ.Size() == 8 {
		return view[uint64](b, f.regs[r])[l]
	}
	return uint64(view[uint32](b, f.regs[r])[l])
}

// gather collects a warp's elements.
func (f *fragment) gather(b *block, base int, m *matrix) {
	whole := isInteger(f.typ)
	read := number(f.typ)
	w := 8 * min(4, f.typ.Size())
	for l := range 32 {
		for r := range f.regs {
			v := f.lane(b, r, base+l)
			for e := range f.per {
				row, col := f.at(l, r, e)
				switch {
				case !whole:
					m.f[row][col] = read(v, e)
				case f.typ.Kind() == ptx.Signed:
					m.i[row][col] = int32(v) << (32 - w*(e+1)) >> (32 - w)
				default:
					m.i[row][col] = int32(uint32(v) << (32 - w*(e+1)) >> (32 - w))
				}
			}
		}
	}
}

// scatter writes a matrix to the registers of a warp.
func (f *fragment) scatter(b *block, base int, m *matrix) {
	pack := bitsOf(f.typ)
	for l := range 32 {
		for r, s := range f.regs {
			var v uint64
			for e := range f.per {
				row, col := f.at(l, r, e)
				if isInteger(f.typ) {
					v |= uint64(uint32(m.i[row][col]))
				} else {
					v |= pack(m.f[row][col], e)
				}
			}
			if f.typ.Size() == 8 {
				view[uint64](b, s)[base+l] = v
			} else {
				view[uint32](b, s)[base+l] = uint32(v)
			}
		}
	}
}

// multiply adds a·b to c, in c.
func (t tile) multiply(a, b, c *matrix, whole, saturate bool) {
	for i := range t.m {
		for j := range t.n {
			if whole {
				c.i[i][j] = dot32(a.i[i][:t.k], b, j, c.i[i][j], saturate)
				continue
			}
			s := 0.0
			for k, x := range a.f[i][:t.k] {
				s += x * b.f[k][j]
			}
			c.f[i][j] += s
		}
	}
}

func dot32(row []int32, b *matrix, j int, acc int32, saturate bool) int32 {
	s := int64(acc)
	for k, x := range row {
		s += int64(x) * int64(b.i[k][j])
	}
	if saturate {
		return num.SatS32(s)
	}
	return int32(s)
}

// fragmentOf reads operand i as the registers of a matrix of rows×cols elements.
func (c *compiler) fragmentOf(i int, t ptx.Type, elements int, at element, dest bool) (*fragment, error) {
	f := &fragment{typ: t, per: perRegister(t), at: at}
	o := &c.in.Operands[i]
	list := o.Elems
	if o.Kind != ptx.OpVector {
		list = []ptx.Operand{*o}
	}
	if want := elements / 32 / f.per; len(list) != want {
		return nil, c.refuse(fmt.Sprintf("operand %d has %d registers, the matrix needs %d", i+1, len(list), want))
	}
	word := ptx.B32
	if t.Size() == 8 {
		word = ptx.B64
	}
	for k := range list {
		get := c.value
		if dest {
			get = c.target
		}
		s, err := get(&list[k], word)
		if err != nil {
			return nil, err
		}
		f.regs = append(f.regs, s)
	}
	return f, nil
}

func buildMma(c *compiler) error {
	t, sh := c.types(), c.tile()
	if sh.m == 0 || len(t) != 4 {
		return c.refuse("this device does not execute the shape")
	}
	if isInteger(t[1]) != isInteger(t[2]) || !isInteger(t[1]) && t[1].Size() != 1 && t[1] != t[2] {
		return c.refuse("the two factors are not of one type")
	}
	a, err := c.fragmentOf(1, t[1], sh.m*sh.k, layoutA(perRegister(t[1]), sh.m), false)
	if err != nil {
		return err
	}
	b, err := c.fragmentOf(2, t[2], sh.k*sh.n, layoutB(perRegister(t[2])), false)
	if err != nil {
		return err
	}
	acc, err := c.fragmentOf(3, t[3], sh.m*sh.n, layoutC(perRegister(t[3])), false)
	if err != nil {
		return err
	}
	d, err := c.fragmentOf(0, t[0], sh.m*sh.n, layoutC(perRegister(t[0])), true)
	if err != nil {
		return err
	}
	c.multiplyEnd(sh, a, b, acc, d)
	return nil
}

// multiplyEnd lets whole warps multiply once all their lanes have come.
func (c *compiler) multiplyEnd(sh tile, fa, fb, fc, fd *fragment) {
	whole, saturate := isInteger(fa.typ), c.in.Has("satfinite")
	c.wholeWarpEnd(func(blk *block) {
		blk.eachWarp(func(base int, _ uint32) {
			var a, b, m matrix
			fa.gather(blk, base, &a)
			fb.gather(blk, base, &b)
			fc.gather(blk, base, &m)
			sh.multiply(&a, &b, &m, whole, saturate)
			fd.scatter(blk, base, &m)
		})
	})
}

// wholeWarpEnd is the end of an .aligned instruction in which all 32 lanes of a warp
// take part.
func (c *compiler) wholeWarpEnd(act func(b *block)) {
	in := c.in
	c.warpEnd(c.constant(4, uint64(fullMask), 0), func(b *block) {
		if b.warpsAreWhole(in) {
			act(b)
			b.noteWarpSync(noSlot)
		}
	})
}

func (b *block) warpsAreWhole(in *ptx.Instruction) bool {
	b.eachWarp(func(base int, members uint32) {
		if members == fullMask {
			return
		}
		var lanes laneBits
		lanes.addWarp(base/32, members)
		b.raise(driver.FaultShuffleMask, &lanes, fmt.Sprintf("%d of the 32 lanes of warp %d take part, and %s.aligned needs them all", bits.OnesCount32(members), base/32, in.Op))
		b.fault.Mask = members
	})
	return b.fault == nil
}

func init() {
	register(map[string]builder{"mma": buildMma})
}
