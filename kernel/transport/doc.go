// Package transport is the listening side of the kernel's sockets: it speaks ZMTP to each peer, and
// what comes out of it are whole messages within bounds.
//
// The way of a connection: Open (socket.go) makes a Listener (listener.go), which accepts and
// greets each peer on a goroutine of its own with a deadline (greeting.go, command.go,
// handshake.go, curve.go, z85.go), so that a silent peer holds up nobody. A peer is known by its
// identity (identity.go). The goroutine is then its reader (peer.go): it gathers frames (frames.go)
// within limits (limits.go), answers PING, keeps subscriptions (subscribe.go) and gives whole
// messages to whoever calls Recv. What is sent to a peer (queue.go) is written at once as far as
// the system takes it; the rest waits in a bounded queue for a writer, so that a peer that does not
// read stops nobody; who asks for more than it reads is not read from.
//
// Laws: no bytes from outside can panic, or make the process allocate what has not been sent. On a
// socket that publishes, a peer whose queue is full misses messages, and is logged; on one that
// replies it is disconnected. Close flushes, for a time.
//
// Source: ZMTP 3.1, https://rfc.zeromq.org/spec/37/.
package transport
