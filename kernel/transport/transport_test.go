package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// echo opens a ROUTER that sends back what it gets.
func echo(t *testing.T, c Config) *Listener {
	t.Helper()
	c.Kind = Router
	s := open(t, c)
	go func() {
		for {
			m, err := s.Recv()
			if err != nil {
				return
			}
			s.Send(m)
		}
	}()
	return s.listener
}

func open(t *testing.T, c Config) *Socket {
	t.Helper()
	if c.Network == "" {
		c.Network, c.Address = "tcp", "127.0.0.1:0"
	}
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func dealer(t *testing.T, l *Listener, opts ...zmq4.Option) zmq4.Socket {
	t.Helper()
	d := zmq4.NewDealer(context.Background(), opts...)
	address := "tcp://" + l.Addr().String()
	if l.Addr().Network() == "unix" {
		address = "ipc://" + l.Addr().String()
	}
	if err := d.Dial(address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func roundTrip(t *testing.T, d zmq4.Socket, frames ...string) {
	t.Helper()
	var m zmq4.Msg
	for _, f := range frames {
		m.Frames = append(m.Frames, []byte(f))
	}
	if err := d.SendMulti(m); err != nil {
		t.Fatal(err)
	}
	got := make(chan zmq4.Msg, 1)
	go func() {
		m, _ := d.Recv()
		got <- m
	}()
	select {
	case g := <-got:
		if !bytes.Equal(bytes.Join(g.Frames, []byte{0}), bytes.Join(m.Frames, []byte{0})) {
			t.Errorf("%d frames came back, %d sent", len(g.Frames), len(m.Frames))
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
}

func TestRoundTrips(t *testing.T) {
	for _, c := range []Config{{}, {Network: "unix", Address: filepath.Join(t.TempDir(), "sock-1")}} {
		t.Run(c.Network, func(t *testing.T) {
			l := echo(t, c)
			d := dealer(t, l)
			for _, size := range []int{0, 1, 255, 256, 100_000, 5_000_000} {
				roundTrip(t, d, "a", strings.Repeat("x", size), "")
			}
		})
	}
}

func dial(t *testing.T, l *Listener) net.Conn {
	t.Helper()
	c, err := net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	return c
}

// raw does the handshake of a peer of the given type by hand.
func raw(t *testing.T, l *Listener, socketType, identity string) net.Conn {
	t.Helper()
	c := dial(t, l)
	ready := encodeCommand(cmdReady, encodeMetadata(socketType, identity))
	if _, err := c.Write(appendFrame(greeting{mechanism: "NULL"}.encode(), flagCommand, ready)); err != nil {
		t.Fatal(err)
	}
	if _, err := readGreeting(c); err != nil {
		t.Fatal(err)
	}
	h := make([]byte, 2)
	if _, err := io.ReadFull(c, h); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, h[1])); err != nil {
		t.Fatal(err)
	}
	return c
}

// isClosed reads until the other side has closed.
func isClosed(t *testing.T, c net.Conn) {
	t.Helper()
	if _, err := io.Copy(io.Discard, c); err != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("still open: %v", err)
	}
}

func TestBadPeersHarmNobody(t *testing.T) {
	long := func(flags byte, size uint64) []byte {
		b := appendFrameHeader(nil, flags, 1<<20)
		for i := range 8 {
			b[1+i] = byte(size >> (56 - 8*i))
		}
		return b
	}
	for _, c := range []struct {
		name     string
		greeted  bool
		send     []byte
		survives bool
	}{
		{"silent", false, nil, false},
		{"half a greeting", false, []byte{0xff, 0, 0, 0, 0, 0}, false},
		{"garbage", false, bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 100), false},
		{"old version", false, append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 1}, make([]byte, 60)...), false},
		{"other mechanism", false, greeting{mechanism: "PLAIN"}.encode(), false},
		{"not READY", false, appendFrame(greeting{mechanism: "NULL"}.encode(), flagCommand, encodeCommand("HELLO", nil)),
			false},
		{"wrong type", false, appendFrame(greeting{mechanism: "NULL"}.encode(), flagCommand,
			encodeCommand(cmdReady, encodeMetadata("SUB", ""))), false},
		{"identity of the kernel's own", false, appendFrame(greeting{mechanism: "NULL"}.encode(), flagCommand,
			encodeCommand(cmdReady, encodeMetadata("DEALER", "\x00\x00\x00\x00\x01"))), false},
		{"metadata cut", false, appendFrame(greeting{mechanism: "NULL"}.encode(), flagCommand,
			encodeCommand(cmdReady, []byte{5, 'x'})), false},
		{"huge frame", true, long(0, 1<<62), false},
		{"negative frame", true, long(0, 1<<63), false},
		{"huge command", true, long(flagCommand, 1<<32), false},
		{"reserved flags", true, []byte{0x80, 0}, false},
		{"message over the limit in parts", true, bytes.Repeat(appendFrame(nil, flagMore, make([]byte, 10_000)), 20), false},
		{"too many frames", true, bytes.Repeat([]byte{flagMore, 0}, 100), false},
		{"half a message", true, []byte{flagMore, 1, 'x', 0}, false},
		{"unknown command", true, appendFrame(nil, flagCommand, encodeCommand("JOIN", nil)), true},
		{"empty command", true, []byte{flagCommand, 0}, false},
		{"command without a name", true, []byte{flagCommand, 2, 0, 'x'}, false},
		{"command with half a name", true, []byte{flagCommand, 2, 2, 'x'}, false},
		{"PING without a time", true, appendFrame(nil, flagCommand, encodeCommand(cmdPing, []byte{0})), false},
		{"PING with too long a context", true, appendFrame(nil, flagCommand, encodeCommand(cmdPing, make([]byte, 2+17))),
			false},
		{"PING with the longest context", true, appendFrame(nil, flagCommand, encodeCommand(cmdPing, make([]byte, 2+16))),
			true},
		{"ERROR", true, appendFrame(nil, flagCommand, encodeCommand(cmdError, []byte{0})), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := echo(t, Config{Limits: Limits{Handshake: 300 * time.Millisecond, Stalled: 300 * time.Millisecond,
				Message: 100_000, Frames: 50}})
			var bad net.Conn
			if c.greeted {
				bad = raw(t, l, "DEALER", "")
			} else {
				bad = dial(t, l)
			}
			_, _ = bad.Write(c.send) // may already be refused
			roundTrip(t, dealer(t, l), "hello")
			if !c.survives {
				isClosed(t, bad)
				return
			}
			if _, err := bad.Write([]byte{0, 1, 'x', 0, 1, 'y'}); err != nil {
				t.Error(err)
			}
			for got := ""; got != "y"; got = strings.Join(readMessage(t, bad), "|") { // a PONG may come first
			}
		})
	}
}

func TestPing(t *testing.T) {
	c := raw(t, echo(t, Config{}), "DEALER", "")
	if _, err := c.Write(appendFrame(nil, flagCommand, encodeCommand(cmdPing, []byte{0, 10, 'c', 't', 'x'}))); err != nil {
		t.Fatal(err)
	}
	want := appendFrame(nil, flagCommand, encodeCommand(cmdPong, []byte("ctx")))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q %v", got, err)
	}
}

// TestUnnamedPeersGetTheirOwnAnswers: those that say no identity are told apart all the same.
func TestUnnamedPeersGetTheirOwnAnswers(t *testing.T) {
	l := echo(t, Config{})
	var peers []net.Conn
	for range 3 {
		peers = append(peers, raw(t, l, "REQ", ""))
	}
	for i, c := range peers {
		if _, err := c.Write([]byte{flagMore, 0, 0, 1, byte('a' + i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range peers {
		if got := readMessage(t, c); len(got) != 2 || got[1] != string(rune('a'+i)) {
			t.Errorf("peer %d: %q", i, got)
		}
	}
}

func publisher(t *testing.T, limits Limits) (*Socket, *Listener) {
	t.Helper()
	s := open(t, Config{Kind: Publisher, Limits: limits, Welcome: func(topic []byte) [][]byte {
		return [][]byte{topic, []byte("welcome")}
	}})
	return s, s.listener
}

func readMessage(t *testing.T, c net.Conn) []string {
	t.Helper()
	var got []string
	for {
		var h [9]byte
		if _, err := io.ReadFull(c, h[:2]); err != nil {
			t.Fatal(err)
		}
		n := uint64(h[1])
		if h[0]&flagLong != 0 {
			if _, err := io.ReadFull(c, h[2:]); err != nil {
				t.Fatal(err)
			}
			_, _, n = frameHeader(h[:])
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(c, b); err != nil {
			t.Fatal(err)
		}
		if got = append(got, string(b)); h[0]&flagMore == 0 {
			return got
		}
	}
}

// subscribed reports whether some peer wants everything.
func (l *Listener) subscribed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.peers {
		if p.topics.match(nil) {
			return true
		}
	}
	return false
}

func TestSubscriptions(t *testing.T) {
	pub, l := publisher(t, Limits{})
	for name, subscribe := range map[string][]byte{
		"3.0 message": appendFrame(nil, 0, []byte("\x01a.")),
		"3.1 command": appendFrame(nil, flagCommand, encodeCommand(cmdSubscribe, []byte("a."))),
	} {
		t.Run(name, func(t *testing.T) {
			c := raw(t, l, "SUB", "")
			if _, err := c.Write(subscribe); err != nil {
				t.Fatal(err)
			}
			if got := readMessage(t, c); strings.Join(got, "|") != "a.|welcome" {
				t.Fatalf("first message: %q", got)
			}
			var messages [][][]byte
			for _, topic := range []string{"b.no", "a.yes", "a.too"} {
				messages = append(messages, [][]byte{[]byte(topic), []byte("body")})
			}
			pub.Send(messages...)
			for _, want := range []string{"a.yes|body", "a.too|body"} {
				if got := readMessage(t, c); strings.Join(got, "|") != want {
					t.Errorf("%q, want %s", got, want)
				}
			}
		})
	}
}

// TestUnsubscriptions: in both forms, of what was subscribed as often, and of what never was.
func TestUnsubscriptions(t *testing.T) {
	pub, l := publisher(t, Limits{})
	for name, form := range map[string]func(on bool, topic string) []byte{
		"3.0 message": func(on bool, topic string) []byte {
			if on {
				return appendFrame(nil, 0, []byte("\x01"+topic))
			}
			return appendFrame(nil, 0, []byte("\x00"+topic))
		},
		"3.1 command": func(on bool, topic string) []byte {
			if on {
				return appendFrame(nil, flagCommand, encodeCommand(cmdSubscribe, []byte(topic)))
			}
			return appendFrame(nil, flagCommand, encodeCommand(cmdCancel, []byte(topic)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := raw(t, l, "SUB", "")
			for _, b := range [][]byte{
				form(false, "never"), form(true, "twice."), form(true, "twice."), form(true, "once."), form(false, "once."),
				form(false, "twice."), form(true, "end."),
			} {
				if _, err := c.Write(b); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for len(got) == 0 || got[len(got)-1] != "end.|welcome" {
				got = append(got, strings.Join(readMessage(t, c), "|"))
			}
			for _, topic := range []string{"once.", "never", "twice.", "end."} {
				pub.Send([][]byte{[]byte(topic), []byte("body")})
			}
			for range 2 {
				got = append(got, strings.Join(readMessage(t, c), "|"))
			}
			want := "twice.|welcome twice.|welcome once.|welcome end.|welcome twice.|body end.|body"
			if all := strings.Join(got, " "); all != want {
				t.Errorf("%s, want %s", all, want)
			}
		})
	}
}

func TestStalledSubscriberHarmsNobody(t *testing.T) {
	pub, l := publisher(t, Limits{Queue: 4 << 20, Pressure: 1 << 20, Patience: 300 * time.Millisecond})
	subscribe := appendFrame(nil, 0, []byte("\x01"))
	stalled, good := raw(t, l, "SUB", ""), raw(t, l, "SUB", "")
	for _, c := range []net.Conn{stalled, good} {
		if _, err := c.Write(subscribe); err != nil {
			t.Fatal(err)
		}
	}
	readMessage(t, good)
	for !l.subscribed() {
		time.Sleep(time.Millisecond)
	}
	const n = 500
	got := make(chan int)
	go func() {
		i := 0
		for ; i < n; i++ {
			if m := readMessage(t, good); len(m) != 2 {
				break
			}
		}
		got <- i
	}()
	body := make([]byte, 64<<10)
	start := time.Now()
	for range n {
		l.WaitForRoom(t.Context())
		pub.Send([][]byte{[]byte("t"), body})
	}
	if i := <-got; i != n {
		t.Errorf("%d of %d messages", i, n)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.peers {
		if waiting, _ := p.load(); waiting > 3<<20 {
			t.Errorf("%d bytes wait", waiting)
		}
	}
}

func TestCloseFlushes(t *testing.T) {
	pub, err := Open(Config{Network: "tcp", Address: "127.0.0.1:0", Kind: Publisher,
		Welcome: func([]byte) [][]byte { return [][]byte{nil} }})
	if err != nil {
		t.Fatal(err)
	}
	c := raw(t, pub.listener, "SUB", "")
	if _, err := c.Write(appendFrame(nil, 0, []byte("\x01"))); err != nil {
		t.Fatal(err)
	}
	readMessage(t, c)
	for l := pub.listener; !l.subscribed(); {
		time.Sleep(time.Millisecond)
	}
	body := make([]byte, 1<<20)
	for range 10 {
		pub.Send([][]byte{[]byte("t"), body})
	}
	closed := make(chan struct{})
	go func() {
		_ = pub.Close()
		close(closed)
	}()
	for range 10 {
		if m := readMessage(t, c); len(m[1]) != 1<<20 {
			t.Fatal(len(m[1]))
		}
	}
	isClosed(t, c)
	<-closed
}

func TestManyComeAndGo(t *testing.T) {
	l := echo(t, Config{})
	for range 200 {
		c := raw(t, l, "DEALER", "")
		_ = c.Close()
	}
	roundTrip(t, dealer(t, l), "x")
	for end := time.Now().Add(5 * time.Second); l.Peers() > 1; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d peers are left", l.Peers())
		}
	}
}

func TestPendingAreBounded(t *testing.T) {
	l := echo(t, Config{Limits: Limits{Pending: 8}})
	var first net.Conn
	for i := range 50 {
		if c := dial(t, l); i == 0 {
			first = c
		}
	}
	roundTrip(t, dealer(t, l), "x")
	isClosed(t, first)
}

func TestListenRefuses(t *testing.T) {
	l := echo(t, Config{})
	var bad *ListenError
	if _, err := Open(Config{Network: "tcp", Address: l.Addr().String(), Kind: Router}); !errors.As(err, &bad) ||
		bad.Address != l.Addr().String() {
		t.Errorf("%v", err)
	}
	if _, err := Open(Config{Network: "tcp", Address: "127.0.0.1:0", Kind: "PUB"}); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
	for _, path := range []string{"@abstract", "\x00abstract", filepath.Join(t.TempDir(), strings.Repeat("x", 120))} {
		var refused *ProtocolError
		if _, err := Open(Config{Network: "unix", Address: path, Kind: Router}); !errors.As(err, &refused) {
			t.Errorf("%q: %v", path, err)
		}
	}
	mine := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(mine, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Config{Network: "unix", Address: mine, Kind: Router}); !errors.As(err, &bad) {
		t.Errorf("over a file that is no socket: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	_ = stale.Close()
	roundTrip(t, dealer(t, echo(t, Config{Network: "unix", Address: path})), "over a stale socket file")
}
