// Package unevaluated takes out of functions of go/ssa what that package evaluates and Go does not:
// the array that a loop with at most one variable ranges over, where len of it is constant, and
// what composite literals store in blank fields, which stay zero.
//
// Package check has done so with what unsafe.Sizeof and its like are asked; Offset is what one of
// them answers.
//
// Drop is for engines, before they compile a function; a second time changes nothing. LostRunDefers
// tells them of the one thing that go/ssa leaves out and Go evaluates.
package unevaluated
