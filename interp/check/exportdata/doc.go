// Package exportdata holds what a program that imports a package has to know of it, for the standard
// library: types (export data in the indexed form of gcexportdata, without positions and without
// bodies), the source of the generic packages, documentation. It is embedded, compressed a file a
// package, and only what is asked for is decompressed; no Go installation is needed where it is read.
//
// The way of a package: gen (interp/symbols/gen) writes archives, one for what all platforms share,
// one an operating system, one a platform (data/, embed_*.go); an Archive (archive.go) finds a
// package's files in them by the names of names.go; docs.go is the documentation's form.
//
// Files under _overlay are source of ours: generic functions and types whose own source needs the
// inside of the runtime. Where they need something compiled, package symbols has it under the
// unexported name.
package exportdata

//go:generate go run ../../symbols/gen -std -archives data
