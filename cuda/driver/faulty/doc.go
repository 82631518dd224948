// Package faulty wraps a driver so that chosen calls fail: what a program does about an allocation
// that is refused, a module that does not load or a device that is lost can then be tried at every
// call.
//
// The way of a call: a wrapper (driver.go, context.go, stream.go, graph.go) asks the Injector
// (injector.go) first, and calls the driver behind it where the answer is nil. Calls that give
// something back (Destroy, Free, Unload, Release) reach the driver in either case, as the seam's
// law has it, and then report the failure. The Injector also counts what was made and not given
// back.
//
//	in := faulty.NewInjector(func(n int, call string) error { if n == 17 { return driver.ErrorOutOfMemory }; return nil })
//	dev, err := cuda.OpenDriver(faulty.New(emulated.New(), in), 0)
//
// What package cuda does not call is passed on as it is.
package faulty
