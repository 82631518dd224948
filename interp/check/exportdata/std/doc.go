// Package std is the standard library's archive of export data: that of the release and the
// platform that the binary is built for, embedded.
//
// gen (interp/symbols/gen) writes the archives under data and the files embed_*.go. Files under
// _overlay are source of ours: generic functions and types whose own source needs the inside of the
// runtime. Where they need something compiled, package symbols has it under the unexported name. A
// file whose name ends in a release is for that alone.
package std

//go:generate go run ../../../symbols/gen -std -archives data
