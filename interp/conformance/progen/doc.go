// Package progen writes Go programs: random, but well typed, terminating, and with one outcome that
// the Go specification fixes, so that two implementations of Go that print different things cannot
// both be right.
//
// The way of a program (program.go): a universe of types (types.go) is drawn first, declared
// structs, numbers with methods, interfaces, generics; then functions (funcs.go), each calling only
// those before it; then main, which runs a row of bodies, each under a recover that prints what it
// panicked with. Bodies are statements (statements.go, loops.go, effects.go, concurrent.go) over
// expressions (expr.go, numbers.go).
//
// What keeps programs defined: an expression has no side effect and does not panic, whatever may
// panic or change something is a statement of its own on operands that are variables (effects.go),
// since Go does not fix the order between a call and a read beside it. Constants stand only on the
// right of an operator whose left side is not constant, since constant arithmetic must not
// overflow. What keeps them short: loops and calls burn fuel, strings and slices that grow are
// clipped. Nothing prints an address, maps are printed by fmt, which sorts, and walked only to sum;
// goroutines tell their results through channels in an order that is fixed.
package progen
