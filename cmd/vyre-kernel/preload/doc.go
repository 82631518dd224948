// Package preload is what cells see of this project, and of gonum/plot: export data and symbol
// tables of packages, registered with interp/check and interp/symbols when it is imported.
// Everything else in it is generated.
package preload

//go:generate go run github.com/vyre-kernel/vyre-kernel/interp/symbols/gen -preload . @packages.txt
