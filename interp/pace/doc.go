// Package pace keeps the garbage collector from running for every few megabytes that cells
// allocate.
//
// The runtime collects when the heap has grown by as much as it held: a session that holds 3 MB is
// collected for every 3 MB of garbage, some hundred times a second by cells that do nothing but
// make maps or decode JSON. Keep has it wait until the heap has grown to a floor. Above half of the
// floor nothing is different, and where GOGC is set, or a cell sets the percentage, nothing is
// either.
//
//	end of a cycle -> a cleanup (pace.go) -> what lives -> the percentage for the next cycle
//	end of a cell -> Rest (rest.go) -> later, if nothing runs, a collection: the garbage goes back to the system
package pace
