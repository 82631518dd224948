package transport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// turns gives others a turn before each read. A peer that sends without end always has something to
// be read, and reads that the scheduler is not told of give it no occasion: beside nine such peers
// a third of the cells ran.
type turns struct{ io.Reader }

func (t turns) Read(b []byte) (int, error) {
	runtime.Gosched()
	return t.Reader.Read(b)
}

// A peer is one connection whose handshake is over.
type peer struct {
	net.Conn
	l        *Listener
	in       *bufio.Reader
	seal     seal
	identity string
	since    time.Time

	timed    bool // the reader has set a deadline
	reserved int  // bytes that it has read of a message that is incomplete or unread; guarded by l.mu
	heard    bool // it has sent a message, or subscribed; guarded by l.mu

	topics subscriptions
	queue
}

func newPeer(l *Listener, c net.Conn, out *direct.Stream, r *bufio.Reader, m metadata, s seal) *peer {
	p := &peer{Conn: c, l: l, in: r, seal: s, identity: m.identity(), since: time.Now()}
	p.queue.init(out)
	p.topics.limit = l.limits.Topics
	return p
}

// read hands on messages until the peer ends, or is ended.
func (p *peer) read() {
	defer p.l.forget(p)
	defer p.l.release(p, 0)
	for {
		frames, err := p.readMessage()
		if err != nil {
			p.readEnded(err)
			return
		}
		select {
		case p.l.received <- frames:
			p.l.heard(p)
		case <-p.l.done:
			return
		}
	}
}

// readEnded gives the peer up, unless it is closing: then the writer flushes.
func (p *peer) readEnded(err error) {
	if p.gone() {
		return
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		p.l.log.Warn("peer disconnected", "peer", p.RemoteAddr().String(), "error", err)
	}
	p.abort()
}

// expect bounds the wait for the next n bytes of a message, where they are not here already; 0 is
// the next message, for which a peer has all time.
func (p *peer) expect(n int) error {
	if n > 0 && p.in.Buffered() >= n || n == 0 && !p.timed {
		return nil
	}
	deadline := time.Time{}
	if p.timed = n > 0; p.timed {
		deadline = time.Now().Add(p.l.limits.Stalled)
	}
	return p.Conn.SetReadDeadline(deadline)
}

// step admits n more bytes of a message, which must come within the time of a stall.
func (p *peer) step(n int) error {
	if err := p.l.reserve(p, n); err != nil {
		return err
	}
	return p.expect(n)
}

// frameCost is what a frame takes beside its bytes, about.
const frameCost = 64

// readMessage reads frames until a message is whole, and gives it behind the peer's identity.
func (p *peer) readMessage() ([][]byte, error) {
	message, size := [][]byte{[]byte(p.identity)}, 0
	for {
		p.awaitRoom()
		flags, body, err := p.readFrame(len(message) > 1)
		if err != nil {
			return nil, err
		}
		if flags&flagCommand != 0 || p.l.config.Kind == Publisher {
			if err := p.obey(flags, body); err != nil {
				return nil, err
			}
			p.l.release(p, size) // all but the message it came amid
			continue
		}
		if err := p.l.reserve(p, frameCost); err != nil {
			return nil, err
		}
		size += len(body) + frameCost
		if message = append(message, body); len(message)-1 > p.l.limits.Frames {
			return nil, refuse("frames of a message", len(message)-1, "at most %d", p.l.limits.Frames)
		}
		if flags&flagMore == 0 {
			return message, nil
		}
	}
}

// obey does what a frame asks that is no part of a message to hand on: a command, or what a
// subscriber sends.
func (p *peer) obey(flags byte, body []byte) error {
	if flags&flagCommand != 0 {
		return p.command(body)
	}
	return p.subscription(body, flags&flagMore != 0)
}

// readFrame reads and opens one frame. Inside a message the peer has the time of a stall for it.
func (p *peer) readFrame(inside bool) (byte, []byte, error) {
	await := 0
	if inside {
		await = shortHeader
	}
	if err := p.expect(await); err != nil {
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
		p.awaitRead()
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
