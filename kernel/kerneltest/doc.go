// Package kerneltest tests kernels: Client speaks to one over its real sockets and keeps everything
// that came (client.go), and checks each message against the protocol's schema (schema.go); Session
// is a small language in which a cell asks for each thing that a kernel has to carry (session.go).
package kerneltest
