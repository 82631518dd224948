package gorelease

// Facts are all that the project knows of a Go release, in the order in which they rest on each
// other.
var Facts = []*Fact{
	Release,
	Descriptors,
	Stubs,
	Goroutines,
	Registers,
	Modules,
	Itabs,
	AssertCaches,
	SyncMaps,
	JSONCaches,
	GobTypes,
	ChanElems,
	Parking,
	RuntimeErrors,
	ReflectValues,
	MadeFuncs,
	LastDefers,
	GoroutineNumbers,
	Selects,
	Bubbles,
	Diagnostics,
	Scopes,
	Builtins,
	NamedTypes,
	LogBridges,
	TestSignals,
	Onces,
	Conversions,
}
