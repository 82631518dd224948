package transport

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// FuzzHandshake: any bytes before the end of the handshake are refused, or give metadata that can
// be written again.
func FuzzHandshake(f *testing.F) {
	ready := appendFrame(nil, flagCommand, encodeCommand(cmdReady, encodeMetadata("DEALER", "id")))
	f.Add(append(greeting{mechanism: mechanismNull}.encode(), ready...))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		if _, err := readGreeting(r); err != nil {
			return
		}
		_, data, err := readCommand(r)
		if err != nil {
			return
		}
		m, err := parseMetadata(data)
		if err != nil {
			return
		}
		again, err := parseMetadata(encodeMetadata(m.socketType(), m.identity()))
		if err != nil || again.identity() != m.identity() {
			t.Errorf("%v: %v became %v", err, m, again)
		}
	})
}

// replayed is a connection that says what it is told and takes everything.
type replayed struct {
	net.Conn
	io.Reader
}

func (r replayed) Read(b []byte) (int, error)     { return r.Reader.Read(b) }
func (replayed) Write(b []byte) (int, error)      { return len(b), nil }
func (replayed) Close() error                     { return nil }
func (replayed) SetReadDeadline(time.Time) error  { return nil }
func (replayed) SetWriteDeadline(time.Time) error { return nil }
func (replayed) RemoteAddr() net.Addr             { return &net.UnixAddr{Name: "fuzz"} }

// FuzzFrames: whatever a peer sends after its handshake, whole messages within the limits come of
// it and then the end, and what is counted as read is given back.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{flagMore, 1, 'a', 0, 1, 'b'}, true)
	f.Add(appendFrame(nil, flagCommand, encodeCommand(cmdPing, []byte{0, 0, 'x'})), true)
	f.Add(appendFrame(nil, flagCommand, encodeCommand(cmdSubscribe, []byte("x"))), false)
	f.Add([]byte{0, 2, 1, 'x', 0, 2, 0, 'x'}, false)
	f.Add([]byte{flagLong, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, true)
	f.Fuzz(func(t *testing.T, b []byte, router bool) {
		kind := Publisher
		if router {
			kind = Router
		}
		l := &Listener{
			config: Config{Kind: kind}, limits: Limits{Message: 1 << 16, Frames: 16, Inbound: 1 << 17, Topics: 4}.withDefaults(),
			log: slog.New(slog.DiscardHandler), room: make(chan struct{}),
		}
		c := replayed{Reader: bytes.NewReader(b)}
		p := newPeer(l, c, direct.New(c), bufio.NewReader(c), metadata{}, plain{})
		for {
			m, err := p.readMessage()
			p.l.release(p, 0)
			if err != nil {
				break
			}
			if kind == Publisher || len(m) < 2 || len(m)-1 > l.limits.Frames {
				t.Fatalf("%x gave %x", b, m)
			}
			for _, frame := range m[1:] {
				if !bytes.Contains(b, frame) {
					t.Errorf("%x gave %x", b, m)
				}
			}
		}
		if l.inbound != 0 {
			t.Errorf("%d bytes are still counted", l.inbound)
		}
	})
}

// lasting is an end of a net.Pipe of which what was read before the other end closed is of use, as
// it is of sockets.
type lasting struct{ net.Conn }

func (l lasting) SetReadDeadline(t time.Time) error {
	_ = l.Conn.SetReadDeadline(t) // fails when the other end is closed
	return nil
}

// FuzzSend: what is queued for a peer is read as it was sent, however much waits.
func FuzzSend(f *testing.F) {
	f.Add([]byte("one"), []byte("two"), uint8(1))
	f.Add(make([]byte, 300), []byte{}, uint8(7))
	f.Add(make([]byte, 300), []byte("several"), uint8(68))
	f.Fuzz(func(t *testing.T, one, two []byte, times uint8) {
		l := &Listener{config: Config{Kind: Router}, limits: Limits{}.withDefaults(), log: slog.New(slog.DiscardHandler),
			room: make(chan struct{})}
		near, far := net.Pipe()
		defer far.Close()
		p := newPeer(l, near, direct.New(near), nil, metadata{}, plain{})
		for range times {
			p.push(appendMessage(nil, [][]byte{one, two}), false)
		}
		_ = p.Close()
		reader := newPeer(l, lasting{far}, direct.New(far), bufio.NewReader(far), metadata{}, plain{})
		for range times {
			m, err := reader.readMessage()
			if err != nil || len(m) != 3 || !bytes.Equal(m[1], one) || !bytes.Equal(m[2], two) {
				t.Fatalf("%x %v", m, err)
			}
		}
		l.tasks.Wait()
	})
}

// FuzzZ85: what can be read is written again as it was.
func FuzzZ85(f *testing.F) {
	f.Add("HelloWorld")
	f.Add("#####")
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := decodeZ85(text); err == nil && encodeZ85(b) != text {
			t.Errorf("%q became %q", text, encodeZ85(b))
		}
	})
}
