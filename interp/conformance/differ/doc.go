// Package differ tells whether engines and compiled Go agree on programs.
//
// The way of the data: native.go compiles many programs into one binary with the go command and runs each in a process of its own;
// engines.go runs the same programs on engines, also each in its process; hunt.go compares the outcomes of generated programs (package
// progen) seed after seed; minimise.go takes declarations and statements out of a program as long as the difference stays.
package differ
