// Command cells (bench) measures Go in cells beside plain yaegi and native Go: the programs in
// testdata, the same text for all three, in three processes that take turns and are new for each
// program.
//
//	go run ./bench/cells [-only NAMES] [-limit 5m] [-rounds 5] [-markdown] [-yaegi=false]
//
// The way of a figure: main.go plans the rounds, native.go builds the programs into one binary,
// peer.go asks a process for the time of one program, serve.go answers as the vm or as yaegi,
// latency.go times check and compile of cells, start.go the start of a worker, table.go prints.
// Times are CPU time of the process, user and system, so that other load on the machine counts
// little; the three results of a program have to be equal.
package main
