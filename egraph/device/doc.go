// Package device runs congruence closure on a CUDA device: an e-graph's image goes up once, rows are
// canonicalised, inserted into a hash table and merged there, round by round until nothing changes, and
// the classes come back. The device may be a GPU or the emulated one.
//
// The way of the data: closure.go takes the image; packed.go makes rows of at most two children keys of 64
// bits, and resident.go closes those in one cooperative launch that runs all rounds (fixpoint.cu, compiled
// to fixpoint.ptx). Other images are closed by the kernels of closure.ptx, where the host asks after each
// round whether a class was merged: a round trip of one word. Each kernel has its algorithm, memory traffic
// and bounds above it; result.go is what comes back.
//
// E-matching stays on the host, as do analyses.
package device
