// Package callers has the functions of the standard library that look at the stack - runtime.Caller
// and its kin, what log and log/slog write of the place that called them - over the frames that an
// engine keeps. The compiled ones would show the engine's own functions.
//
// An engine gives a Stack and puts what Functions and Methods return in place of the compiled
// functions that cells call. Places become program counters through interp/pctab, so that compiled
// code that is handed one (slog's handlers, runtime.CallersFrames) finds the cell.
//
//	stack.go  runtime.Caller and runtime.Callers
//	text.go   runtime.Stack, runtime/debug.Stack and PrintStack
//	names.go  how the runtime names functions
//	log.go    package log, where a logger writes places or hands lines to a slog handler
//	slog.go   log/slog, whose records carry the place that logs
//
// The frames are those of cell functions: compiled functions between them, as a sort.Sort that
// calls a Less, are not in a stack.
//
// served.go knows the compiled functions that recover what cell code panics with, and tells them
// where it did.
package callers
