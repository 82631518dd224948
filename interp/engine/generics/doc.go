// Package generics keeps the instances that an engine makes of the generic functions and methods of
// cells, so that units share them: when a later unit declares such a function again, all its
// instances get the new body, and every earlier caller sees it.
//
// Instances of functions of packages that are made from source (slices, maps) are shared too, where
// no type of a cell is among the type arguments (shared.go).
//
// A Table is a session's. Each unit has a Unit of it while it is loaded: it declares its functions
// (Declare, Redeclare), looks instances up and makes them (Instance), and what it did is seen by
// others from Commit on, or never.
package generics
