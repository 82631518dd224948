// Package lawtest holds the exported calls of a package to one law: what cannot be done is refused
// by an error of the package's own type. Never a plain panic, never a hang, never silence.
//
// A package's test names its types, how a value of each state is made, and what its errors are:
//
//	lawtest.Test(t, lawtest.Package{
//		Types:     []any{(*Device)(nil), (*Buffer)(nil)},          // nil and the zero value are states of each
//		States:    []lawtest.State{{Name: "freed", New: freedBuffer}},
//		Functions: map[string]any{"Open": Open},
//		Refusal:   func(v any) bool { ... },                        // is v, an error or a panic's value, ours?
//		Args:      []any{func() *Buffer { ... }},                   // what stands for a parameter of that type
//		Answers:   map[string]string{"Buffer.Len freed": "a length outlives its memory"},
//	})
//
// Nothing can be forgotten: source.go reads the package's files, and an exported type with methods
// or an exported function that the test does not name is a violation, as is a type that a named one
// hands out. methods.go enumerates the methods of each state by reflection and makes the calls, so
// that a new method is in the test the day it is written; judge.go says what a call did. A method
// of a value that is nil, zero or spent has to refuse, unless Answers says why it may answer; a row
// of Answers that nothing needs any more is a violation too.
//
// Values that work are States with Works set: their methods are called with nil and zero in place
// of each argument in turn, and must refuse or answer, and from two goroutines at once
// (together.go), as are pairs of different methods, of one value and of two (pairs.go): some
// hundred drawn from all, or all where the test is given -laws.pairs=0.
//
// MustForms and Front (front.go) hold a package to its Must forms, and to naming no type of the
// packages below it.
//
// One panic is nobody's: a method that a nil pointer has from a struct embedded in what it would
// point to fails in code that the compiler wrote.
package lawtest
