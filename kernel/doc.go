// Package kernel is the Jupyter side: it listens on the five sockets of a connection file, answers
// every request, and hands cells to an Engine in another process.
//
// The way of a cell: a socket's reader (sockets.go) verifies the message and gives it to its lane
// (queue.go), one for each subshell (side.go has those that need not wait for one); the lane
// calls dispatch (dispatch.go), the one table of message types and the one place where busy and
// idle are said; its handler (execute.go) asks the Engine (engine.go), which is a
// supervise.Supervisor; what the cell sends meanwhile comes in through the receiver (receiver.go)
// and leaves through the publisher (iopub.go, as fast as limits.go allows) in order; the reply is
// sent, and with the end of the output idle.
//
// One file a request: execute.go complete.go inspect.go history.go comm.go info.go control.go
// subshell.go usage.go stdin.go; glob.go matches patterns of the history, errors.go is what is
// refused. Requests that only ask do not wait for a cell that runs. kernel.go holds the life of a
// kernel, log.go keeps floods out of the log, parent.go its end when the client that started it is
// gone.
//
// Lanes run concurrently. Cells of all share the engine's variables, one count of numbers (places
// are told as In[n]) and one history; an interrupt is for all that run; a cell that fails stops
// those that wait in its own lane; a subshell that is deleted ends with the cell that it runs.
//
// What a silent cell prints and displays is published, as ipykernel does it: silent are its input,
// its result and its error, and it stops no cells behind it.
//
// Laws: every request gets exactly one reply, also an unknown or malformed one, and busy before and
// idle after it with its own parent; all output of a cell comes before its idle; the
// worker's death is an error in a cell; a message that does not verify is logged and dropped.
//
// Source: "Messaging in Jupyter", version 5.5, and the accepted Jupyter enhancement proposals 65
// (iopub_welcome) and 91 (subshells).
package kernel
