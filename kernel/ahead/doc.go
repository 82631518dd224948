// Package ahead listens on the ports of a kernel's connection file before the rest of the program
// is initialised.
//
// A client connects when it has started the kernel's process. Where nobody listens yet, ZeroMQ
// tries again a tenth to a fifth of a second later, ten times what a kernel takes to be there. The
// initialisers of the packages that cells see take most of the time before main; this package
// imports little, so that Go runs its own (ahead_linux.go) among the first. It acts where the
// program was started as "kernel -f FILE" and FILE names ports of 127.0.0.1: connections that come
// then wait until the kernel, which Takes the sockets, accepts them. Whatever else is the case, and
// whatever fails, it leaves to the kernel.
package ahead
