// Package device runs e-graphs on a CUDA device, which may be a GPU or the emulated one: equality
// saturation, whole iterations with matching, right sides and closure, and the congruence closure
// of an image alone.
//
//	report := eg.Run(rules, egraph.On(device.New(cuda.MustOpen())))
//
// The way of the data in a saturation: program.go and rule.go compile a job's rules to the words
// that the kernel interprets, binary.go makes rows of more than two children rows of pairs,
// transfer.go packs the graph and takes it apart again, grow.go and pool.go are the device's memory
// and what happens when it is too small, saturate.go launches. The kernel is saturate.cu
// (matcher.cuh: matching and right sides, saturate.cuh: its words, which layout.go has too,
// forest.cuh: what all kernels here share). register.go tells package egraph where large runs may
// go.
//
// The way of the data in a closure: closure.go takes the image, packed.go makes rows of at most two
// children keys of 64 bits, resident.go closes those in one cooperative launch that runs all rounds
// (fixpoint.cu), after a first round by parts where no cache holds the table (partition.go,
// partition.cu; rows.cuh has what both share), remainder.go closes on the host what is left of a
// deep graph, errors.go refuses what cannot be done, result.go is what comes back. columns.go keeps
// an image on the device as it is laid out, to canonicalise it by what came back, to sign its rows
// anew and to find the classes that hold equal ones (columns.cu). Each kernel has its algorithm,
// memory traffic and bounds above it; the PTX is compiled from them by go generate.
//
// Analyses, conditions, right sides in Go, proofs and schedulers other than Simple stay on the
// host.
package device

//go:generate ./generate.sh saturate
//go:generate ./generate.sh fixpoint
//go:generate ./generate.sh partition
//go:generate ./generate.sh columns
