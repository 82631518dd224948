// Package differ reports whether engines and compiled Go agree on programs.
//
// The way of the data: native.go compiles many programs into one binary with the go command and
// runs each in a process of its own; engines.go runs the same programs on engines, also each in its
// process; verdict.go compares, and has what differs or is not over run again, alone, so that no
// verdict rests on how busy the machine is; hunt.go does so with generated programs (package
// progen) seed after seed, figures.go counts; minimise.go takes declarations and statements out of
// a program as long as the difference stays.
package differ
