// Package checks holds what the virtual machine's observers remember about memory
// and how they judge it. It knows words, threads and times, and nothing of PTX.
//
// race.go has the shadow of an address range that finds data races.
package checks
