package num

import "math/bits"

// Extended precision (section 9.7.2): the flag is the carry of the addition that a subtraction is
// on the hardware, x + ^y + 1. The third operand is for operations of three.

// AddCarry32 is x+y+carry, and the carry out.
func AddCarry32(x, y, _ uint32, carry uint64) (uint32, uint64) {
	v := uint64(x) + uint64(y) + carry
	return uint32(v), v >> 32
}

// AddCarry64 is AddCarry32 of 64 bits.
func AddCarry64(x, y, _ uint64, carry uint64) (uint64, uint64) { return bits.Add64(x, y, carry) }

// SubCarry32 is x-y where carry is 1, one less where it is 0.
func SubCarry32(x, y, _ uint32, carry uint64) (uint32, uint64) { return AddCarry32(x, ^y, 0, carry) }

// SubCarry64 is SubCarry32 of 64 bits.
func SubCarry64(x, y, _ uint64, carry uint64) (uint64, uint64) { return bits.Add64(x, ^y, carry) }
