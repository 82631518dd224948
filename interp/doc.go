// Package interp is the Go side of the kernel: a Session of cells, as package worker serves it.
//
// The way of a cell: Session.Execute (session.go) takes the commands off its front (package magic);
// package check makes a checked unit of the rest; an engine (package engine) loads it, which the
// checker then remembers, and runs it (run.go); the values of the last expression become a bundle
// (result.go); what went wrong becomes a worker.CellError with the lines a front end shows
// (failure.go, and waits.go where compiled code was interrupted). Panics of goroutines come in from
// the side (run.go). lookup.go answers completion and inspection from the checker's types; pager.go
// has what %help shows of a name.
//
// Cells of subshells run concurrently with those of the main shell: shells.go says whose goroutine
// is whose, and so where what it prints (streams.go), shows (screen.go) and asks (stdin.go) goes.
//
// It imports nothing of devices: cmd/vyre-kernel registers preloaded packages (check.Register,
// symbols.Register) and commands (magic.Register), and says which names every cell has.
package interp
