// Package grammar finds where a text departs from the grammar of Go, in the words and at the places
// of the Go compiler. It makes no syntax tree for others: package go/parser does, whose errors have
// other words and other places, and where that refuses a text this package reads it again.
//
// The way of a text: grammar.go gives it to the compiler's own parser (syntax, copied by
// generate.go from the newest release that the kernel is built with; syntax/cell.go lets it read
// cells) and keeps what is said of it, once a line.
package grammar

//go:generate env GOTOOLCHAIN=go1.27.4 go run generate.go
