// Package transport is what stands between zmq4's sockets and the world: a transport registered with
// zmq4.RegisterTransport that speaks ZMTP to each peer itself and hands zmq4 whole, clean messages.
//
// The way of a connection: Open (socket.go) makes a zmq4 socket and binds it through the scheme
// registered here (transport.go); the Listener (listener.go) accepts, and greets each peer on a goroutine of its own
// with a deadline (greeting.go, command.go, handshake.go), so that a silent peer holds up nobody. A
// peer that passed becomes a net.Conn for zmq4 (peer.go): greeting and READY are played to zmq4 from
// memory, then each Read gives bytes of messages that arrived whole, within bounds (frames.go,
// limits.go); PING is answered and subscriptions are kept here (subscribe.go). What zmq4 writes goes
// into a bounded queue for each peer (queue.go) that a goroutine empties, so that a peer that does not
// read stops nobody either.
//
// Laws: no bytes from outside can panic, or make the process allocate what has not been sent. On a
// socket that publishes, a peer whose queue is full misses messages, and is logged; on one that
// replies it is disconnected. Close flushes, for a time.
//
// Source: ZMTP 3.1, https://rfc.zeromq.org/spec/37/.
package transport
