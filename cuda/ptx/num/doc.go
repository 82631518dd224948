// Package num is the arithmetic of PTX, bit for bit as hardware gives it: functions of numbers,
// which know of no instruction, register or lane. Package vm makes instructions of them.
//
// A result of floating-point arithmetic is made exact, as a pair of numbers of double precision
// (rounding.go), and rounded once: to single precision, where modifiers flush and clamp it
// (float.go), or to a format of 16 bits or less (format.go, narrow.go). convert.go has what lies
// between integers and such numbers. int.go, carry.go and bits.go have what Go's operators do not
// say of integers; dot.go the sums of tensor cores.
//
// Where PTX leaves a result open, it is that of an H200.
package num
