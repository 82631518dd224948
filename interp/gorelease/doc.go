// Package gorelease holds what this project knows of the Go release that builds it and that the
// release does not promise: layouts, private functions, conventions. Nothing else in the tree knows
// one (a test looks); others ask in terms of what they want, and make descriptors and modules of the
// types here.
//
// Each thing known is a Fact (facts.go; table.go lists them): its name, why it is known, what checks
// it, and what is off where it does not hold. A fact is checked once, in microseconds, when it is
// first asked for or when a worker has nothing to do; a check never panics, and no initialisation
// depends on one. Supervisor, install and doctor run without any; doctor prints them.
//
//	types      release_go126.go and release_go127.go say which release; descriptors.go, with abi.go,
//	           map_go126.go, map_go127.go and name.go: descriptors of types; words.go: interfaces,
//	           slices, funcs; stub.go (stub_amd64.go, stub_arm64.go and the assembly): methods
//	calls      registers.go (registers_amd64.go, registers_arm64.go), reflected.go: funcs of reflect
//	program    moduledata.go (moduledata_go126.go, moduledata_go127.go), module.go: the linker's
//	           tables; memory.go and missing.go: what the runtime, encoding/json and encoding/gob
//	           remember of types; links.go: functions that they export by name
//	goroutines g.go: descriptors, stacks, deferred calls; chan.go, wake.go and wake_check.go: channels
//	           and those that wait for them; selectgo.go: selects, bubbles
//	library    errors.go: the runtime's own errors; types_scope.go and types_named.go: go/types;
//	           diagnostics.go: codes of its errors; library.go: log/slog,
//	           testing, sync, database/sql
//
// release_other.go keeps other releases from building. docs/go-release.md tells a porter what to do
// for the next one.
package gorelease
