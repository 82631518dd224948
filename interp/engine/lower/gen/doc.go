// Command gen writes the closures of package lower that differ only in an operator and in where the
// operands come from: a slot, a constant, or another closure. Run by go generate in package lower.
package main
