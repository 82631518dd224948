// Package exportdata is the form of what a program that imports a package has to know of it: types
// (export data in the indexed form of gcexportdata, without positions and without bodies), the
// source of the generic packages, documentation. No Go installation is needed where it is read.
//
// The way of a package: gen (interp/symbols/gen) writes archives, one for what all platforms share,
// one per operating system, one per platform; an Archive (archive.go) finds a package's files in
// them by the names of names.go and decompresses only what is asked for; docs.go is the
// documentation's form. Package std has the standard library's archive. A preloaded package of any
// module may have generic functions for cells too, in files that GenericFile names: their source is
// in its archive.
package exportdata
