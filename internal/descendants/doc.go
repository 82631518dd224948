// Package descendants tells which processes a process has started, and those in turn: an interrupt
// is theirs too, and what one of them reads is asked for. linux.go reads /proc, other.go asks
// pgrep.
package descendants
