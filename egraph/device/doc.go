// Package device runs congruence closure on a CUDA device: an e-graph's image goes up once, rows are
// canonicalised, inserted into a hash table and merged there, round by round until nothing changes, and
// the classes come back. The device may be a GPU or the emulated one.
//
// The way of the data: closure.go uploads the image and runs the rounds; closure.ptx holds the kernels,
// each with its algorithm, memory traffic and bounds above it; result.go reads the forest back. The host
// asks after each round whether a class was merged: a round trip of one word.
//
// E-matching stays on the host, as do analyses.
package device
