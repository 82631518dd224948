package transport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// A peer is one connection whose handshake is over, as a net.Conn for zmq4. Reads give the greeting
// and READY of a NULL handshake, then whole messages; writes of the same are swallowed, then messages
// are queued.
type peer struct {
	net.Conn
	l        *Listener
	in       *bufio.Reader
	seal     seal
	identity string

	// Of the reading side, which zmq4 uses from one goroutine.
	ready    []byte // bytes of a whole message, or of the handshake, to give to zmq4
	at       int
	reserved int
	// adopted is closed when zmq4 reads messages: then it also writes to this peer.
	adopted   chan struct{}
	isAdopted bool

	topics subscriptions
	queue

	wmu     sync.Mutex // guards what follows
	swallow swallowing
	partial []byte // of a message that zmq4 has not finished writing
	scanned int    // where its next frame begins
}

func newPeer(l *Listener, c net.Conn, r *bufio.Reader, m metadata, s seal) *peer {
	p := &peer{Conn: c, l: l, in: r, seal: s, identity: m.identity(), adopted: make(chan struct{})}
	p.queue.init()
	p.topics.limit = l.limits.Topics
	// zmq4 sees a NULL peer that says no more than it needs.
	ready := encodeCommand(cmdReady, encodeMetadata(l.config.Kind.peerOf(m.socketType()), m.identity()))
	p.ready = appendFrame(greeting{mechanism: mechanismNull}.encode(), flagCommand, ready)
	return p
}

// Read gives zmq4 bytes. Every error is io.EOF between messages, which is the one end zmq4 cleans up
// after; why is logged here.
func (p *peer) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for p.at == len(p.ready) {
		if !p.isAdopted {
			p.isAdopted = true
			close(p.adopted)
		}
		p.release()
		if err := p.readMessage(); err != nil {
			p.release()
			if p.gone() { // closing: the writer flushes
				return 0, io.EOF
			}
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				p.l.log.Warn("peer disconnected", "peer", p.RemoteAddr().String(), "error", err)
			}
			p.abort()
			return 0, io.EOF
		}
	}
	n := copy(b, p.ready[p.at:])
	p.at += n
	return n, nil
}

// keepReady is the largest buffer kept for the next message.
const keepReady = 64 << 10

func (p *peer) release() {
	p.l.unreserve(p.reserved)
	p.reserved, p.at = 0, 0
	if p.ready = p.ready[:0]; cap(p.ready) > keepReady {
		p.ready = nil
	}
}

// step admits n more bytes of a message, which must come within the time of a stall.
func (p *peer) step(n int) error {
	if p.reserved+n > p.l.limits.Message {
		return refuse("message of bytes", p.reserved+n, "at most %d", p.l.limits.Message)
	}
	if err := p.l.reserve(n); err != nil {
		return err
	}
	p.reserved += n
	return p.Conn.SetReadDeadline(time.Now().Add(p.l.limits.Stalled))
}

// readMessage reads frames until one message for zmq4 is whole.
func (p *peer) readMessage() error {
	for frames := 0; ; {
		flags, body, err := p.readFrame(frames > 0)
		if err != nil {
			return err
		}
		if flags&flagCommand != 0 {
			if err := p.command(body); err != nil {
				return err
			}
			continue
		}
		if frames++; frames > p.l.limits.Frames {
			return refuse("frames of a message", frames, "at most %d", p.l.limits.Frames)
		}
		if p.l.config.Kind == Publisher {
			frames = 0
			if err := p.subscription(body, flags&flagMore != 0); err != nil {
				return err
			}
			p.release()
			continue
		}
		p.ready = appendFrame(p.ready, flags, body)
		if flags&flagMore == 0 {
			return nil
		}
	}
}

// readFrame reads and opens one frame. Inside a message the peer has the time of a stall for it.
func (p *peer) readFrame(inside bool) (byte, []byte, error) {
	deadline := time.Time{}
	if inside {
		deadline = time.Now().Add(p.l.limits.Stalled)
	}
	if err := p.Conn.SetReadDeadline(deadline); err != nil {
		return 0, nil, err
	}
	flags, size, err := readFrameHeader(p.in)
	if err != nil {
		if inside && errors.Is(err, os.ErrDeadlineExceeded) {
			err = refuse("time for the rest of a message", p.l.limits.Stalled, "less")
		}
		return 0, nil, err
	}
	limit := uint64(p.l.limits.Message)
	if flags&flagCommand != 0 {
		limit = maxCommand
	}
	if size > limit {
		return 0, nil, refuse("frame of bytes", size, "at most %d", limit)
	}
	body, err := appendBody(nil, p.in, int(size), p.step)
	if err != nil {
		return 0, nil, err
	}
	return p.seal.open(flags, body)
}

// command answers or notes a command; those that are not known are ignored, as ZMTP asks.
func (p *peer) command(body []byte) error {
	name, data, err := parseCommand(body)
	if err != nil {
		return err
	}
	switch name {
	case cmdPing: // two bytes of time to live, then a context to send back
		if len(data) < 2 || len(data) > 2+16 {
			return refuse("PING of bytes", len(data), "2 to 18")
		}
		p.push(appendFrame(nil, flagCommand, encodeCommand(cmdPong, data[2:])), true)
	case cmdSubscribe:
		return p.subscribe(data)
	case cmdCancel:
		p.topics.remove(data)
	case cmdError:
		return refuse("command", "ERROR", "no error")
	}
	return nil
}

// swallowing takes away what zmq4 says in its own handshake: greeting and one command.
type swallowing struct {
	greeting int // bytes of it seen
	done     bool
	command  []byte
}

// take returns what of b is left when the handshake is over.
func (s *swallowing) take(b []byte) []byte {
	if s.done {
		return b
	}
	n := min(greetingSize-s.greeting, len(b))
	s.greeting += n
	b = b[n:]
	s.command = append(s.command, b...)
	_, at, size, ok := frameHeader(s.command)
	if !ok || uint64(len(s.command)-at) < size {
		return nil
	}
	rest := s.command[at+int(size):]
	s.done, s.command = true, nil
	return rest
}

// Write takes bytes of zmq4's messages and queues each message when it is whole. It never waits.
func (p *peer) Write(b []byte) (int, error) {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	n := len(b)
	p.partial = append(p.partial, p.swallow.take(b)...)
	for {
		flags, at, size, ok := frameHeader(p.partial[p.scanned:])
		if !ok || uint64(len(p.partial)-p.scanned-at) < size {
			break
		}
		p.scanned += at + int(size)
		if flags&flagMore != 0 {
			continue
		}
		message := p.partial[:p.scanned:p.scanned]
		p.partial = append([]byte(nil), p.partial[p.scanned:]...)
		p.scanned = 0
		p.send(message)
	}
	if p.gone() {
		return 0, io.EOF // what zmq4 takes as the end
	}
	return n, nil
}

// send queues a whole message, where the peer wants it.
func (p *peer) send(message []byte) {
	if p.l.config.Kind == Publisher {
		_, at, size, _ := frameHeader(message)
		if !p.topics.match(message[at : at+int(size)]) {
			return
		}
	}
	p.push(message, false)
}
