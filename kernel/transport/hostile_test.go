package transport

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/nacl/box"
)

// TestIdentityStaysWithItsOwner: who says a name that another has waits until that one has gone.
func TestIdentityStaysWithItsOwner(t *testing.T) {
	l := echo(t, Config{})
	first := raw(t, l, "DEALER", "me")
	say := func(c net.Conn, what byte) {
		t.Helper()
		if _, err := c.Write([]byte{0, 1, what}); err != nil {
			t.Fatal(err)
		}
	}
	hear := func(c net.Conn, what byte) {
		t.Helper()
		if got := readMessage(t, c); len(got) != 1 || got[0] != string(what) {
			t.Errorf("%q, want %c", got, what)
		}
	}
	say(first, 'a')
	hear(first, 'a')
	second := raw(t, l, "DEALER", "me")
	say(second, 's')
	for _, what := range []byte("bc") {
		say(first, what)
		hear(first, what)
	}
	if n := l.Peers(); n != 1 {
		t.Errorf("%d peers", n)
	}
	_ = first.Close()
	hear(second, 's')
}

// TestTwoOfOneIdentityAreNotKept: who waits for a name has the time of a handshake, and is not
// counted after it.
func TestTwoOfOneIdentityAreNotKept(t *testing.T) {
	l := echo(t, Config{Limits: Limits{Handshake: 200 * time.Millisecond, Pending: 4}})
	first := raw(t, l, "DEALER", "me")
	echoes := func() {
		if _, err := first.Write([]byte{0, 1, 'x'}); err != nil {
			t.Fatal(err)
		}
		readMessage(t, first)
	}
	echoes()
	for range 10 {
		isClosed(t, raw(t, l, "DEALER", "me"))
	}
	echoes()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) != 0 || len(l.peers) != 1 {
		t.Errorf("%d wait, %d peers", len(l.pending), len(l.peers))
	}
}

// elsewhere is a connection from another machine.
type elsewhere struct{ replayed }

func (elsewhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

// TestNewerPeerFromElsewhereTakesOver: the end of the older connection may never be known here.
func TestNewerPeerFromElsewhereTakesOver(t *testing.T) {
	l := &Listener{
		config: Config{Kind: Router}, limits: Limits{}.withDefaults(), log: slog.New(slog.DiscardHandler),
		room: make(chan struct{}), peers: map[*peer]struct{}{}, named: map[string]*peer{},
	}
	var both [2]*peer
	for i := range both {
		c := &elsewhere{}
		l.pending = append(l.pending, c)
		both[i] = newPeer(l, c, nil, nil, metadata{"identity": "me"}, plain{})
		if !l.enlist(both[i]) {
			t.Fatalf("peer %d was refused", i)
		}
	}
	if l.peer([]byte("me")) != both[1] || !both[0].gone() {
		t.Error("the older one is still there")
	}
}

// TestCommandsAreNoMessage: what commands take is given back, also amid a message.
func TestCommandsAreNoMessage(t *testing.T) {
	l := echo(t, Config{Limits: Limits{Message: 100_000, Inbound: 150_000}})
	c := raw(t, l, "DEALER", "")
	many := bytes.Repeat(appendFrame(nil, flagCommand, encodeCommand("JOIN", make([]byte, 60_000))), 10)
	for _, part := range [][]byte{many, {flagMore, 1, 'a'}, many, {0, 1, 'b'}} {
		if _, err := c.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if got := readMessage(t, c); len(got) != 2 || got[0] != "a" || got[1] != "b" {
		t.Errorf("%q", got)
	}
}

// TestReadMessagesCountNoMore: a peer may send more in all than one message may have, and so may a
// subscriber.
func TestReadMessagesCountNoMore(t *testing.T) {
	d := dealer(t, echo(t, Config{Limits: Limits{Message: 100_000, Inbound: 150_000}}))
	for range 5 {
		roundTrip(t, d, string(make([]byte, 60_000)))
	}
	_, l := publisher(t, Limits{Message: 100, Inbound: 150})
	c := raw(t, l, "SUB", "")
	for range 20 {
		if _, err := c.Write(appendFrame(nil, 0, []byte("\x01a topic of some length"))); err != nil {
			t.Fatal(err)
		}
		readMessage(t, c)
	}
}

// TestWhoHasMostGoes: peers that fill what all may send together do not take the place of one that
// sends little.
func TestWhoHasMostGoes(t *testing.T) {
	l := echo(t, Config{Limits: Limits{Message: 200_000, Inbound: 350_000}})
	half := func(size int) net.Conn { // 190,000 bytes are announced; what comes is counted by growStep
		c := raw(t, l, "DEALER", "")
		if _, err := c.Write(append(appendFrameHeader(nil, 0, 190_000), make([]byte, size)...)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	less, most := half(100_000), half(170_000)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		n := l.inbound
		l.mu.Unlock()
		if n >= 1<<17+190_000 || time.Now().After(end) {
			break
		}
	}
	roundTrip(t, dealer(t, l), string(make([]byte, 60_000)))
	isClosed(t, most)
	if _, err := less.Write(make([]byte, 90_000)); err != nil {
		t.Fatal(err)
	}
	if got := readMessage(t, less); len(got) != 1 || len(got[0]) != 190_000 {
		t.Errorf("%d frames", len(got))
	}
}

// TestSilentPeersTakeNoPlace: where there are too many peers, those that say nothing go first, and
// no other.
func TestSilentPeersTakeNoPlace(t *testing.T) {
	const peers = 8
	_, pub := publisher(t, Limits{Peers: peers})
	for name, l := range map[string]*Listener{"ROUTER": echo(t, Config{Limits: Limits{Peers: peers}}), "XPUB": pub} {
		t.Run(name, func(t *testing.T) {
			join := func() net.Conn {
				if name == "XPUB" {
					return raw(t, l, "SUB", "")
				}
				return raw(t, l, "DEALER", "")
			}
			speak := func(c net.Conn) { // as a subscription, or to hear it again
				if _, err := c.Write([]byte{0, 1, 1}); err != nil {
					t.Fatal(err)
				}
				readMessage(t, c)
			}
			busy := join()
			speak(busy)
			silent := make([]net.Conn, 3*peers)
			for i := range silent {
				silent[i] = join()
				for l.Peers() < min(peers, i+2) { // its handshake is over here too
					time.Sleep(time.Millisecond)
				}
			}
			isClosed(t, silent[0])
			for range peers - 1 { // each in the place of one that is silent
				speak(join())
			}
			if _, err := dial(t, l).Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("one more than there is place for: %v", err)
			}
			speak(busy)
		})
	}
}

// TestTurns: between two reads of a peer that always has something, whoever else is ready runs.
func TestTurns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ran atomic.Int32
	r, b := turns{bytes.NewReader(make([]byte, 100))}, make([]byte, 1)
	for i := range 100 {
		go ran.Add(1)
		if n, err := r.Read(b); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if ran := int(ran.Load()); ran < i { // now and then the scheduler takes who has waited longest
			t.Fatalf("after %d reads %d had a turn", i+1, ran)
		}
	}
}

func TestManyFrames(t *testing.T) {
	frames := make([]string, 20_000)
	roundTrip(t, dealer(t, echo(t, Config{})), frames...)
}

// TestFloodWithoutReading: of what a peer asks for and does not take, little waits, and others go
// on.
func TestFloodWithoutReading(t *testing.T) {
	const pressure = 100_000
	for name, c := range map[string]struct {
		socketType string
		frame      []byte
	}{
		"PING":      {"DEALER", appendFrame(nil, flagCommand, encodeCommand(cmdPing, []byte("\x00\x00a long context.")))},
		"echo":      {"DEALER", appendFrame(nil, 0, []byte("hello"))},
		"PING, SUB": {"SUB", appendFrame(nil, flagCommand, encodeCommand(cmdPing, []byte("\x00\x00a long context.")))},
		"SUBSCRIBE": {"SUB", appendFrame(nil, flagCommand, encodeCommand(cmdSubscribe, []byte("topic")))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := Limits{Pressure: pressure, Patience: time.Minute}
			var l *Listener
			if c.socketType == "SUB" {
				_, l = publisher(t, limits)
			} else {
				l = echo(t, Config{Limits: limits})
			}
			bad := raw(t, l, c.socketType, "")
			many := bytes.Repeat(c.frame, 10_000)
			waiting := 0
			for rest := many; waiting <= pressure; {
				_ = bad.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
				n, err := bad.Write(rest)
				if rest = rest[n:]; len(rest) == 0 {
					rest = many
				}
				if err == nil {
					continue
				}
				if !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatal(err)
				}
				l.each(func(p *peer) { waiting, _ = p.load() })
			}
			// Messages that were on their way when the reader stopped come too.
			if waiting > pressure+2*writePart {
				t.Errorf("%d bytes wait", waiting)
			}
			if c.socketType == "DEALER" {
				roundTrip(t, dealer(t, l), "x")
			}
			_ = bad.SetReadDeadline(time.Now().Add(10 * time.Second))
			if _, err := io.CopyN(io.Discard, bad, 2*pressure); err != nil { // it reads, and is read from again
				t.Error(err)
			}
		})
	}
}

// TestHeldPeersEnd: who is not read from because it does not read is let go of when it leaves, and
// when the socket closes.
func TestHeldPeersEnd(t *testing.T) {
	for name, end := range map[string]func(*Listener, net.Conn) error{
		"leaves": func(_ *Listener, c net.Conn) error { return c.Close() },
		"closes": func(l *Listener, _ net.Conn) error { return l.close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const pressure = 1000
			l := echo(t, Config{Limits: Limits{Pressure: pressure, Linger: 50 * time.Millisecond}})
			c := raw(t, l, "DEALER", "")
			large := appendFrame(nil, 0, make([]byte, 1<<20))
			for waiting := 0; waiting <= pressure; l.each(func(p *peer) { waiting, _ = p.load() }) {
				_ = c.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
				if _, err := c.Write(large); err != nil {
					break // it is held
				}
			}
			if err := end(l, c); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(10 * time.Second); l.Peers() > 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("it is still there")
				}
			}
		})
	}
}

// hoarse is a listener that fails before each connection that it gives.
type hoarse struct {
	net.Listener
	failed bool
}

func (h *hoarse) Accept() (net.Conn, error) {
	if h.failed = !h.failed; h.failed {
		return nil, os.NewSyscallError("accept", syscall.EMFILE)
	}
	return h.Listener.Accept()
}

// TestAcceptGoesOn: a listener that has run out of descriptors for a moment accepts again.
func TestAcceptGoesOn(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newListener(&hoarse{Listener: inner}, Config{Kind: Router, Log: slog.New(slog.DiscardHandler)})
	for range 3 {
		c := raw(t, l, "DEALER", "")
		defer c.Close()
	}
	if err := l.close(); err != nil {
		t.Error(err)
	}
}

// TestOldVersionIsRefusedAtOnce: greetings of ZMTP 2.0 are shorter, and their peers wait for ours.
func TestOldVersionIsRefusedAtOnce(t *testing.T) {
	c := dial(t, echo(t, Config{Limits: Limits{Handshake: time.Minute}}))
	if _, err := c.Write([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1, 5, 0, 0}); err != nil {
		t.Fatal(err)
	}
	isClosed(t, c)
}

func TestCurveVouch(t *testing.T) {
	other, _ := pair(t)
	for name, vouch := range map[string]func(short, server []byte) []byte{
		"another key of the client": func(_, server []byte) []byte { return append(bytes.Clone(other[:]), server...) },
		"another server":            func(short, _ []byte) []byte { return append(bytes.Clone(short), other[:]...) },
	} {
		l, public := curveEcho(t)
		x := newCurveClient(t, dial(t, l), public)
		x.vouch = vouch
		if err := x.handshake(nil); err == nil {
			t.Errorf("a vouch for %s was let in", name)
		}
	}
}

// TestCurveLowOrder: with a key of low order who does not know the server's seals a HELLO too.
func TestCurveLowOrder(t *testing.T) {
	public, secret := pair(t)
	keys, err := NewCurveKeys(encodeZ85(public[:]), encodeZ85(secret[:]))
	if err != nil {
		t.Fatal(err)
	}
	x := newCurveClient(t, nil, &[32]byte{}) // all know what the product with 0 is
	h := &curveHandshake{keys: keys}
	if err := h.hello(x.helloData(&[32]byte{})); err == nil {
		t.Error("a HELLO with a key of low order was let in")
	}
	x.server = *public
	if err := h.hello(x.helloData(x.short)); err != nil {
		t.Error(err)
	}
	short := x.helloData(x.short)
	short[0] = 2
	for _, bad := range [][]byte{short, short[:len(short)-1], nil} {
		if h.hello(bad) == nil {
			t.Errorf("%d bytes were let in", len(bad))
		}
	}
	s := &curveSeal{}
	box.Precompute(&s.key, public, x.shortS)
	for n := range 30 {
		if _, _, err := s.open(0, append([]byte("\x07MESSAGE"), make([]byte, n)...)); err == nil {
			t.Errorf("a MESSAGE of %d bytes was opened", n)
		}
	}
}
