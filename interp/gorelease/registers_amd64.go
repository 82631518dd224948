package gorelease

// How many words and floats are passed in registers.
const (
	IntRegisters   = 9
	FloatRegisters = 15
)
