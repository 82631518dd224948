package gorelease

import "math/bits"

// stubSize: one instruction that moves a constant to R26, B.
const stubSize = 8

// stubLoads accepts MOVZ, and ORR with a bitmask or the zero register, which the assembler prefers
// for some constants.
func stubLoads(code []byte, i int) bool {
	mov, jump := codeOrder.Uint32(code), codeOrder.Uint32(code[4:])
	if mov&0x1f != 26 || jump>>26 != 5 {
		return false
	}
	switch {
	case mov>>21 == 0x694: // MOVZ X26, #imm16
		return mov>>5&0xffff == uint32(i)
	case mov&^0x1f == 0xaa1f03e0: // ORR X26, XZR, XZR
		return i == 0
	case mov>>22 == 0x2c9: // ORR X26, XZR, #ones<<shift, N=1
		ones, rotate := int(mov>>10&63)+1, -int(mov>>16&63)
		return bits.RotateLeft64(1<<ones-1, rotate) == uint64(i)
	}
	return false
}
