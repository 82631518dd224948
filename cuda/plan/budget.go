package plan

import "math/bits"

// add is a+b, or the error that names what was being computed.
func add(planner, field string, a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, &OverflowError{Planner: planner, Field: field}
	}
	return sum, nil
}

// mul is a*b, or the error that names what was being computed.
func mul(planner, field string, a, b uint64) (uint64, error) {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 0, &OverflowError{Planner: planner, Field: field}
	}
	return lo, nil
}

// basisPoints is floor(10000 x part / whole) for part <= whole, whole > 0. The product has 128
// bits: with 64 a queue of 2^51 items would already be told a wrong occupancy.
func basisPoints(part, whole uint64) uint64 {
	hi, lo := bits.Mul64(10_000, part)
	quotient, _ := bits.Div64(hi, lo, whole)
	return quotient
}

// ceilDiv is a/b rounded up, b > 0, for all a.
func ceilDiv(a, b uint64) uint64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}
