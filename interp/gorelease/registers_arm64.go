package gorelease

// How many words and floats are passed in registers.
const (
	IntRegisters   = 16
	FloatRegisters = 16
)
