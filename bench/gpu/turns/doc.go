// Command turns measures what it costs to enqueue work on a GPU, from C, Go, a cell and Python:
// processes that take turns of a millisecond on one core of the host, so that all of them see the
// same machine. (One after the other, each for some seconds, they do not: the hosts of rented GPUs
// change their pace by half from second to second and core to core.)
//
//	turns [-rounds 200] [-core 2] NAME=COMMAND...
//
// A peer finds in TURNS a folder with two FIFOs, opens "out" for writing and "in" for reading, and
// pins the thread that measures to the core that CORE names. It writes a line, the names of the
// calls that it knows with tabs between. Then it reads lines, a number of calls and a name ("300
// graph launch"): it makes that many calls to be warm, waits for the device, makes them again, and
// writes how many nanoseconds one took; it waits for the device before it reads on. It ends with
// its input.
//
// main.go starts the peers and conducts the rounds, peer.go speaks to one of them, table.go prints
// medians and the ratios of a round's turns.
package main
