// Package check makes a checked unit in SSA form of a cell: source, package cell, go/types against all
// earlier cells, go/ssa.
//
// The way of a cell: Checker.Check (check.go) splits it; imports that are used and not written are
// added (imports.go); lower.go makes one file of it, in which variables of the cell's top level are
// package variables and its statements the body of one function; types.go checks that file in a
// package whose scope's parent holds the names of earlier cells (env.go); order.go finds names that
// are used before this cell declares them and lets them mean the earlier ones; errors.go and
// suggest.go word what is wrong; build.go makes SSA; stale.go tells which earlier code keeps an old
// meaning. Nothing is remembered before Commit.
//
// Packages come from importer.go: export data and source that package exportdata has embedded.
package check
