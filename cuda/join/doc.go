// Package join is the worked example of graphs that serve many sizes: an equi-join on a device,
// captured once for a class of sizes and replayed with other parameters for every input of that
// class.
//
// The way of a join: Joiner.Inner (join.go) makes the Key of the input's sizes (key.go), asks a
// cuda.Cache for the pipeline of that key, which is captured where it is missing (pipeline.go:
// count, a scan whose levels topology.go plans, emit), writes the input into the pipeline's
// buffers, sets the lengths by name and launches the graph.
package join

//go:generate go run generate.go
