// Package link loads units for engines: it decides which functions are to have code, which earlier
// names a unit's take the place of, and where variables lie. What code is, and how it runs, is the
// engine's.
//
// An engine embeds a Session (session.go), whose Load (load.go) makes a Unit (unit.go) of each
// cell, and asks the engine for the other side of it, a Maker. The way of a unit: types gain
// methods and variables get memory; every function is asked for, becomes a Function of the engine's
// and waits; the Maker makes code of what waits, and asks for more; the methods of instances of
// generic types follow, as soon as their runtime types are there (package generics keeps the
// instances). Then the unit is committed: later ones see its names, and callers of what it declares
// again run the new code. A unit that stops anywhere before has no effect, and what stopped it
// becomes a refusal (refusal.go).
//
// What nobody asked for and is called all the same, the wrapper of a promoted method say, is made
// then (Unit.Need). Types get the names that compiled Go gives them in instances of generic
// functions from locals.go. NilCheck (nilcheck.go) knows go/ssa's assertions that are none, Pos
// (places.go) the places that it gives to others.
package link
