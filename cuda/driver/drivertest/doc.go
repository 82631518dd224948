// Package drivertest holds implementations of package driver to the laws that package cuda builds
// on.
//
// Run takes a way to open a driver and checks every law in a subtest of its own. A law is a row
// {name, law, run} (suite.go); the rows are grouped as package driver's files are: laws_device.go,
// laws_memory.go, laws_module.go, laws_launch.go, laws_stream.go, laws_capture.go, laws_graph.go,
// laws_graph_exec.go and, last because they leave a context unusable, laws_fault.go. The kernels
// are PTX written by hand (kernels.ptx, conditional.ptx), so nothing but the driver is under test.
//
//	func TestConformance(t *testing.T) { drivertest.Run(t, native.New) }
//
// A law that does not hold is reported with its sentence. What a driver's version cannot do is
// skipped with the error that said so; nothing else is skipped.
package drivertest
