// Package generics keeps the instances that an engine makes of the generic functions and methods of cells, so that units share them: when a
// later unit declares such a function again, all its instances get the new body, and every earlier caller sees it.
//
// A Table is a session's. Each unit has a Unit of it while it is loaded: it declares its functions (Declare, Redeclare), looks instances
// up and makes them (Instance), and what it did is seen by others from Commit on, or never.
package generics
