package vm

import (
	"encoding/binary"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Copies of boxes that tensor maps describe (section 9.7.9.27). One lane copies the box at its coordinates. In
// shared memory rows of the box lie one behind the other, those with a swizzle at multiples of its width, with their
// pieces of 16 bytes exchanged as the address says. The bytes move at once, as mem_bulkcopy.go tells; a load completes
// all bytes of the box on its mbarrier object, also those outside of the tensor.

// tensorBox is what a copy is of: the map, the coordinates and where in shared memory.
type tensorBox struct {
	*driver.TensorMapConfig
	coords [5]int64
	shared uint64
	counts [5]int // elements in each dimension
	pitch  int    // bytes from row to row in shared memory
	row    int    // bytes of a row
}

// tensorCopier is a cp.async.bulk.tensor or cp.reduce.async.bulk.tensor.
type tensorCopier struct {
	c          *compiler
	mapAt      func(b *block, l int) uint64
	sharedAt   func(b *block, l int) uint64
	coords     []slot
	mapBytes   *laneAccess
	sharedIn   *laneAccess
	sharedOut  *laneAccess
	globalIn   [17]*laneAccess // by size
	globalOut  [17]*laneAccess
	reduce     string
	load, fold bool
}

func (c *compiler) tensorCopy() error {
	ops := c.in.Operands
	t := &tensorCopier{c: c, load: c.in.Has("mbarrier::complete_tx::bytes"), fold: c.in.Has("reduce")}
	tensor, place := 1, 0
	if !t.load {
		tensor, place = 0, 1
	}
	if err := t.operands(&ops[tensor], &ops[place]); err != nil {
		return err
	}
	if t.load {
		return t.emitLoad(place)
	}
	for _, op := range []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"} {
		if t.fold && c.in.Has(op) {
			t.reduce = op
			c.code.ordered = true
		}
	}
	return t.emitStore(place)
}

func (t *tensorCopier) operands(tensor, place *ptx.Operand) (err error) {
	c := t.c
	if t.mapAt, err = c.addressOf(ptx.Generic, tensor); err != nil {
		return err
	}
	if t.sharedAt, err = c.addressOf(ptx.Shared, place); err != nil {
		return err
	}
	for i := range tensor.Elems[1].Elems {
		s, err := c.value(&tensor.Elems[1].Elems[i], ptx.S32)
		if err != nil {
			return err
		}
		t.coords = append(t.coords, s)
	}
	t.mapBytes = c.laneAccess(ptx.Generic, 16, false)
	t.sharedIn, t.sharedOut = c.laneAccess(ptx.Shared, 16, false), c.laneAccess(ptx.Shared, 16, true)
	for _, n := range []int{1, 2, 4, 8, 16} {
		t.globalIn[n], t.globalOut[n] = c.laneAccess(ptx.Global, n, false), c.laneAccess(ptx.Global, n, true)
	}
	return nil
}

// box reads the map of a lane and finds what is wrong with it and the place.
func (t *tensorCopier) box(b *block, l int) (*tensorBox, bool) {
	var m driver.TensorMap
	at := t.mapAt(b, l)
	if !b.alignedMap(l, at) || !t.mapBytes.load(b, l, at, m[:]) {
		return nil, false
	}
	config, err := DecodeTensorMap(&m)
	if err != nil {
		return nil, b.raiseTensor(l, driver.FaultIllegal, fmt.Sprintf("the tensor map at %#x: %v", at, err))
	}
	x := &tensorBox{TensorMapConfig: config, shared: t.sharedAt(b, l), row: int(config.Box[0]) * config.Type.Size()}
	if len(t.coords) != len(x.Dims) {
		return nil, b.raiseTensor(l, driver.FaultIllegal, fmt.Sprintf(
			"%d coordinates, and the tensor map is of %d dimensions", len(t.coords), len(x.Dims)))
	}
	for i, s := range t.coords {
		x.coords[i] = int64(view[int32](b, s)[l])
	}
	x.counts = [5]int{1, 1, 1, 1, 1}
	for i, n := range x.Box {
		x.counts[i] = int(n)
		if step := x.ElementStrides[i]; i > 0 {
			x.counts[i] = int((n + step - 1) / step)
		}
	}
	x.pitch = max(x.row, x.Swizzle.Width())
	return x, b.checkBox(l, x) && (t.load || b.checkCorner(l, x))
}

func (b *block) raiseTensor(l int, kind driver.FaultKind, detail string) bool {
	var lane laneBits
	lane.add(l)
	b.raise(kind, &lane, detail)
	return false
}

// checkBox refuses what a device does, with an illegal instruction or a misaligned address.
func (b *block) checkBox(l int, x *tensorBox) bool {
	size := int64(x.Type.Size())
	switch {
	case x.Interleave != driver.TensorInterleaveNone:
		return b.raiseTensor(l, driver.FaultUnsupported, "this device has no interleaved layouts of tensors")
	case x.shared%128 != 0:
		return b.raiseTensor(l, driver.FaultMisaligned, fmt.Sprintf(
			"the box in shared memory at address %#x: a multiple of 128 is legal", x.shared))
	case x.coords[0]*size%16 != 0:
		return b.raiseTensor(l, driver.FaultIllegal, fmt.Sprintf(
			"the first coordinate is %d, %d bytes along the row: a multiple of 16 is legal", x.coords[0], x.coords[0]*size))
	}
	return true
}

// checkCorner refuses what a device only loads from: a box that begins before the tensor.
func (b *block) checkCorner(l int, x *tensorBox) bool {
	for i, at := range x.coords[:len(x.Dims)] {
		if at < 0 {
			return b.raiseTensor(l, driver.FaultIllegal, fmt.Sprintf(
				"coordinate %d of a box to write is %d: only a load may begin before the tensor", i, at))
		}
	}
	return true
}

// bytes is what a copy moves.
func (x *tensorBox) bytes() int { return x.row * x.rows() }

func (x *tensorBox) rows() int { return x.counts[1] * x.counts[2] * x.counts[3] * x.counts[4] }

// eachRow calls f with each row's number and the bytes of global memory where it begins; inside reports whether the
// row is in the tensor.
func (x *tensorBox) eachRow(f func(row int, offset int64, inside bool) bool) {
	for row := range x.rows() {
		rest, offset, inside := row, x.coords[0]*int64(x.Type.Size()), true
		for i := 1; i < len(x.Dims); i++ {
			at := x.coords[i] + int64(rest%x.counts[i])*int64(x.ElementStrides[i])
			rest /= x.counts[i]
			inside = inside && at >= 0 && at < int64(x.Dims[i])
			offset += at * int64(x.Strides[i-1])
		}
		if !f(row, offset, inside) {
			return
		}
	}
}

// place gives where 16 bytes of a row lie in shared memory.
func (x *tensorBox) place(row, at int) uint64 {
	addr := x.shared + uint64(row*x.pitch+at)
	return addr ^ addr>>3&0x70&uint64(max(x.Swizzle.Width(), 16)-16)
}

// extent gives how many bytes of 16 from an element on are in the tensor.
func (x *tensorBox) extent(at int) int {
	size := int64(x.Type.Size())
	first := x.coords[0]*size + int64(at)
	if first < 0 {
		return 0 // boxes begin at multiples of 16
	}
	return int(min(max(int64(x.Dims[0])*size-first, 0), 16))
}

func (t *tensorCopier) emitLoad(place int) error {
	c := t.c
	size := c.temp(4)
	dst, err := c.accessIn(ptx.Shared, place, bulkPiece, true)
	if err != nil {
		return err
	}
	c.emit(func(b *block) {
		b.eachAlone(func(l int) {
			if x, ok := t.box(b, l); ok {
				view[uint32](b, size)[l] = uint32(x.bytes())
				x.eachRow(func(row int, offset int64, inside bool) bool { return t.loadRow(b, l, x, row, offset, inside) })
			}
		})
	})
	return c.completeLoad(dst, size, 2)
}

func (t *tensorCopier) loadRow(b *block, l int, x *tensorBox, row int, offset int64, inside bool) bool {
	for at := 0; at < x.row; at += 16 {
		piece, n := x.blank(), 0
		if inside {
			n = x.extent(at)
		}
		from := t.globalIn[16]
		if n < 16 {
			from = t.globalIn[x.Type.Size()]
		}
		if !from.load(b, l, uint64(x.Address)+uint64(offset+int64(at)), piece[:n]) {
			return false
		}
		x.convert(piece[:n])
		if !t.sharedOut.store(b, l, x.place(row, at), piece[:]) {
			return false
		}
	}
	return true
}

// blank is 16 bytes from outside of the tensor. The NaN is that of 16-bit numbers, twice or four times in others.
func (x *tensorBox) blank() (piece [16]byte) {
	if x.Fill == driver.TensorFillNaN {
		for i := 0; i < 16; i += 2 {
			piece[i], piece[i+1] = 0xf7, 0x7f
		}
	}
	return piece
}

// convert rounds numbers to tf32 on their way, ties to even. Subnormal ones stay, also with .ftz, which is about
// reductions.
func (x *tensorBox) convert(v []byte) {
	if x.Type != driver.TensorTF32 && x.Type != driver.TensorTF32FTZ {
		return
	}
	for ; len(v) >= 4; v = v[4:] {
		w := binary.LittleEndian.Uint32(v)
		if w&0x7fffffff > 0x7f800000 {
			w = num.CanonicalNaN
		} else {
			w += 1<<12 - 1 + w>>13&1
		}
		binary.LittleEndian.PutUint32(v, w&^(1<<13-1))
	}
}

func (t *tensorCopier) emitStore(place int) error {
	c := t.c
	src, err := c.accessIn(ptx.Shared, place, bulkPiece, false)
	if err != nil {
		return err
	}
	size := c.temp(4)
	c.emit(func(b *block) {
		b.eachAlone(func(l int) {
			if x, ok := t.box(b, l); ok && t.reducible(b, l, x) {
				view[uint32](b, size)[l] = uint32(x.pitch * x.rows())
				x.eachRow(func(row int, offset int64, inside bool) bool {
					return !inside || t.storeRow(b, l, x, row, offset)
				})
			}
		})
	})
	if c.code.options.Races {
		c.emit(func(b *block) {
			b.followCopies()
			b.beginReads(src, size)
		})
	}
	return nil
}

// storeRow writes whole pieces, as a device does: one that begins in the tensor goes on behind its end.
func (t *tensorCopier) storeRow(b *block, l int, x *tensorBox, row int, offset int64) bool {
	for at := 0; at < x.row; at += 16 {
		if x.extent(at) == 0 {
			continue
		}
		var piece [16]byte
		if !t.sharedIn.load(b, l, x.place(row, at), piece[:]) {
			return false
		}
		addr := uint64(x.Address) + uint64(offset+int64(at))
		if t.reduce != "" {
			if !t.reduceInto(b, l, x.Type, addr, piece[:]) {
				return false
			}
		} else if !t.globalOut[16].store(b, l, addr, piece[:]) {
			return false
		}
	}
	return true
}
