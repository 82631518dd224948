package vm

import "math/bits"

// integersOnHost is the kernel integers of testdata/kernels/numeric.cu.
func integersOnHost(x, y int32) [16]int64 {
	ux, uy := uint32(x), uint32(y)
	var p [16]int64
	if y != 0 {
		p[0], p[1] = int64(x/y), int64(x%y)
		p[2] = int64(ux / uy)
	}
	p[3] = int64(int32(int64(x) * int64(y) >> 32))
	p[4] = int64(x) * int64(y)
	hi, _ := bits.Mul64(uint64(ux)<<30, uint64(uy))
	p[5] = int64(hi)
	p[6], p[7] = int64(bits.LeadingZeros32(ux)), int64(bits.OnesCount32(ux))
	p[8] = int64(bits.Reverse32(ux))
	if x != 0 {
		p[9] = int64(bits.TrailingZeros32(ux) + 1)
	}
	p[10] = int64(ux>>8&0xff | ux&0xff<<8 | uy&0xff<<16 | uy>>8&0xff<<24)
	n := uy & 31
	p[11] = int64(uint32((uint64(uy)<<32 | uint64(ux)) << n >> 32))
	d := int32(100)
	for i := range 4 {
		d += int32(int8(ux>>(8*i))) * int32(int8(uy>>(8*i)))
	}
	p[12] = int64(d)
	p[13] = int64(min(x, y)) + 3*int64(max(ux, uy))
	p[14] = int64(x >> n)
	p[15] = (int64(x)<<32 | int64(uy)) / int64(y|1)
	// Values that C converts from unsigned int.
	p[8], p[10], p[11] = int64(uint32(p[8])), int64(uint32(p[10])), int64(uint32(p[11]))
	return p
}
