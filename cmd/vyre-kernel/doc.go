// Command vyre-kernel is a Jupyter kernel for Go.
//
// root.go is the tree of commands and the exit codes; a command is a file: flags, an options value,
// one call into a room (kernel.go, worker.go, install.go, uninstall.go, run.go, doctor.go,
// version.go). preload.go says what cells see: the packages, their export data and the magics that
// need a device.
package main
