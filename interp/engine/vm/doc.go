// Package vm is the engine that executes units: go/ssa functions as closures over typed frames,
// with real runtime types. It puts the rooms together (vm.go): package lower compiles, package
// machine runs, package calls goes into compiled Go and back, package link loads.
//
// What would wait without end, leave the process or show the engine's own frames is replaced:
// natives.go has the table, stdin.go what reads and prints, caller.go and funcptr.go what looks at
// the stack and at functions, processes.go, clients.go, servers.go and reflected.go what waits,
// testing.go what tests need. place.go tells where a cell is.
package vm
