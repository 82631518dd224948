package transport

import "time"

// Limits bound what peers can use. The zero value of a field means its default.
type Limits struct {
	// Handshake is the time a peer has from accept to the end of its handshake (10 s).
	Handshake time.Duration
	// Stalled is how long a peer may give nothing in the middle of a message (10 s).
	Stalled time.Duration
	// Patience is how long a publisher is held back by a peer that takes nothing (3 s). After that
	// the peer misses what exceeds Pressure, until it takes something.
	Patience time.Duration
	// Linger is the time Close has to flush (2 s).
	Linger time.Duration
	// Message bounds the bytes of one message with all its frames (256 MiB), Frames their number
	// (65,536), Inbound the bytes of incomplete and unread messages of all peers together (512
	// MiB): beyond it the peer goes that has most of them.
	Message, Frames, Inbound int
	// Queue bounds the bytes that wait for one peer (64 MiB).
	Queue int
	// Pressure is the number of waiting bytes from which WaitForRoom waits (4 MiB).
	Pressure int
	// Peers bounds the connections (1,024; one that never said anything gives its place to a new
	// one), Pending those that have not finished their handshake (256; the oldest goes first).
	Peers, Pending int
	// Topics bounds the subscriptions of one peer (256).
	Topics int
}

func (l Limits) withDefaults() Limits {
	d := Limits{
		Handshake: 10 * time.Second, Stalled: 10 * time.Second, Patience: 3 * time.Second, Linger: 2 * time.Second,
		Message: 256 << 20, Frames: 1 << 16, Inbound: 512 << 20,
		Queue: 64 << 20, Pressure: 4 << 20, Peers: 1024, Pending: 256, Topics: 256,
	}
	for _, p := range []struct{ has, other *time.Duration }{
		{&d.Handshake, &l.Handshake}, {&d.Stalled, &l.Stalled}, {&d.Patience, &l.Patience}, {&d.Linger, &l.Linger},
	} {
		if *p.other > 0 {
			*p.has = *p.other
		}
	}
	for _, p := range []struct{ has, other *int }{
		{&d.Message, &l.Message}, {&d.Frames, &l.Frames}, {&d.Inbound, &l.Inbound}, {&d.Queue, &l.Queue},
		{&d.Pressure, &l.Pressure}, {&d.Peers, &l.Peers}, {&d.Pending, &l.Pending}, {&d.Topics, &l.Topics},
	} {
		if *p.other > 0 {
			*p.has = *p.other
		}
	}
	return d
}
