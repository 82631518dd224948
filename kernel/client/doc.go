// Package client speaks to a kernel over the real wire, as a Jupyter front end does.
//
// The way of a request: Kernel (process.go) writes a connection file and starts the process; Client
// (client.go) holds its sockets (sockets.go) and an exchange for every request under way
// (exchange.go); Execute (execute.go) hands each output to a handler as it comes, answers the
// kernel's questions, and returns once both the reply and the idle status have arrived.
package client
