package vm

// matrixDescriptor tells where in shared memory a factor of wgmma lies (section 9.7.15.5.1): bits 0 to 13
// are the start address, 16 to 29 the leading and 32 to 45 the stride byte offset, all divided by 16;
// 49 to 51 are the base offset, and 62 and 63 the swizzle.
//
// A pattern is eight rows of 16, 32, 64 or 128 bytes. Along the rows' direction, patterns without a
// swizzle, and transposed ones, go on after the leading byte offset; in the other direction patterns go
// on after the stride byte offset. For a transposed factor without a swizzle it is the other way round.
type matrixDescriptor uint64

func (d matrixDescriptor) field(low uint) uint32 { return uint32(d>>low) & (1<<14 - 1) << 4 }

// patternWidth is the length of a pattern's rows by swizzle: none, 128, 64 and 32 bytes.
var patternWidth = [4]uint32{16, 128, 64, 32}

// address gives where 16 bytes of a factor are: those with half `at` of a row, or transposed, element `at` of eight
// rows from the given one on.
func (d matrixDescriptor) address(row, at int, transposed bool) uint32 {
	r, k := uint32(row), uint32(at)
	mode := d >> 62
	width, leading, stride := patternWidth[mode], d.field(16), d.field(32)
	addr := d.field(0)
	switch {
	case transposed:
		if mode == 0 {
			leading, stride = stride, leading
		}
		along := 2 * r // two bytes an element
		addr += along%width + along/width*leading + k%8*width + k/8*stride
	case mode == 0:
		addr += r%8*width + r/8*stride + k*leading
	default:
		addr += r%8*width + r/8*stride + k*16
	}
	return addr ^ d.swizzle(addr)
}

// swizzle gives the bits of an address that change: pieces of 16 bytes change places within a row of 128 by the
// row's number.
func (d matrixDescriptor) swizzle(addr uint32) uint32 {
	base := uint32(d>>49) & 7
	row := (addr>>7 - base) & 7
	return row << 4 & (patternWidth[d>>62] - 16)
}
