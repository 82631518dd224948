// Package check makes a checked unit in SSA form of a cell: source, package cell, go/types against
// all earlier cells, go/ssa.
//
// The way of a cell: Checker.Check (check.go) splits it; keep.go finds the types of earlier cells
// that it declares again as they were, or declares methods of: they stay the types that they are
// (same.go compares, promoted.go finds functions that select what a new method hides, gain.go lets
// go/types add the methods). Imports that are used and not written are added (imports.go); lower.go
// makes one file of it, in which variables of the cell's top level are package variables and its
// statements the body of one function (constant.go answers where a cell is a constant, partial.go
// where a text need not be right); check.go has go/types check that file in a package whose scope's
// parent holds the names of earlier cells (env.go); order.go finds names that are used before this
// cell declares them and lets them mean the earlier ones; initorder.go puts its variables into the
// order in which they need each other; errors.go, labels.go, places.go and suggest.go word what is
// wrong as the compiler does (generations.go tells types of one name apart; literals.go), in the
// lines where it does; codes.go explains go/types' codes; cycles.go finds instances without end,
// nameless.go interfaces that lead to themselves; unsafes.go takes out what unsafe.Sizeof and its
// like do not evaluate; build.go makes SSA, with what packages.go finds is needed of others;
// redeclare.go tells which earlier code keeps an old meaning, users.go who uses what. Of generic
// code the syntax is kept (generic.go, parts.go), from which later cells and engines (instance.go)
// have instances built. Nothing is remembered before Commit.
//
// Packages come from importer.go: export data and source that package exportdata has embedded.
package check
